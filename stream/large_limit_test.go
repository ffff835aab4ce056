package stream_test

import (
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/pertain-dev/pertain/stream"
)

// TestWhatFitsFires: of expressions that fill a set, of each kind, those that do not fit are told of, and all others fire.
func TestWhatFitsFires(t *testing.T) {
	long := strings.Repeat("x", 15<<10)
	for _, c := range []struct{ name, pattern, text string }{
		{"with look-around", `(?:` + long + `|q)%d;(?=!)`, "q%d;!"},
		{"with a back-reference", `(?:` + long + `|(q)\1)%d;`, "qq%d;"},
		{"decided early", `(?:[` + long + `]|q%d;)(?:$|[^])`, "q%d;!"},
		{"of alternatives", strings.Repeat(long+`(?!z)|`, 2) + `q%d;(?=!)`, "q%d;!"},
	} {
		var triggers []stream.Trigger
		for i := range 45 {
			triggers = append(triggers, stream.Trigger{Name: fmt.Sprint(i), Patterns: []string{fmt.Sprintf(c.pattern, i)}})
		}
		set, problems := stream.Compile(triggers, stream.Options{})
		full := map[int]bool{}
		for _, p := range problems {
			if !p.Full {
				t.Fatal(p)
			}
			full[p.Trigger] = true
		}
		if len(full) < 5 || full[9] {
			t.Errorf("%s: %d of %d do not fit", c.name, len(full), len(triggers))
		}
		for i := range triggers {
			if found := feed(set, fmt.Sprintf(c.text, i)); (len(found) == 1) == full[i] {
				t.Errorf("%s: trigger %d, which does not fit: %v, has fired: %v", c.name, i, full[i], found)
			}
		}
	}
}

// TestLongIsDecidedApart: the alternatives of a pattern of more than 16 KiB are decided each on its own, however few instructions it has.
func TestLongIsDecidedApart(t *testing.T) {
	class := "[" + strings.Repeat("b-df-h", 1000) + "]"
	for _, c := range []struct {
		classes int
		want    string
	}{{2, "[{0 2 2}]"}, {3, "[{0 3 3}]"}} {
		pattern := `a$|a[^]` + strings.Repeat("|"+class+"=", c.classes)
		if got := fmt.Sprint(feed(compile(t, pattern), "xa", "?")); got != c.want {
			t.Errorf("of %d bytes: %s, want %s", len(pattern), got, c.want)
		}
	}
}

// TestManyClasses: beyond a number of classes of characters that the automaton tells apart, expressions are left to the backtracking
// machine, and fire as before.
func TestManyClasses(t *testing.T) {
	for n, want := range map[int]bool{1000: false, 1200: true} {
		set := compile(t, many(n, func(i int) string { return fmt.Sprintf(`[a%c]q`, 0x4E00+i) })...)
		if set.LooksAround() != want {
			t.Errorf("of %d classes, something is left to the machine: %v", n, !want)
		}
		for _, i := range []int{0, n / 2, n - 1} {
			if got := feed(set, fmt.Sprintf("%cq", 0x4E00+i)); len(got) != 1 || got[0].Trigger != i {
				t.Errorf("class %d of %d: %v", i, n, got)
			}
		}
	}
}

// TestAlternativesThatRepeat: of alternatives that are far too large together no more are made than fit.
func TestAlternativesThatRepeat(t *testing.T) {
	all := many(30_000, func(i int) string { return fmt.Sprintf(`(?:[a-z]{60}){50}%d`, i) })
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	_, problems := stream.Compile([]stream.Trigger{{Patterns: []string{strings.Join(all, "|")}, Own: true}}, stream.Options{})
	runtime.ReadMemStats(&after)
	if len(problems) != 1 || !problems[0].Full {
		t.Error(problems)
	}
	if used := (after.TotalAlloc - before.TotalAlloc) >> 20; used > 1024 {
		t.Errorf("%d MiB were used", used)
	}
}
