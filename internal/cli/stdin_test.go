package cli

import (
	"bytes"
	"context"
	"io"
	"os"
	"strings"
	"testing"
	"time"
)

// TestSilentPipe proves that a pipe that says nothing is announced, and counts as
// empty in the end; one that has begun is read to its end.
func TestSilentPipe(t *testing.T) {
	in, out := io.Pipe()
	defer out.Close()
	var stderr bytes.Buffer
	a := &app{call: Invocation{Stdin: in, Stderr: &stderr}}
	text, some, err := a.piped(t.Context(), patience{announce: time.Millisecond, giveUp: 20 * time.Millisecond})
	if text != "" || some || err != nil || strings.Count(stderr.String(), "waiting for the text") != 1 {
		t.Errorf("%q %v %v: %s", text, some, err, stderr.String())
	}

	in, out = io.Pipe()
	began := make(chan struct{})
	go func() {
		_, _ = out.Write([]byte("first "))
		<-began
		_, _ = out.Write([]byte("and last\xff"))
		out.Close()
	}()
	a.call.Stdin = &noticed{in, began}
	text, some, err = a.piped(t.Context(), patience{announce: time.Hour, giveUp: time.Hour})
	if text != "first and last\uFFFD" || !some || err != nil {
		t.Errorf("%q %v %v", text, some, err)
	}

	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	in, _ = io.Pipe()
	a.call.Stdin = in
	if _, _, err := a.piped(ctx, usualPatience); err == nil {
		t.Error("who has gone is waited for")
	}
}

// noticed tells when it was read for the second time.
type noticed struct {
	io.Reader
	again chan struct{}
}

func (n *noticed) Read(p []byte) (int, error) {
	read, err := n.Reader.Read(p)
	if n.again != nil {
		close(n.again)
		n.again = nil
	}
	return read, err
}

// TestIsPiped tells pipes and files with something in them from devices.
func TestIsPiped(t *testing.T) {
	null, err := os.Open(os.DevNull)
	if err != nil {
		t.Fatal(err)
	}
	defer null.Close()
	in, out, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	defer out.Close()
	file, err := os.CreateTemp(t.TempDir(), "x")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	is := func(f *os.File) bool { return (&app{call: Invocation{Stdin: f}}).isPiped() }
	if is(null) || !is(in) || is(file) {
		t.Errorf("null %v, pipe %v, empty file %v", is(null), is(in), is(file))
	}
	if _, err := file.WriteString("x"); err != nil || is(file) {
		t.Errorf("a file that was read to its end counts: %v", err)
	}
	if _, err := file.Seek(0, io.SeekStart); err != nil || !is(file) {
		t.Errorf("a file with something in it does not count: %v", err)
	}
}
