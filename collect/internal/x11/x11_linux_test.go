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
