package stream_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/pertain-dev/pertain/stream"
)

// TestTurnShare: a turn with many streams takes little more than one with few, where a stranger's triggers are made to take
// long; the user's own are none the worse for it.
func TestTurnShare(t *testing.T) {
	for name, shape := range map[string]func(int) string{
		"machine": func(i int) string { return fmt.Sprintf(`(?:[a-z]+)*([a-z]+)\1(?=%d)`, i) },
		"look":    lookExploding,
	} {
		var triggers []stream.Trigger
		for i, p := range many(100, shape) {
			triggers = append(triggers, stream.Trigger{Name: fmt.Sprint(i), Patterns: []string{p}})
		}
		triggers = append(triggers, stream.Trigger{Name: "own", Patterns: []string{`([a-z])\1\1!`}, Own: true})
		set, _ := stream.Compile(triggers, stream.Options{})
		text := letters(400)
		turn := func(streams int) (tried, looked int64) {
			w, err := stream.NewWatcher(t.Context(), set, nil, stream.Policy{})
			if err != nil {
				t.Fatal(err)
			}
			w.StartTurn()
			for i := range streams {
				source := stream.Source{Kind: stream.Text, ID: fmt.Sprint(i)}
				piece := text
				if i == streams-1 {
					piece += "zzz!"
				}
				for _, part := range strings.SplitAfter(piece, "e") {
					verdict, err := w.Feed(t.Context(), source, part)
					if err != nil {
						t.Fatal(err)
					}
					if own := strings.Contains(part, "!"); own != (len(verdict.Fired) == 1) {
						t.Fatalf("%s: stream %d of %d: fired %v", name, i+1, streams, verdict.Fired)
					}
				}
				if _, err := w.End(t.Context(), source); err != nil {
					t.Fatal(err)
				}
			}
			return stream.TurnSteps(w)
		}
		const few, more = 4, 40
		fewTried, fewLooked := turn(few)
		tried, looked := turn(more)
		each, eachLooked := stream.ForText(int64(len(text)))
		if most := 2*fewTried + more*each; tried > most {
			t.Errorf("%s: %d steps in %d streams, %d in %d", name, tried, more, fewTried, few)
		}
		if most := 2*fewLooked + more*eachLooked; looked > most {
			t.Errorf("%s: work of %d in %d streams, %d in %d", name, looked, more, fewLooked, few)
		}
	}
}
