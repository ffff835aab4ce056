package stream_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/pertain-dev/pertain/stream"
)

// letters gives random small letters.
func letters(size int) string {
	random := rand.New(rand.NewPCG(1, 2))
	b := make([]byte, size)
	for i := range b {
		b[i] = byte('a' + random.IntN(26))
	}
	return string(b)
}

// lookExploding gives expressions with look-around that come to a new state with nearly every letter.
func lookExploding(i int) string {
	return fmt.Sprintf(`[a-m][^]{%d}(?=[n-z][^]{0,12}%d)`, 16+i%8, i)
}

// compiled gives a set of patterns, one trigger each.
func compiled(t *testing.T, own bool, patterns ...string) *stream.Set {
	t.Helper()
	var triggers []stream.Trigger
	for i, p := range patterns {
		triggers = append(triggers, stream.Trigger{Name: fmt.Sprint(i), Patterns: []string{p}, Own: own})
	}
	set, problems := stream.Compile(triggers, stream.Options{})
	if len(problems) > 0 {
		t.Fatal(problems[0])
	}
	return set
}

// TestLookWork: what the states of look-around take has a bound, however many expressions there are.
func TestLookWork(t *testing.T) {
	text := letters(8 << 10)
	for _, n := range []int{1, 20, 400} {
		st := compiled(t, false, many(n, lookExploding)...).Stream()
		st.Feed(text)
		st.End()
		work := stream.LookWork(st)
		if work.Met < n {
			t.Errorf("%d expressions: only %d were followed", n, work.Met)
		}
		if bound := stream.MostLookWork(n, int64(len(text))); work.Followed > bound {
			t.Errorf("%d expressions: their states took %d, more than %d", n, work.Followed, bound)
		}
		if n > 1 && work.Left < n {
			t.Errorf("%d expressions: %d are still followed", n, n-work.Left)
		}
	}
}

// TestExploreWork: what it takes to tell whether a match is certain has a bound, however many expressions there are.
func TestExploreWork(t *testing.T) {
	// Whether what follows undoes the match shows only after a dozen letters, of which there are too many.
	shape := func(i int) string { return fmt.Sprintf(`a(?![^]{0,%d}[a-m][^]{12}z%d)`, 40+i%9, i) }
	text := "a" + letters(40)
	for _, n := range []int{1, 300} {
		st := compiled(t, false, many(n, shape)...).Stream()
		if fired := st.Feed(text); len(fired) > 0 {
			t.Fatal("it fires before it is certain")
		}
		work := stream.LookWork(st)
		if work.Explored <= 0 {
			t.Errorf("%d expressions: %d was explored", n, work.Explored)
		}
		if spent := stream.SpentOnLooks(st); spent != work.Followed+work.Explored {
			t.Errorf("%d expressions: %d counts for the turn, of %+v", n, spent, work)
		}
		if bound := stream.MostLookWork(n, int64(len(text))); work.Explored > bound {
			t.Errorf("%d expressions: telling what is certain took %d, more than %d", n, work.Explored, bound)
		}
	}
}

// TestLookOwn: what a stranger's triggers take is taken from none of the user's own.
func TestLookOwn(t *testing.T) {
	var triggers []stream.Trigger
	for i, p := range many(400, lookExploding) {
		triggers = append(triggers, stream.Trigger{Name: fmt.Sprint(i), Patterns: []string{p}})
	}
	const own = 400
	triggers = append(triggers, stream.Trigger{Name: "own", Patterns: []string{`[a-m][^]{18}(?=[n-z][^]{0,12}!)`}, Own: true})
	set, _ := stream.Compile(triggers, stream.Options{})
	st := set.Stream()
	st.Feed(letters(4 << 10))
	fired := st.Feed("a" + strings.Repeat("b", 18) + "zzz!")
	if len(fired) != 1 || fired[0].Trigger != own {
		t.Errorf("fired %v, want the user's own", fired)
	}
	if len(st.Undecided()) > 0 && st.Undecided()[len(st.Undecided())-1].Trigger == own {
		t.Error("the user's own is undecided")
	}
}

// TestOrdinaryLooks: many ordinary expressions with look-around are followed as one is.
func TestOrdinaryLooks(t *testing.T) {
	shapes := []func(i int) string{
		func(i int) string { return fmt.Sprintf(`foo%d_(?!bar)`, i) },
		func(i int) string { return fmt.Sprintf(`\bvar%d\b(?=\s*==)`, i) },
		func(i int) string { return fmt.Sprintf(`(?<!\.)console%d\.log(?!ger)`, i) },
		func(i int) string {
			return fmt.Sprintf(`(?<![\w.])print%d\s*\((?!.*file\s*=)[^)]*\)(?!\s*#\s*noqa)`, i)
		},
		func(i int) string {
			return fmt.Sprintf(`(?=.*[A-Z])(?=.*\d)secret%d\s*[:=]\s*["'][A-Za-z0-9+/]{20,}["'](?!\s*//\s*ok)`, i)
		},
	}
	var text strings.Builder
	for i := range 500 {
		fmt.Fprintf(&text, "x = foo%d_bar; var%d = 1; a.console%d.logger(); print%d(file=stderr) # noqa\nsecret%d = 'abcDEFG123456789012345678901234567' // ok\n", i, i, i, i, i)
	}
	for _, shape := range shapes {
		patterns := many(500, shape)
		st := compiled(t, false, patterns...).Stream()
		if fired := st.Feed(text.String()); len(fired) > 0 {
			t.Errorf("%s fires: %v", patterns[0], fired[0])
		}
		if work := stream.LookWork(st); work.Met < 400 || work.Left > 0 {
			t.Errorf("%s: %d were followed, and %d left to the machine", patterns[0], work.Met, work.Left)
		}
	}
}

// TestLeftLate: an expression that is first met long after the start, and is too much to follow at once, is left to the machine
// at the window that is there.
func TestLeftLate(t *testing.T) {
	set := compiled(t, false, many(400, func(i int) string { return fmt.Sprintf(`q%d!(?<=[a-m][^]{%d}[n-z][^]*q%d!)(?=z)`, i, 16+i%8, i) })...)
	st := set.Stream()
	st.Feed(letters(100<<10) + " q7!")
	if work := stream.LookWork(st); work.Left != 1 {
		t.Fatalf("%d expressions were left to the machine", work.Left)
	}
	if fired := st.Feed("z"); len(fired) != 1 || fired[0].Trigger != 7 {
		t.Errorf("fired %v", fired)
	}
}

// TestManyCandidates: of expressions that may end a match with nearly every character, thousands of them, what is looked at has a
// bound; what is not is told, and is the same however the text is cut and the stream saved.
func TestManyCandidates(t *testing.T) {
	patterns := many(3000, func(i int) string { return fmt.Sprintf(`[a-m](?=[n-z]%d)`, i) })
	var triggers []stream.Trigger
	for i, p := range patterns {
		triggers = append(triggers, stream.Trigger{Name: fmt.Sprint(i), Patterns: []string{p}})
	}
	const own = 3000
	triggers = append(triggers, stream.Trigger{Name: "own", Patterns: []string{`[a-m](?=[n-z]!)`}, Own: true})
	set, _ := stream.Compile(triggers, stream.Options{})
	text := "az7." + letters(24<<10) + "az1500." // at the end it is not looked at any more
	run := func(pieces ...string) (string, int64) {
		st := set.Stream()
		var fired []stream.Firing
		for i, p := range pieces {
			fired = append(fired, st.Feed(p)...)
			if i%3 == 1 {
				restored, err := set.Restore(st.Save())
				if err != nil {
					t.Fatal(err)
				}
				st = restored
			}
		}
		fired = append(fired, st.Feed("az!")...)
		fired = append(fired, st.End()...)
		u := st.Undecided()
		if st.End(); fmt.Sprintf("%#v", st.Undecided()) != fmt.Sprintf("%#v", u) {
			t.Errorf("the end tells once more what is undecided: %#v, then %#v", u[0], st.Undecided()[0])
		}
		if end := int64(len(text) + len("az!")); len(u) > 0 && u[0].To != end {
			t.Errorf("what is not looked at ends at %d of %d", u[0].To, end)
		}
		return fmt.Sprint(fired, len(u), u[0], u[0].Starts), stream.Met(st)
	}
	whole, met := run(text)
	if want := fmt.Sprintf("[{7 3 3} {%d %d %d}] 2999 ", own, len(text)+3, len(text)+3); !strings.HasPrefix(whole, want) {
		t.Errorf("%s, want %s", whole, want)
	}
	if bound := stream.MostMet(int64(len(text)), len(patterns)); met > bound || met < bound/2 {
		t.Errorf("%d candidates, of at most %d", met, bound)
	}
	if cut, _ := run(text[:5], text[5:9000], text[9000:9001], text[9001:16000], text[16000:23000], text[23000:]); cut != whole {
		t.Errorf("in pieces %s, else %s", cut, whole)
	}
}

// TestManyCandidatesFar: what is not looked at of an expression begins where a match may start that ends at the first candidate that was
// one too many: as far before it as the window reaches.
func TestManyCandidatesFar(t *testing.T) {
	const quiet, dense, reach = 160 << 10, 24 << 10, 64 << 10
	st := compiled(t, false, many(3000, func(i int) string { return fmt.Sprintf(`a(?=z%d)`, i) })...).Stream()
	st.Feed(strings.Repeat(" ", quiet))
	st.Feed(strings.Repeat("a", dense))
	u := st.Undecided()
	if len(u) != 3000 {
		t.Fatalf("%d expressions are undecided", len(u))
	}
	for _, u := range u {
		if u.From < quiet-reach || u.From > quiet+dense-reach {
			t.Fatalf("%+v", u)
		}
	}
}

// TestLooksThatHaveFired: what has fired is not looked at in the rest of a piece, and what is tried with each character needs no candidates.
func TestLooksThatHaveFired(t *testing.T) {
	set, problems := stream.Compile([]stream.Trigger{{Patterns: []string{`a`, `a(?=b)`}}}, stream.Options{})
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	st := set.Stream()
	if fired := st.Feed(strings.Repeat("a", 10_000)); len(fired) != 1 || stream.Met(st) > 300 {
		t.Errorf("%v, and %d candidates", fired, stream.Met(st))
	}
	st = compiled(t, false, `key(?:[a-z]{90}){90}`).Stream()
	if st.Feed(strings.Repeat("key ", 1000)); stream.Met(st) > 100 {
		t.Errorf("%d candidates of what is tried all the time", stream.Met(st))
	}
}

// TestMoveSteps: what is tried when the window moves has a bound for all expressions together, though what starts at one offset may take long.
func TestMoveSteps(t *testing.T) {
	st := compiled(t, false, many(200, func(i int) string { return fmt.Sprintf(`(a|b)(a|b)(a|b).*\3\2\1{%d}c`, i+1) })...).Stream()
	text := explosive(0, 104<<10)
	st.Feed(text[:40<<10])
	before := stream.AllSteps(st)
	st.Feed(text[40<<10:])
	if steps, most := stream.AllSteps(st)-before, stream.MostMoveSteps(64<<10, 2); steps > most {
		t.Errorf("%d steps, more than %d", steps, most)
	}
}

// TestLeftOver: at the end, an expression has what the others of its group have left, beside its own part.
func TestLeftOver(t *testing.T) {
	pattern := func(letter string) string { return strings.ReplaceAll(`(a+)(a+)\1(a+)\2b|(a)\4$`, "a", letter) }
	patterns, text := []string{pattern("a")}, ""
	for letter := 'à'; letter < 'à'+60; letter++ {
		patterns, text = append(patterns, pattern(string(letter))), text+string(letter)+string(letter)+" "
	}
	st := compile(t, patterns...).Stream()
	st.Feed(text + strings.Repeat("a", 54) + ".")
	if st.End(); len(st.Undecided()) > 0 {
		t.Errorf("undecided: %v", st.Undecided())
	}
}

// TestLookSteps: what was put off has one share of steps where the window moves, and a larger one at the end, when it is the last.
func TestLookSteps(t *testing.T) {
	st := compiled(t, false, many(200, func(i int) string { return fmt.Sprintf(`(a|b)(a|b)(a|b).*\3\2\1{%d}c`, i+1) })...).Stream()
	text := explosive(0, 40<<10)
	st.Feed(text[:31<<10])
	move, last := stream.ShareSteps()
	before := stream.AllSteps(st)
	st.Feed(text[31<<10 : 33<<10])
	if steps := stream.AllSteps(st) - before; steps < move*9/10 || steps > move*11/10 {
		t.Errorf("%d steps where the window moves, of %d", steps, move)
	}
	before = stream.AllSteps(st)
	st.End()
	if steps := stream.AllSteps(st) - before; steps < last*9/10 || steps > last*11/10 {
		t.Errorf("%d steps at the end, of %d", steps, last)
	}
}
