package wayland

import (
	"encoding/binary"
	"errors"
	"io"
	"net"
	"os"
	"path/filepath"
	"testing"
)

func TestSwayFront(t *testing.T) {
	for _, tt := range []struct {
		tree string
		want Front
		none bool
	}{
		{`{"nodes":[{"nodes":[{"name":"a","pid":1},{"id":9,"name":"b","pid":2,"app_id":"foot","focused":true}]}]}`, Front{"b", "foot", 2, "9"}, false},
		{`{"nodes":[{"floating_nodes":[{"id":4,"name":"x","pid":3,"app_id":null,"window_properties":{"class":"XTerm"},"focused":true}]}]}`, Front{"x", "XTerm", 3, "4"}, false},
		{`{"nodes":[{"name":"1","focused":true}]}`, Front{}, true},
		{`{}`, Front{}, true},
	} {
		got, err := swayFront([]byte(tt.tree))
		if got != tt.want || errors.Is(err, ErrNone) != tt.none {
			t.Errorf("%s: %+v, %v", tt.tree, got, err)
		}
	}
	if _, err := swayFront([]byte("{")); err == nil {
		t.Error("half an answer was read")
	}
}

func TestHyprlandFront(t *testing.T) {
	if got, err := hyprlandFront([]byte(`{"address":"0x1","class":"kitty","title":"~/a","pid":7}`)); err != nil || got != (Front{"~/a", "kitty", 7, "0x1"}) {
		t.Errorf("%+v, %v", got, err)
	}
	if _, err := hyprlandFront([]byte(`{}`)); !errors.Is(err, ErrNone) {
		t.Error(err)
	}
	if _, err := hyprlandFront([]byte(`unknown request`)); err == nil {
		t.Error("an answer that is none was read")
	}
}

// TestInFront speaks with sockets as the compositors have them.
func TestInFront(t *testing.T) {
	dir, err := os.MkdirTemp("", "w") //nolint:usetesting // the path of a socket must be short
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = os.RemoveAll(dir) }()
	serve := func(path string, answer func(net.Conn)) {
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		listener, err := new(net.ListenConfig).Listen(t.Context(), "unix", path)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = listener.Close() })
		go func() {
			for {
				conn, err := listener.Accept()
				if err != nil {
					return
				}
				answer(conn)
				_ = conn.Close()
			}
		}()
	}
	sway := filepath.Join(dir, "sway")
	serve(sway, func(conn net.Conn) {
		if _, err := io.ReadFull(conn, make([]byte, 14)); err == nil {
			text := `{"focused":true,"pid":4,"name":"n"}`
			_, _ = conn.Write(append(binary.NativeEndian.AppendUint32(binary.NativeEndian.AppendUint32([]byte("i3-ipc"), uint32(len(text))), 4), text...))
		}
	})
	serve(filepath.Join(dir, "hypr", "sig", ".socket.sock"), func(conn net.Conn) {
		if _, err := io.ReadFull(conn, make([]byte, len("j/activewindow"))); err == nil {
			_, _ = io.WriteString(conn, `{"pid":5,"title":"h","class":"c"}`)
		}
	})
	wrong := filepath.Join(dir, "wrong")
	serve(wrong, func(conn net.Conn) { _, _ = io.WriteString(conn, "HTTP/1.1 400 Bad Request") })
	for _, tt := range []struct {
		env  map[string]string
		want Front
		ok   bool
	}{
		{map[string]string{"SWAYSOCK": sway}, Front{"n", "", 4, "0"}, true},
		{map[string]string{"HYPRLAND_INSTANCE_SIGNATURE": "sig", "XDG_RUNTIME_DIR": dir}, Front{"h", "c", 5, ""}, true},
		{map[string]string{"HYPRLAND_INSTANCE_SIGNATURE": "../sig", "XDG_RUNTIME_DIR": dir}, Front{}, false},
		{map[string]string{"SWAYSOCK": "sway"}, Front{}, false},
		{map[string]string{"SWAYSOCK": wrong}, Front{}, false},
		{map[string]string{"SWAYSOCK": filepath.Join(dir, "none")}, Front{}, false},
		{nil, Front{}, false},
	} {
		got, err := InFront(t.Context(), func(name string) string { return tt.env[name] })
		if got != tt.want || (err == nil) != tt.ok {
			t.Errorf("%v: %+v, %v", tt.env, got, err)
		}
	}
}
