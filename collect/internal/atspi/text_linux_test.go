package atspi

import (
	"bufio"
	"context"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/godbus/dbus/v5"
)

// startBus starts a bus and joins it.
func startBus(t *testing.T) (conn *dbus.Conn, address string) {
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
	address = strings.TrimSpace(line)
	return join(t, address), address
}

func join(t *testing.T, address string) *dbus.Conn {
	t.Helper()
	conn, err := dbus.Connect(address)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close() })
	return conn
}

// fakeText is an element with a text, in which others may be embedded.
type fakeText struct {
	text  string
	inner []Node
	asked func() // when it is asked what it is
}

func (f fakeText) GetInterfaces() ([]string, *dbus.Error) {
	if f.asked != nil {
		f.asked()
	}
	return []string{Prefix + "Text"}, nil
}
func (f fakeText) GetChildren() ([]Node, *dbus.Error)       { return f.inner, nil }
func (fakeText) GetRole() (uint32, *dbus.Error)             { return RoleParagraph, nil }
func (f fakeText) GetText(_, _ int32) (string, *dbus.Error) { return f.text, nil }
func (f fakeText) Get(_, _ string) (dbus.Variant, *dbus.Error) {
	return dbus.MakeVariant(int32(len([]rune(f.text)))), nil
}

// TestTextInTime: a text of which a part was not told in time is unknown, and is not
// that part.
func TestTextInTime(t *testing.T) {
	program, address := startBus(t)
	for _, late := range []bool{false, true} {
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		name := program.Names()[0]
		for path, element := range map[dbus.ObjectPath]fakeText{
			"/outer": {text: "before \ufffc after", inner: []Node{{name, "/inner"}}},
			"/inner": {text: "inner words", asked: func() {
				if late {
					cancel() // the time is over
				}
			}},
		} {
			for _, in := range []string{Prefix + "Accessible", Prefix + "Text", "org.freedesktop.DBus.Properties"} {
				if err := program.Export(element, path, in); err != nil {
					t.Fatal(err)
				}
			}
		}
		s := Window{Bus: &Bus{conn: join(t, address)}}
		read := s.textReader([]Element{{Node: Node{name, "/outer"}, Role: RoleParagraph}}, []int{0})
		if text, ok := read(ctx, 0); ok == late || ok && text != "before \ninner words after" {
			t.Errorf("late %v: %q, %v", late, text, ok)
		}
		cancel()
	}
}
