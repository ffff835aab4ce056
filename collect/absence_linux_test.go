package collect_test

import (
	"io"
	"net"
	"path/filepath"
	"testing"
	"time"

	"github.com/pertain-dev/pertain/collect"
	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/facts"
)

// listen makes a socket at which answer is called for each who connects.
func listen(t *testing.T, path string, answer func(net.Conn)) {
	t.Helper()
	l, err := new(net.ListenConfig).Listen(t.Context(), "unix", path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close() })
	go func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			go func() {
				defer conn.Close()
				answer(conn)
			}()
		}
	}()
}

func hangs(conn net.Conn) { _, _ = io.Copy(io.Discard, conn) }

// refuses is an X server that knows no such user.
func refuses(conn net.Conn) {
	if _, err := io.ReadFull(conn, make([]byte, 12)); err != nil {
		return
	}
	const reason = "Authorization required, but no authorization protocol specified\n"
	_, _ = conn.Write(append([]byte{0, byte(len(reason)), 11, 0, 0, 0, byte(len(reason) / 4), 0}, reason...))
	hangs(conn)
}

// TestEveryPartSaysWhatToDo: on machines without a desktop, or with one of which
// a part is dead, each part that is not seen says why, with the right code, and
// what to do about it.
func TestEveryPartSaysWhatToDo(t *testing.T) {
	dir := t.TempDir()
	listen(t, filepath.Join(dir, "stuck"), hangs)
	listen(t, filepath.Join(dir, "refusing:0"), refuses)
	listen(t, filepath.Join(dir, "hanging:0"), hangs)
	stuck, nobody := "unix:path="+filepath.Join(dir, "stuck"), "unix:path="+filepath.Join(dir, "nobody")
	const unavailable, permission, timeout = diag.ExtraProviderUnavailable, diag.ExtraPermissionUnavailable, diag.ExtraProviderTimeout
	windows := []string{"attachments.selection.text", "extra.browser", "extra.file_manager", "visual"}
	all := append([]string{"clipboard.files", "clipboard.hasImage", "clipboard.hasText", "clipboard.text"}, windows...)
	for _, tt := range []struct {
		name  string
		env   map[string]string
		needs []string
		code  diag.Code
	}{
		{"server", nil, all, unavailable},
		{"ssh", map[string]string{"DISPLAY": "localhost:10.0"}, all, unavailable},
		{"dead X server", map[string]string{"DISPLAY": filepath.Join(dir, "nobody") + ":0"}, all, unavailable},
		{"X server of another user", map[string]string{"DISPLAY": filepath.Join(dir, "refusing") + ":0"}, all, permission},
		{"X server that hangs", map[string]string{"DISPLAY": filepath.Join(dir, "hanging") + ":0"}, all, timeout},
		{"Wayland without a compositor", map[string]string{"WAYLAND_DISPLAY": filepath.Join(dir, "nobody")}, all, unavailable},
		{"compositor that hangs", map[string]string{"WAYLAND_DISPLAY": filepath.Join(dir, "stuck")}, all[:4], timeout},
		{"no session bus", map[string]string{"WAYLAND_DISPLAY": filepath.Join(dir, "nobody")}, windows, unavailable},
		{"dead session bus", map[string]string{"WAYLAND_DISPLAY": filepath.Join(dir, "nobody"), "DBUS_SESSION_BUS_ADDRESS": nobody}, windows, unavailable},
		{"session bus that hangs", map[string]string{"WAYLAND_DISPLAY": filepath.Join(dir, "nobody"), "DBUS_SESSION_BUS_ADDRESS": stuck}, windows, timeout},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			machine := collect.Open(collect.Options{Env: func(name string) string { return tt.env[name] }})
			var needs facts.Needs
			needs.Add(tt.needs...)
			limit := 10 * time.Second
			if tt.code == timeout {
				limit = 100 * time.Millisecond
			}
			out, err := facts.NewGatherer(machine.Collectors()...).Gather(t.Context(), needs, facts.Parts{}, limit)
			if err != nil {
				t.Fatal(err)
			}
			if len(out.Parts) != len(tt.needs) {
				t.Errorf("%d parts of %d", len(out.Parts), len(tt.needs))
			}
			for _, p := range out.Parts {
				// Where the time is over, others may add that they were not asked.
				if n := len(p.Diagnostics); p.Available || n == 0 || n > 1 && tt.code != timeout {
					t.Fatalf("%s: available %v, %d diagnostics", p.Path, p.Available, n)
				}
				if d := p.Diagnostics[0]; d.Code != tt.code || d.Hint == "" || d.Provider == "" || d.Path != p.Path {
					t.Errorf("%s of %q for %s: %s; %s", d.Code, d.Provider, d.Path, d.Message, d.Hint)
				}
			}
		})
	}
}
