package x11

import "testing"

func TestLocalDisplay(t *testing.T) {
	for display, want := range map[string]bool{
		":0": true, ":12.1": true, "unix:0": true, "/tmp/launch/org.xquartz:0": true,
		"": false, "localhost:10.0": false, "other.example:0": false, "tcp/other:0": false, "0": false,
	} {
		if got := IsLocal(display); got != want {
			t.Errorf("%q: %v", display, got)
		}
	}
}

// TestDialNothing: what names no display is refused before the library takes it apart, which panics at some.
func TestDialNothing(t *testing.T) {
	for _, display := range []string{
		"unix:/x", "unix:/tmp/q", "unix:/tmp/q.1", "unix:", "unix:a", "unix:/", ":", ":/", "::0", ":tcp/host:0", ":0.", ":0.a", ":-1", ":+1", ":0/1",
		"/", "/a", "/a:", "/:/", "unix:host:0", "", ":1e3", ":70000",
	} {
		if conn, err := Dial(display); err == nil {
			conn.conn.Close()
			t.Errorf("%q is a display", display)
		}
	}
	for display, want := range map[string]bool{":0": true, ":0.1": true, "unix:3": true, "/tmp/launch/org.xquartz:0": true, ":tcp/host:0": false, "a:0": false} {
		if got := isWell(display); got != want {
			t.Errorf("%q: %v", display, got)
		}
	}
}
