package stream_test

import (
	"fmt"
	"testing"

	"github.com/pertain-dev/pertain/stream"
)

// TestRepeats: what counted repeats of a stranger's triggers write out has a bound of its own. The user's own fit beside them, and so
// does what is as long as it is written.
func TestRepeats(t *testing.T) {
	var triggers []stream.Trigger
	for i := range 300 {
		triggers = append(triggers, stream.Trigger{Name: fmt.Sprint(i), Patterns: []string{fmt.Sprintf("a.{0,500}b%d", i)}})
	}
	own := len(triggers)
	for i := range 300 {
		triggers = append(triggers, stream.Trigger{Name: fmt.Sprint("own", i), Patterns: []string{fmt.Sprintf("x.{0,500}y%d;", i)}, Own: true})
	}
	plain := len(triggers)
	for i := range 5000 {
		triggers = append(triggers, stream.Trigger{Name: fmt.Sprint("plain", i), Patterns: []string{fmt.Sprintf(`\bplain[a-z]+%d\(`, i)}})
	}
	set, problems := stream.Compile(triggers, stream.Options{})
	for _, p := range problems {
		if !p.Full || p.Trigger >= own {
			t.Fatal(p)
		}
	}
	if n := len(problems); n < 200 || n > 250 {
		t.Errorf("%d of %d are refused", n, own)
	}
	fired := feed(set, "ab0 xy299; plainly4999(")
	if len(fired) != 3 || fired[0].Trigger != 0 || fired[1].Trigger != own+299 || fired[2].Trigger != plain+4999 {
		t.Errorf("fired %v", fired)
	}
}
