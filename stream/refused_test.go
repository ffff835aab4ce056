package stream_test

import (
	"fmt"
	"testing"

	"github.com/pertain-dev/pertain/stream"
)

// TestRefusedTriggers: a repository whose expressions do not fit is not tried to its
// end, each that is not watched is told, and the user's own are watched.
func TestRefusedTriggers(t *testing.T) {
	var triggers []stream.Trigger
	for i := range 3000 {
		triggers = append(triggers, stream.Trigger{Name: fmt.Sprint(i), Patterns: []string{fmt.Sprintf(`(?<!z)[a-z3]{1,900}(?=[a-c]{1,90}q%d)`, i)}})
	}
	triggers = append(triggers, stream.Trigger{Name: "small", Patterns: []string{"small"}}, stream.Trigger{Name: "own", Patterns: []string{"unwrap"}, Own: true})
	set, problems := stream.Compile(triggers, stream.Options{})
	full := map[int]bool{}
	for _, p := range problems {
		full[p.Trigger] = full[p.Trigger] || p.Full
	}
	if !full[2999] || !full[3000] || full[3001] {
		t.Errorf("%d problems; the last %v, the small one after it %v, the user's own %v", len(problems), full[2999], full[3000], full[3001])
	}
	if found := set.Stream().Feed("x.unwrap"); len(found) != 1 || set.Trigger(found[0].Trigger).Name != "own" {
		t.Errorf("%+v", found)
	}
}
