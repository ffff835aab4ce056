package compositor

import (
	"bufio"
	"context"
	"errors"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/godbus/dbus/v5"

	"github.com/pertain-dev/pertain/collect/internal/wayland"
)

// startBus starts a session bus of its own.
func startBus(t *testing.T) (address string) {
	t.Helper()
	program, err := exec.LookPath("dbus-daemon")
	if err != nil {
		t.Skip("dbus-daemon is not installed")
	}
	in, out, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = in.Close() }()
	cmd := exec.CommandContext(t.Context(), program, "--session", "--nofork", "--nopidfile", "--print-address=3")
	cmd.ExtraFiles = []*os.File{out}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	_ = out.Close()
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	})
	line, err := bufio.NewReader(in).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(line)
}

// join connects to a bus, under a name.
func join(t *testing.T, address, name string) *dbus.Conn {
	t.Helper()
	conn, err := dbus.Connect(address)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close() })
	if name != "" {
		if reply, err := conn.RequestName(name, dbus.NameFlagDoNotQueue); err != nil || reply != dbus.RequestNameReplyPrimaryOwner {
			t.Fatalf("%v %v", reply, err)
		}
	}
	return conn
}

// fakeKWin does what KWin does with a script: it says what the script would.
type fakeKWin struct {
	t        *testing.T
	conn     *dbus.Conn
	stranger *dbus.Conn // who speaks before it
	says     string     // "": nothing

	mu               sync.Mutex
	script           string
	loaded, unloaded []string
}

func (f *fakeKWin) LoadScript(path, name string) (int32, *dbus.Error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	text, err := os.ReadFile(path)
	if err != nil {
		return -1, nil
	}
	f.script = string(text)
	f.loaded = append(f.loaded, name)
	return 7, nil
}

func (f *fakeKWin) UnloadScript(name string) (bool, *dbus.Error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.unloaded = append(f.unloaded, name)
	return true, nil
}

var called = regexp.MustCompile(`callDBus\("([^"]+)", "([^"]+)", "([^"]+)", "Tell"`)

func (f *fakeKWin) Run() *dbus.Error {
	f.mu.Lock()
	defer f.mu.Unlock()
	found := called.FindStringSubmatch(f.script)
	if found == nil {
		f.t.Errorf("the script calls nobody: %s", f.script)
		return nil
	}
	tell := func(conn *dbus.Conn, text string) error {
		return conn.Object(found[1], dbus.ObjectPath(found[2])).Call(found[3]+".Tell", 0, text).Err
	}
	if f.stranger != nil && tell(f.stranger, `{"title":"a lie","pid":1}`) == nil {
		f.t.Error("somebody else was heard")
	}
	if f.says != "" {
		go func() { _ = tell(f.conn, f.says) }()
	}
	return nil
}

func TestKWin(t *testing.T) {
	for _, tt := range []struct {
		path, says string // where the script is run, and what it says
		want       wayland.Front
		err        error
	}{
		{"/Scripting/Script7", `{"title":"n — Kate","class":"kate","pid":5,"id":"{7a}"}`, wayland.Front{Title: "n — Kate", Class: "kate", PID: 5, ID: "{7a}"}, nil},
		{"/7", `{"title":"five","class":"x","pid":6}`, wayland.Front{Title: "five", Class: "x", PID: 6}, nil},
		{"/7", `{}`, wayland.Front{}, wayland.ErrNone},
		{"/7", `nonsense`, wayland.Front{}, wayland.ErrUntold},
		{"/7", strings.Repeat("x", maxTold+1), wayland.Front{}, wayland.ErrUntold},
		{"/7", ``, wayland.Front{}, wayland.ErrUntold},
		{"/elsewhere", `{"title":"five","pid":6}`, wayland.Front{}, wayland.ErrUntold},
	} {
		address := startBus(t)
		f := &fakeKWin{t: t, conn: join(t, address, kwinName), stranger: join(t, address, ""), says: tt.says}
		if err := f.conn.ExportWithMap(f, map[string]string{"LoadScript": "loadScript", "UnloadScript": "unloadScript"}, "/Scripting", strings.TrimSuffix(kwinScripting, ".")); err != nil {
			t.Fatal(err)
		}
		if err := f.conn.ExportWithMap(f, map[string]string{"Run": "run"}, dbus.ObjectPath(tt.path), "org.kde.kwin.Script"); err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
		if tt.says == "" || len(tt.says) > maxTold { // nothing comes
			cancel()
			ctx, cancel = context.WithTimeout(t.Context(), 200*time.Millisecond)
		}
		got, err := new(Compositors).InFront(ctx, address)
		cancel()
		if got != tt.want || !errors.Is(err, tt.err) {
			t.Errorf("%.40q at %s: %+v, %v", tt.says, tt.path, got, err)
		}
		taken := func() bool {
			f.mu.Lock()
			defer f.mu.Unlock()
			return strings.Join(f.loaded, " ") == strings.Join(f.unloaded, " ")
		}
		gone := taken()
		for end := time.Now().Add(10 * time.Second); !gone && time.Now().Before(end); time.Sleep(5 * time.Millisecond) {
			gone = taken()
		}
		if !gone {
			t.Errorf("%.40q at %s: a script stays", tt.says, tt.path)
		}
	}
}

// fakeShell is GNOME Shell's list of windows.
type fakeShell struct {
	windows map[uint64]map[string]dbus.Variant
	denied  bool
	evals   string // what its unsafe mode says of the window in front; empty: it is off
}

func (f fakeShell) Eval(string) (bool, string, *dbus.Error) { return f.evals != "", f.evals, nil }

func (f fakeShell) GetWindows() (map[uint64]map[string]dbus.Variant, *dbus.Error) {
	if f.denied {
		return nil, dbus.NewError("org.freedesktop.DBus.Error.AccessDenied", []any{"GetWindows is not allowed"})
	}
	return f.windows, nil
}

func TestShell(t *testing.T) {
	window := func(title, class string, focused bool) map[string]dbus.Variant {
		return map[string]dbus.Variant{"title": dbus.MakeVariant(title), "wm-class": dbus.MakeVariant(class), "app-id": dbus.MakeVariant(class + ".desktop"), "has-focus": dbus.MakeVariant(focused)}
	}
	for _, tt := range []struct {
		shell fakeShell
		want  wayland.Front
		err   error
	}{
		{fakeShell{windows: map[uint64]map[string]dbus.Variant{1: window("a", "x", false), 2: window("b", "y", true)}}, wayland.Front{Title: "b", Class: "y", ID: "2"}, nil},
		{fakeShell{windows: map[uint64]map[string]dbus.Variant{1: window("b", "", true)}}, wayland.Front{Title: "b", Class: ".desktop", ID: "1"}, nil},
		{fakeShell{windows: map[uint64]map[string]dbus.Variant{1: window("a", "x", false)}}, wayland.Front{}, wayland.ErrNone},
		{fakeShell{windows: map[uint64]map[string]dbus.Variant{1: {"has-focus": dbus.MakeVariant("yes")}}}, wayland.Front{}, wayland.ErrNone},
		{fakeShell{denied: true}, wayland.Front{}, wayland.ErrUntold},
		{fakeShell{denied: true}, wayland.Front{}, ErrRefused},
		{fakeShell{windows: map[uint64]map[string]dbus.Variant{1: window("b", "y", true)}, evals: `{"title":"b","pid":7}`}, wayland.Front{Title: "b", Class: "y", PID: 7, ID: "1"}, nil},
		{fakeShell{windows: map[uint64]map[string]dbus.Variant{1: window("b", "y", true)}, evals: `{"title":"other","pid":7}`}, wayland.Front{Title: "b", Class: "y", ID: "1"}, nil},
		{fakeShell{windows: map[uint64]map[string]dbus.Variant{1: window("b", "y", true)}, evals: `{"title":"b","pid":-1}`}, wayland.Front{Title: "b", Class: "y", ID: "1"}, nil},
		{fakeShell{windows: map[uint64]map[string]dbus.Variant{1: window("b", "y", true)}, evals: `nonsense`}, wayland.Front{Title: "b", Class: "y", ID: "1"}, nil},
	} {
		address := startBus(t)
		conn := join(t, address, shellName)
		for path, name := range map[dbus.ObjectPath]string{"/org/gnome/Shell/Introspect": shellIntrospect, "/org/gnome/Shell": shellName} {
			if err := conn.Export(tt.shell, path, name); err != nil {
				t.Fatal(err)
			}
		}
		if got, err := new(Compositors).InFront(t.Context(), address); got != tt.want || !errors.Is(err, tt.err) {
			t.Errorf("%+v: %+v, %v", tt.shell, got, err)
		}
	}
}

// TestUntold: without a compositor that is known, and without a bus, nothing is told.
func TestUntold(t *testing.T) {
	for _, address := range []string{"", "unix:path=/nowhere", startBus(t)} {
		if _, err := new(Compositors).InFront(t.Context(), address); !errors.Is(err, wayland.ErrUntold) {
			t.Errorf("%s: %v", address, err)
		}
	}
}
