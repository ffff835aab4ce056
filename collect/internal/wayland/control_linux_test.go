package wayland

import (
	"context"
	"encoding/binary"
	"net"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/pertain-dev/pertain/collect/internal/clipboard"
)

func TestWireText(t *testing.T) {
	for _, s := range []string{"", "a", "abc", "abcd", "text/plain;charset=utf-8"} {
		b := wireText(s)
		if len(b)%4 != 0 {
			t.Errorf("%q takes %d bytes", s, len(b))
		}
		e := event{body: append(b, words(7)...)}
		if got := e.text(); got != s || e.word() != 7 {
			t.Errorf("%q came back as %q", s, got)
		}
	}
}

func FuzzWire(f *testing.F) {
	f.Add(append(words(2, 24<<16), append(words(1), wireText("wl_seat")...)...))
	f.Add([]byte{0, 0, 0, 0, 0, 0, 0, 0})
	f.Fuzz(func(_ *testing.T, data []byte) {
		w := &wire{rest: data}
		for len(w.rest) >= 8 && int(binary.NativeEndian.Uint32(w.rest[4:])>>16) <= len(w.rest) {
			e, err := w.next()
			if err != nil {
				return
			}
			e.word()
			e.text()
			e.word()
		}
	})
}

// compositor answers one client as sway does, with a text on the clipboard.
func compositor(t *testing.T, protocol, clipboard string) string {
	t.Helper()
	socket := filepath.Join(t.TempDir(), "wayland-0")
	listener, err := net.ListenUnix("unix", &net.UnixAddr{Name: socket, Net: "unix"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { listener.Close() })
	go func() {
		conn, err := listener.AcceptUnix()
		if err != nil {
			return
		}
		defer conn.Close()
		serve(conn, protocol, clipboard)
	}()
	return socket
}

func serve(conn *net.UnixConn, protocol, clipboard string) {
	out := &wire{conn: conn}
	var device, manager uint32
	buffer, oob := make([]byte, 4096), make([]byte, 256)
	var rest []byte
	for {
		n, oobn, _, _, err := conn.ReadMsgUnix(buffer, oob)
		if err != nil || n == 0 {
			return
		}
		rest = append(rest, buffer[:n]...)
		for len(rest) >= 8 {
			head := binary.NativeEndian.Uint32(rest[4:])
			size := int(head >> 16)
			if len(rest) < size {
				break
			}
			e := event{binary.NativeEndian.Uint32(rest), uint16(head), rest[8:size]}
			rest = rest[size:]
			switch {
			case e.object == wlDisplay && e.opcode == wlDisplayGetRegistry:
				id := e.word()
				_ = out.send(id, 0, append(append(words(1), wireText("wl_seat")...), words(7)...), nil)
				_ = out.send(id, 0, append(append(words(2), wireText(protocol)...), words(2)...), nil)
			case e.object == wlDisplay:
				_ = out.send(e.word(), 0, words(0), nil)
			case e.opcode == wlRegistryBind && e.object == 2:
				if e.word() == 2 {
					e.text()
					e.word()
					manager = e.word()
				}
			case e.object == manager && e.opcode == managerGetDevice:
				device = e.word()
				const offer = 0xff000001
				_ = out.send(device, deviceDataOffer, words(offer), nil)
				_ = out.send(offer, offerOffer, wireText("text/plain;charset=utf-8"), nil)
				_ = out.send(device, deviceSelection, words(offer), nil)
				_ = out.send(device, devicePrimary, words(0), nil)
			case e.object >= 0xff000000:
				messages, _ := syscall.ParseSocketControlMessage(oob[:oobn])
				for _, m := range messages {
					fds, _ := syscall.ParseUnixRights(&m)
					for _, fd := range fds {
						f := os.NewFile(uintptr(fd), "pipe")
						if clipboard != "" {
							_, _ = f.WriteString(clipboard)
							f.Close()
						} else {
							defer f.Close() // an owner that never writes
						}
					}
				}
			}
		}
	}
}

func TestDataControl(t *testing.T) {
	for _, protocol := range controlProtocols {
		socket := compositor(t, protocol, "grüße")
		ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
		defer cancel()
		c, err := Open(ctx, socket)
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		targets, err := c.Targets(ctx, clipboard.Clipboard)
		if diff := cmp.Diff([]string{"text/plain;charset=utf-8"}, targets); diff != "" || err != nil {
			t.Error(diff, err)
		}
		data, err := c.Read(ctx, clipboard.Clipboard, targets[0])
		if string(data) != "grüße" || err != nil {
			t.Errorf("%q %v", data, err)
		}
		if none, err := c.Targets(ctx, clipboard.Primary); none != nil || err != nil {
			t.Errorf("%v %v", none, err)
		}
	}
}

func TestDataControlGivesUp(t *testing.T) {
	socket := compositor(t, controlProtocols[0], "")
	ctx, cancel := context.WithTimeout(t.Context(), 200*time.Millisecond)
	defer cancel()
	c, err := Open(ctx, socket)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	if _, err := c.Read(ctx, clipboard.Clipboard, "text/plain;charset=utf-8"); err == nil {
		t.Error("an owner that never writes gave something")
	}
	if _, err := Open(t.Context(), compositor(t, "wl_shell", "x")); err == nil || err.Error() != noControlProvider {
		t.Errorf("a compositor without the protocol: %v", err)
	}
}
