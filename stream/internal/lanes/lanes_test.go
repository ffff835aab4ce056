package lanes_test

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/pertain-dev/pertain/internal/regex"
	"github.com/pertain-dev/pertain/internal/regex/syntax"
	"github.com/pertain-dev/pertain/stream/internal/lanes"
)

// maxStates is enough for all states of these tests.
const maxStates = 1 << 20

// patterns go into each kind of lane: the trie alone, one that is entered after a node
// of it, and the one that is always active.
var patterns = []string{`needle`, `ab+c`, `foo[a-z]{2,4}bar`, `[a-y]+z\d`, `\bword\b`, `^start`, `end$`}

func automaton(t *testing.T, limits lanes.Limits) *lanes.Automaton {
	t.Helper()
	plan := lanes.NewPlan()
	for i, pattern := range patterns {
		re, bad := regex.Parse(pattern, regex.Options{Dialect: regex.ECMAScript})
		if bad != nil {
			t.Fatal(pattern, bad.Message)
		}
		program, _ := re.Search()
		if !plan.Fits(program) {
			t.Fatal(pattern, "does not fit")
		}
		plan.Add(program, uint32(i))
	}
	if !plan.AddLiteral(lanes.Literal{Text: "plain", Before: true, After: true, Expression: uint32(len(patterns))}) {
		t.Fatal("the literal does not fit")
	}
	return plan.Build(limits)
}

// TestManyLeadOn: each of n parts that may be empty leads to all after it. Together they take no more than a few words for each 64 of them.
func TestManyLeadOn(t *testing.T) {
	for _, n := range []int{64, 256, 512} {
		plan := lanes.NewPlan()
		for i := range 4 {
			re, bad := regex.Parse(fmt.Sprint(`\w`, strings.Repeat(`[a-z]*`, n), `q`, i), regex.Options{Dialect: regex.ECMAScript})
			if bad != nil {
				t.Fatal(bad.Message)
			}
			program, _ := re.Search()
			plan.Add(program, uint32(i))
		}
		wordsOf := 4 * (n/64 + 2)
		lists, words := plan.Build(lanes.DefaultLimits(maxStates)).Taken()
		if lists > wordsOf || words > 3*lists*(n/64+2) {
			t.Errorf("%d parts: %d lists with %d targets", n, lists, words)
		}
	}
}

// run walks pieces and gives the expressions that matched, each once.
func run(w *lanes.Walker, found map[uint32]bool, pieces ...string) {
	for _, piece := range pieces {
		for _, n := range w.Run(piece) {
			for _, e := range append(n.Matched(), n.Matches()...) {
				found[e] = true
			}
		}
	}
}

var texts = []string{
	"", "a needle", "abbbc abc", "fooxybar", "fooxbar", "xyz1", "xyz", "a word.", "words", "start", " start",
	"the end", "the end.", "plain", "plainly", "é plain é", strings.Repeat("ab", 300) + "z9", "foofooabbar end",
}

// TestWalker compares with Go's engine, whole and cut into characters, with and without states.
func TestWalker(t *testing.T) {
	stateless := lanes.DefaultLimits(maxStates)
	stateless.Patience = lanes.Patience{Cost: -1, Bytes: 1 << 10}
	for name, limits := range map[string]lanes.Limits{"states": lanes.DefaultLimits(maxStates), "few": lanes.DefaultLimits(4 << 10), "none": stateless} {
		a := automaton(t, limits)
		for _, text := range texts {
			want := map[uint32]bool{}
			for i, pattern := range append(patterns, `\bplain\b`) {
				if regexp.MustCompile(pattern).MatchString(text) {
					want[uint32(i)] = true
				}
			}
			for _, pieces := range [][]string{{text}, strings.Split(text, "")} {
				var w lanes.Walker
				w.Reset(a)
				found := map[uint32]bool{}
				run(&w, found, pieces...)
				for _, e := range w.Finish() {
					found[e] = true
				}
				if fmt.Sprint(found) != fmt.Sprint(want) {
					t.Errorf("%s: %q in %d pieces: %v, want %v", name, text, len(pieces), found, want)
				}
			}
		}
	}
}

// TestRestore: a walker that is stored at any offset goes on as if it had not been, and
// what cannot be is refused.
func TestRestore(t *testing.T) {
	a := automaton(t, lanes.DefaultLimits(maxStates))
	text := "start fooxybar abbc word plain xyz1 end"
	for cut := range len(text) + 1 {
		var w, again lanes.Walker
		w.Reset(a)
		found := map[uint32]bool{}
		run(&w, found, text[:cut])
		if !again.Restore(a, w.Save(), int64(cut)) {
			t.Fatalf("not restored at %d", cut)
		}
		run(&again, found, text[cut:])
		for _, e := range again.Finish() {
			found[e] = true
		}
		if len(found) != len(patterns) { // all but needle
			t.Errorf("cut at %d: %v", cut, found)
		}
	}
	var w lanes.Walker
	w.Reset(a)
	good := w.Save()
	for name, list := range map[string][]lanes.Saved{
		"nothing":       nil,
		"no trie":       good[1:],
		"trie alone":    good[:1],
		"unknown lane":  append(good[:2:2], lanes.Saved{Lane: uint32(a.Lanes())}),
		"twice":         append(good[:2:2], good[1]),
		"other context": {{Lane: lanes.TrieLane, Before: 200}, good[1]},
	} {
		if w.Restore(a, list, 0) {
			t.Errorf("%s: restored", name)
		}
	}
}

// TestFits: a plan refuses what tells too many characters apart.
func TestFits(t *testing.T) {
	plan := lanes.NewPlan()
	var set []rune
	for r := rune(0); r < 1<<17; r += 2 {
		set = append(set, r, r)
	}
	program := &syntax.Program{Insts: []syntax.Inst{{Op: syntax.OpMatch}, {Op: syntax.OpSet, Set: set}}, Start: 1}
	if plan.Fits(program) {
		t.Error("a set of 65,536 ranges fits")
	}
}

// TestFitsTexts: a plan takes texts up to so many different characters, and none after that.
func TestFitsTexts(t *testing.T) {
	plan := lanes.NewPlan()
	var b strings.Builder
	for r := rune(0x4E00); b.Len() < 3*(16<<10+1); r++ {
		b.WriteRune(r)
	}
	if !plan.AddLiteral(lanes.Literal{Text: "a"}) || !plan.AddLiteral(lanes.Literal{Text: b.String()}) {
		t.Error("the first texts do not fit")
	}
	if plan.AddLiteral(lanes.Literal{Text: "b"}) {
		t.Error("one more text fits")
	}
}

// TestBoundary compares with reading the text from its start on.
func TestBoundary(t *testing.T) {
	for _, text := range []string{"", "a", "aé日😀b", "\xe2\x80", "a\xe2\x80b", "\x80\x80\x80\x80\x80\x80", "é\x80\x80", "\xf0\x9f\x98", "😀\x9f\x98é", "\xff\xc3"} {
		starts := map[int]bool{len(text): true}
		for i := range text {
			starts[i] = true
		}
		for i := range len(text) + 1 {
			if got := lanes.Boundary(text, i); got != starts[i] {
				t.Errorf("%q at %d: %v", text, i, got)
			}
		}
	}
}
