package stream_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/pertain-dev/pertain/stream"
)

// TestOwnTriggersComeFirst: a set that is full refuses what others wrote before
// what the user wrote, wherever it stands in the list.
func TestOwnTriggersComeFirst(t *testing.T) {
	var triggers []stream.Trigger
	for i := range 6 {
		var words strings.Builder
		for j := range 100_000 {
			// Spread over the alphabet, so that the words share no beginnings.
			fmt.Fprintf(&words, "|%07x%d", (j*2654435761+i)%(1<<28), i)
		}
		triggers = append(triggers, stream.Trigger{Name: fmt.Sprint("large", i), Patterns: []string{words.String()[1:]}})
	}
	var many []string
	for i := range 20_000 {
		many = append(many, fmt.Sprintf("own%d[a-z]+x", i))
	}
	triggers = append(triggers, stream.Trigger{Name: "own", Patterns: many, Own: true})
	set, problems := stream.Compile(triggers, stream.Options{})
	if len(problems) == 0 {
		t.Fatal("everything fits; the test needs more")
	}
	last := -1
	for _, p := range problems {
		if set.Trigger(p.Trigger).Own || !p.Full {
			t.Fatalf("%s: %s", set.Trigger(p.Trigger).Name, p)
		}
		if p.Trigger < last {
			t.Error("problems are not in the order of the triggers")
		}
		last = p.Trigger
	}
	if found := set.Stream().Feed("own19999abcx"); len(found) != 1 || found[0].Trigger != 6 {
		t.Errorf("fired: %v", found)
	}
}

// TestOthersDoNotUseUpTheOwnBudget: whatever a repository's triggers do, those of
// the user interrupt as often as the policy says.
func TestOthersDoNotUseUpTheOwnBudget(t *testing.T) {
	var triggers []stream.Trigger
	for i := range 1000 {
		triggers = append(triggers, stream.Trigger{Name: fmt.Sprint("noise", i), Patterns: []string{fmt.Sprintf("n%d,", i)}})
	}
	for i := range 4 {
		triggers = append(triggers, stream.Trigger{Name: fmt.Sprint("own", i), Patterns: []string{fmt.Sprintf("own%d", i)}, Own: true})
	}
	w := watch(t, stream.Policy{}, triggers...)
	for i, want := range []string{"noise0!", "noise1!", "noise2!", "noise3", "noise4"} {
		v, err := w.Feed(t.Context(), text, fmt.Sprintf(" n%d,", i))
		if got := told(t, v, err); got != want {
			t.Errorf("piece %d: %s, want %s", i, got, want)
		}
	}
	for i, want := range []string{"own0!", "own1!", "own2!", "own3"} {
		v, err := w.Feed(t.Context(), text, fmt.Sprintf(" own%d", i))
		if got := told(t, v, err); got != want {
			t.Errorf("own %d: %s, want %s", i, got, want)
		}
	}
	w.StartUserTurn()
	v, err := w.Feed(t.Context(), text, " n7,")
	if got := told(t, v, err); got != "noise7!" {
		t.Errorf("after the user spoke: %s", got)
	}
}
