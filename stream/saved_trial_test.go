package stream_test

import (
	"bytes"
	"testing"

	"github.com/pertain-dev/pertain/stream"
)

// TestRestoreTrial: what was tried reaches no further than the text; what was given up reaches one byte beyond it.
func TestRestoreTrial(t *testing.T) {
	set := compile(t, `(a+)-[^]{0,90}\1(?=c)`)
	for name, beyond := range map[string]int64{"resume": 0, "cursor": 0, "open": 0, "skip from": 0, "skip to": 1, "skips": 0} {
		for more := range int64(3) {
			st := set.Stream()
			st.Feed("aaa-...aa")
			if !stream.TrialOffsets(st, name, more) {
				t.Fatal("nothing is tried")
			}
			if _, err := set.Restore(st.Save()); (err == nil) != (more <= beyond) {
				t.Errorf("%s, %d bytes beyond: %v", name, more, err)
			}
		}
	}
}

// TestRestoreTrialFlags: what a trial waits for is saved, each part of it apart.
func TestRestoreTrialFlags(t *testing.T) {
	set := compile(t, `(a+)-[^]{0,90}\1(?=c)`)
	known := map[string]bool{}
	for flags := range 8 {
		st := set.Stream()
		st.Feed("aaa-...aa")
		stream.TrialFlags(st, flags&1 != 0, flags&2 != 0, flags&4 != 0)
		saved := st.Save()
		restored, err := set.Restore(saved)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(restored.Save(), saved) || known[string(saved)] {
			t.Errorf("with the flags %d it is saved as with others, or restored with others", flags)
		}
		known[string(saved)] = true
	}
}
