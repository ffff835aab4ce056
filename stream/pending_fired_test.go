package stream_test

import (
	"testing"

	"github.com/pertain-dev/pertain/stream"
)

// TestPendingOfTheFired: a trigger that has fired waits for no end, though another of its patterns would.
func TestPendingOfTheFired(t *testing.T) {
	for _, pattern := range []string{`(?<=x)bad$`, `(x)bad\1?$`} {
		set, list := stream.Compile([]stream.Trigger{{Name: "r", Patterns: []string{pattern, "now"}}}, stream.Options{})
		if len(list) > 0 {
			t.Fatal(list)
		}
		st := set.Stream()
		st.Feed("xbad")
		if !st.Pending() {
			t.Errorf("%s: the end would complete a match", pattern)
		}
		st.Feed(" now, xbad")
		if st.Pending() {
			t.Errorf("%s: it has fired", pattern)
		}
	}
}
