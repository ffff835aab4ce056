package stream_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/pertain-dev/pertain/stream"
)

// TestScanWork: hundreds of slow triggers in hundreds of texts end when the work of a whole scan is used up; what is not known then is
// told, and a trigger that is not slow is found in every text. Without a limit together, nothing changes.
func TestScanWork(t *testing.T) {
	const triggers, texts = 150, 400
	patterns := []string{`foo(?!bar)`}
	for i := range triggers {
		patterns = append(patterns, fmt.Sprintf(`(?=(a|aa)+b)(?<!x)(a*)*c[%d-9]?z`, i%9)+strings.Repeat("?", i%2))
	}
	set := compile(t, patterns...)
	text := strings.Repeat("a", 2000) + "xbcz foo"
	work := set.ScanWork()
	one, other := work.Scanner(set), work.Scanner(set)
	least := 128<<20 + 128*len(text)*texts // steps that a scan may take, in all
	found, undecided, first := 0, 0, 0
	for i := range texts {
		scanner := one
		if i%2 == 1 {
			scanner = other
		}
		for _, m := range scanner.Scan(text) {
			if m.Trigger == 0 {
				found++
			}
		}
		open := scanner.Undecided()
		if undecided += len(open); i == 0 {
			first = work.Spent()
		}
		for _, u := range open {
			if u.Trigger == 0 || u.Reason != stream.WorkLimit {
				t.Fatalf("text %d: %+v", i, u)
			}
		}
	}
	if spent := work.Spent(); found != texts || undecided == 0 || first*texts < 2*least || spent < least/2 || spent > least+2*first {
		t.Errorf("found in %d texts, %d undecided, %d steps of %d, the first text %d", found, undecided, spent, least, first)
	}
	if alone := set.Scanner(); len(alone.Scan(text)) == 0 || len(alone.Undecided()) > 0 {
		t.Errorf("a scanner alone: %v", alone.Undecided())
	}
}

// TestScanWorkUsedUp: when the work is used up, a trigger that has had its share is not tried where that is slow, and where a match of
// it starts is not looked for. One that has not had it is found as before, and so is each as long as a step is left.
func TestScanWorkUsedUp(t *testing.T) {
	set := compile(t, `foo(?!bar)`, `q[a-z]{6,}z`, `never`, `never again`)
	const looks, plain, other = "a foo", "so qabcdefghz", 2
	spent := func(text string) (allowed, steps int) {
		work := set.ScanWork()
		work.Scanner(set).Scan(text)
		return work.Allowed(), work.Spent()
	}
	scan := func(text string, trigger, others, own int) (stream.Match, []stream.Undecided) {
		allowed, _ := spent(text)
		share := allowed / set.Len()
		work := set.ScanWork()
		work.Spend(other, allowed-share+others)
		work.Spend(trigger, share+own)
		scanner := work.Scanner(set)
		found := scanner.Scan(text)
		if len(found) > 1 || len(found) == 1 && found[0].Trigger != trigger {
			t.Fatalf("%q: %v", text, found)
		}
		return append(found, stream.Match{Start: -1})[0], scanner.Undecided()
	}
	work := set.ScanWork()
	work.Spend(0, 1)
	if work.Spend(1, 2); work.Spent() != 3 {
		t.Errorf("1 and 2 steps are %d", work.Spent())
	}
	for _, text := range []string{looks, plain} {
		if allowed, steps := spent(text); steps <= 0 || steps > 100*len(text) || allowed <= set.ScanWork().Allowed() {
			t.Errorf("%q takes %d steps of %d", text, steps, allowed)
		}
	}
	for _, c := range []struct {
		others, own int
		over        bool
	}{{0, 0, true}, {1, 0, true}, {-1, 0, false}, {0, -1, false}, {1, -1, false}, {-1, 1, true}} {
		m, open := scan(looks, 0, c.others, c.own)
		want := "[]"
		if c.over {
			want = fmt.Sprint([]stream.Undecided{{Trigger: 0, From: 0, To: int64(len(looks)), Starts: len(looks) + 1, Reason: stream.WorkLimit}})
		}
		if fmt.Sprint(open) != want || (m.Start == 2) == c.over {
			t.Errorf("%+v: %+v, undecided %v", c, m, open)
		}
		m, open = scan(plain, 1, c.others, c.own)
		if start := map[bool]int{false: 3, true: len(plain) - 1}[c.over]; m.Start != start || m.End != len(plain) || len(open) > 0 {
			t.Errorf("%+v: %+v, undecided %v", c, m, open)
		}
	}
}

// TestScanStepsOfStarts: what it takes to say in which line a match starts counts among the steps of its expression.
func TestScanStepsOfStarts(t *testing.T) {
	set := compile(t, `x\n[^\n]*z|(a+)+\1c`)
	scanner := set.Scanner()
	text := strings.Repeat("x\n"+strings.Repeat("a", 30)+"z\n", 300)
	found := scanner.Scan(text)
	if open := scanner.Undecided(); len(found) == 0 || len(found) == 300 || len(open) != 1 || open[0].Reason != stream.WorkLimit {
		t.Errorf("%d found, undecided %v", len(found), open)
	} else if u := open[0]; u.To != int64(len(text)) || u.Starts != int(u.To-u.From)+1 { // a match may start at the end, too
		t.Errorf("of %d bytes those are undecided: %#v", len(text), u)
	}
}

// TestScanWorkOfReading: a text that is read counts by its length and by what it is read with, whatever is found in it.
func TestScanWorkOfReading(t *testing.T) {
	const size = 100_000
	spent := func(pattern string) int {
		set := compile(t, pattern)
		work := set.ScanWork()
		stream.ScanLinear(work.Scanner(set)).Scan("foo" + strings.Repeat(".", size))
		return work.Spent()
	}
	if little, much := spent(`foo(?!bar)`), spent(`foo(?!bar|x[a-z]{1600}y)`); little < 4*size || much-little < 50*size || much-little > 150*size {
		t.Errorf("%d steps, and %d with 1,600 instructions more", little, much)
	}
}

// TestScanWorkOfMatches: of two texts that are equally long that one takes more to read in which there are more matches.
func TestScanWorkOfMatches(t *testing.T) {
	set := compile(t, `f[^]{500}o(?!b)`)
	match := "f" + strings.Repeat(".", 500) + "o"
	spent := func(text string) int {
		work := set.ScanWork()
		stream.ScanLinear(work.Scanner(set)).Scan(text)
		return work.Spent()
	}
	one, all := spent(match+strings.Repeat(".", 99*len(match))), spent(strings.Repeat(match, 100))
	if all-one < 100*len(match) {
		t.Errorf("%d steps for one match, and %d for a hundred", one, all)
	}
}

// TestScanStepsUsedUp: when the steps of an expression are used up before a match is found, all places from there on are undecided, the end
// among them.
func TestScanStepsUsedUp(t *testing.T) {
	scanner := compile(t, `(a+)+\1c`).Scanner()
	text := strings.Repeat(strings.Repeat("a", 30)+" ", 300) + "abc"
	found := scanner.Scan(text)
	var last stream.Undecided
	for _, u := range scanner.Undecided() {
		if u.Reason == stream.WorkLimit {
			last = u
		}
	}
	if len(found) > 0 || last.To != int64(len(text)) || last.Starts != int(last.To-last.From)+1 {
		t.Errorf("of %d bytes: %v, undecided %#v", len(text), found, scanner.Undecided())
	}
}
