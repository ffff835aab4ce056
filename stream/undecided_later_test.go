package stream_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/pertain-dev/pertain/stream"
)

// TestTriedFurther: what was put off is tried from where it was left when more text has come, and not from the start again.
func TestTriedFurther(t *testing.T) {
	for _, size := range []int{800, 1200} {
		st := compile(t, `(a|b)(a|b)(a|b).*\3\2\1{9}c|(z)\4`).Stream()
		text := explosive(0, size) + "zz\n"
		if fired := st.Feed(text); len(fired) > 0 {
			t.Fatalf("the test needs what is put off: %v", fired)
		}
		if fired := st.Feed(strings.Repeat(".", 12<<10)); len(fired) != 1 {
			t.Errorf("after %d bytes it is not found before the end: %v", size, fired)
		}
	}
}

// TestWaitingGoesOn: what waits for what follows does so while the offsets after it are tried in several rounds.
func TestWaitingGoesOn(t *testing.T) {
	st := compile(t, `(x(?=[^]*y)|(a|b)(a|b)(a|b).*\4\3\2{9}c)`).Stream()
	st.Feed("x")
	for _, r := range explosive(0, 150) + "\n" + strings.Repeat(".", 4<<10) {
		if st.Feed(string(r)); !st.Pending() {
			t.Fatalf("after %d bytes nothing waits", st.Offset())
		}
	}
}

// TestEndGivesWhatIsLeft: at the end, what was put off is tried with the same part for all, and then with what the others left of theirs.
func TestEndGivesWhatIsLeft(t *testing.T) {
	patterns := append(many(15, func(i int) string { return fmt.Sprintf(`(q|w)\1r{%d}`, i+1) }), `(a|b)(a|b)(a|b).*\3\2\1{9}c|(z)\4`)
	st := compiled(t, false, patterns...).Stream()
	text := explosive(0, 800) + "zz qw" + strings.Repeat("r", 20)
	if fired := st.Feed(text); len(fired) > 0 {
		t.Fatalf("the test needs what is put off: %v", fired)
	}
	if fired := st.End(); len(fired) != 1 || fired[0].Trigger != 15 || len(st.Undecided()) > 0 {
		t.Errorf("%v, undecided %v", fired, st.Undecided())
	}
}

// TestEndSharesWhatIsLeft: what the others left at the end is for all together that need more.
func TestEndSharesWhatIsLeft(t *testing.T) {
	const quick, slow = 60, 60
	patterns := append(many(quick, func(i int) string { return fmt.Sprintf(`(q|w)\1r{%d}`, i+1) }),
		many(slow, func(i int) string { return fmt.Sprintf(`(a|b)(a|b)(a|b).*\3\2\1{%d}c`, i+9) })...)
	st := compiled(t, false, patterns...).Stream()
	st.Feed(explosive(0, 2000) + " qw" + strings.Repeat("r", quick+1))
	before := stream.AllSteps(st)
	st.End()
	_, last := stream.ShareSteps()
	if steps := stream.AllSteps(st) - before; steps < last/2 || steps > last*3/2 {
		t.Errorf("%d steps at the end, which has %d for all", steps, last)
	}
}

// TestOwnLooksShareWithNobody: of what the machine may do, others' triggers with back-references take nothing from the user's own with look-around, nor the
// other way round.
func TestOwnLooksShareWithNobody(t *testing.T) {
	tries := func(own, others int) []int64 {
		var triggers []stream.Trigger
		for i := range own {
			triggers = append(triggers, stream.Trigger{Name: fmt.Sprint("own", i), Own: true, Patterns: []string{fmt.Sprintf(`a(?=[^]*b%d)`, i)}})
		}
		for i := range others {
			triggers = append(triggers, stream.Trigger{Name: fmt.Sprint("other", i), Patterns: []string{fmt.Sprintf(`(a|b)\1c%d`, i)}})
		}
		set, problems := stream.Compile(triggers, stream.Options{})
		if len(problems) > 0 {
			t.Fatal(problems)
		}
		return stream.Tries(set)
	}
	both := tries(40, 60)
	if own := tries(40, 0); own[0] != both[0] {
		t.Errorf("one of the user's own may %d steps, and %d beside others", own[0], both[0])
	}
	if others := tries(0, 60); others[0] != both[40] {
		t.Errorf("one of others may %d steps, and %d beside the user's own", others[0], both[40])
	}
}
