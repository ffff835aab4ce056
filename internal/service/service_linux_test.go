package service_test

import (
	"context"
	"encoding/binary"
	"errors"
	"io"
	"net"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/pertain-dev/pertain/internal/service"
)

// runtimeFolder is a folder as XDG_RUNTIME_DIR names one.
func runtimeFolder(t *testing.T) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "run")
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	return dir
}

func find(dir string) (service.Endpoint, error) {
	return service.Find(func(name string) string {
		if name == "XDG_RUNTIME_DIR" {
			return dir
		}
		return ""
	})
}

// TestFind: a folder that is not the user's alone is none.
func TestFind(t *testing.T) {
	good := runtimeFolder(t)
	open := runtimeFolder(t)
	if err := os.Chmod(open, 0o750); err != nil {
		t.Fatal(err)
	}
	link := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(good, link); err != nil {
		t.Fatal(err)
	}
	repository := runtimeFolder(t)
	if err := os.MkdirAll(filepath.Join(repository, ".git"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(repository, ".git/HEAD"), []byte("ref: refs/heads/main\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for name, dir := range map[string]string{
		"none": "", "relative": "run", "missing": filepath.Join(good, "missing"), "open to others": open, "a link": link, "a workspace": repository, "a file": file,
	} {
		if endpoint, err := find(dir); err == nil {
			t.Errorf("%s: there is a endpoint, %s", name, endpoint.Socket())
		}
	}
	endpoint, err := find(good)
	if err != nil || endpoint.Socket() != filepath.Join(good, "pertain/service.socket") {
		t.Errorf("%s, %v", endpoint.Socket(), err)
	}
}

// listening is a service that answers with a function until the test ends.
func listening(t *testing.T, answer func(context.Context, *service.Caller)) service.Endpoint {
	t.Helper()
	endpoint, err := find(runtimeFolder(t))
	if err != nil {
		t.Fatal(err)
	}
	listener, err := endpoint.Listen(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- listener.Serve(ctx, answer) }()
	t.Cleanup(func() {
		stop()
		if err := <-done; err != nil {
			t.Error(err)
		}
		listener.Close()
	})
	return endpoint
}

func dial(t *testing.T, endpoint service.Endpoint) *service.Conn {
	t.Helper()
	conn, err := endpoint.Dial(t.Context(), 10*time.Second)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(conn.Close)
	return conn
}

// TestSpeak: both ends hear each other, of a caller it is known which process it is, and
// a caller that leaves ends the work for it.
func TestSpeak(t *testing.T) {
	ended := make(chan bool, 1)
	endpoint := listening(t, func(ctx context.Context, c *service.Caller) {
		for {
			f, ok := c.Next(ctx)
			if !ok {
				<-ctx.Done()
				ended <- true
				return
			}
			var text string
			if err := f.Decode(&text); err != nil || c.PID != os.Getpid() || !c.SameFiles {
				text = "wrong"
			}
			_ = c.Send(f.Kind, text+text)
		}
	})
	for path, want := range map[string]os.FileMode{endpoint.Socket(): 0o600, endpoint.Folder(): 0o700} {
		if info, err := os.Lstat(path); err != nil || info.Mode().Perm() != want {
			t.Errorf("%s: %v %v", path, info.Mode(), err)
		}
	}
	conn := dial(t, endpoint)
	for _, text := range []string{"", "a", "ä\n\x00", strings.Repeat("x", 300_000)} {
		if err := conn.Send("echo", text, 10*time.Second); err != nil {
			t.Fatal(err)
		}
		f, err := conn.Receive(10 * time.Second)
		var got string
		if err != nil || f.Kind != "echo" || f.Decode(&got) != nil || got != text+text {
			t.Fatalf("%q: %q %v", text[:min(len(text), 9)], got[:min(len(got), 9)], err)
		}
	}
	if err := conn.Send("echo", strings.Repeat("x", service.MaxQuestion), time.Second); err == nil {
		t.Error("a question beyond its bound was sent")
	}
	conn.Close()
	<-ended
}

// TestBounds: what is longer than a question, or no frame, ends the connection without an
// answer, and so does who never asks.
func TestBounds(t *testing.T) {
	var asked atomic.Int64
	endpoint := listening(t, func(ctx context.Context, c *service.Caller) {
		if _, ok := c.Next(ctx); ok {
			asked.Add(1)
		}
	})
	for _, bytes := range [][]byte{
		binary.BigEndian.AppendUint32(nil, service.MaxQuestion+1),
		append(binary.BigEndian.AppendUint32(nil, 4), "none"...),
		append(binary.BigEndian.AppendUint32(nil, 2), "{}"...),
		append(binary.BigEndian.AppendUint32(nil, 9), "{}"...), // and no more
		nil,
	} {
		conn, err := (&net.Dialer{}).DialContext(t.Context(), "unix", endpoint.Socket())
		if err != nil {
			t.Fatal(err)
		}
		if _, err := conn.Write(bytes); err != nil {
			t.Fatal(err)
		}
		if n, err := conn.Read(make([]byte, 1)); n != 0 || !errors.Is(err, io.EOF) && !strings.Contains(err.Error(), "reset") {
			t.Errorf("%q: %d bytes, %v", bytes, n, err)
		}
		_ = conn.Close()
	}
	if n := asked.Load(); n != 0 {
		t.Errorf("%d of them were heard", n)
	}
}

// TestManyCallers: more commands than are answered at once are turned away, not kept.
func TestManyCallers(t *testing.T) {
	endpoint := listening(t, func(ctx context.Context, c *service.Caller) {
		if _, ok := c.Next(ctx); ok {
			_ = c.Send("heard", nil)
			<-ctx.Done()
		}
	})
	var held []*service.Conn
	turned := 0
	for range 40 {
		conn, err := endpoint.Dial(t.Context(), 10*time.Second)
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
		if conn.Send("ask", nil, 10*time.Second) == nil {
			if f, err := conn.Receive(10 * time.Second); err == nil && f.Kind == "heard" {
				held = append(held, conn)
				continue
			}
		}
		turned++
	}
	if len(held) != 16 || turned != 24 {
		t.Errorf("%d are answered, %d turned away", len(held), turned)
	}
}

// TestOneService: a second one is refused, one that was killed is replaced, and what is
// no socket stays.
func TestOneService(t *testing.T) {
	endpoint, err := find(runtimeFolder(t))
	if err != nil {
		t.Fatal(err)
	}
	first, err := endpoint.Listen(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := endpoint.Listen(t.Context()); !errors.Is(err, service.ErrTaken) {
		t.Errorf("a second one: %v", err)
	}
	first.Close()
	if _, err := os.Lstat(endpoint.Socket()); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the socket stays: %v", err)
	}
	stale, err := net.ListenUnix("unix", &net.UnixAddr{Name: endpoint.Socket(), Net: "unix"})
	if err != nil {
		t.Fatal(err)
	}
	stale.SetUnlinkOnClose(false)
	_ = stale.Close()
	second, err := endpoint.Listen(t.Context())
	if err != nil {
		t.Fatalf("over the socket of a killed one: %v", err)
	}
	second.Close()
	if err := os.WriteFile(endpoint.Socket(), []byte("mine"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := endpoint.Listen(t.Context()); err == nil {
		t.Error("a file was taken for a socket")
	}
	if text, err := os.ReadFile(endpoint.Socket()); err != nil || string(text) != "mine" {
		t.Errorf("the file is %q, %v", text, err)
	}
	if err := os.Remove(endpoint.Socket()); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(endpoint.Folder(), 0o711); err != nil {
		t.Fatal(err)
	}
	if _, err := endpoint.Listen(t.Context()); err == nil {
		t.Error("it listens in a folder that others can enter")
	}
}
