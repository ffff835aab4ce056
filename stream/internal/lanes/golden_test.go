package lanes_test

import (
	"flag"
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/pertain-dev/pertain/internal/goldentest"
	"github.com/pertain-dev/pertain/internal/regex"
	"github.com/pertain-dev/pertain/stream/internal/lanes"
)

var update = flag.Bool("update", false, "rewrite golden files")

// TestBuiltAndWalked holds automata as they are built, and how texts are walked in them,
// step by step. A question is the options, expressions (those that begin with = are
// literals, between bars where the end of a word has to be), and texts after >. A comparison of
// answers does not see what costs time or memory alone.
func TestBuiltAndWalked(t *testing.T) {
	goldentest.Questions(t, "testdata/automata.golden", *update, func(question string) string { return built(t, strings.Split(question, " ;; ")) })
}

func built(t *testing.T, parts []string) string {
	t.Helper()
	limits, quiet, step, repeat := lanes.DefaultLimits(maxStates), false, 1, 1
	for option := range strings.FieldsSeq(parts[0]) {
		name, value, _ := strings.Cut(option, "=")
		n, _ := strconv.Atoi(value)
		switch name {
		case "states":
			limits.States = n
		case "grids":
			limits.Grids = n
		case "nfa":
			limits.Patience.Cost, limits.Patience.Bytes = -1, n
		case "patience":
			limits.Patience.Cost = int64(n)
		case "runs":
			limits.Runs[0], limits.Runs[1] = n, n
		case "repeat": // the texts but for their last words
			repeat = n
		case "quiet":
			quiet = true
		case "step":
			step = n
		}
	}
	plan, texts := lanes.NewPlan(), []string{}
	for i, part := range parts[1:] {
		if text, ok := strings.CutPrefix(part, ">"); ok {
			unquoted, err := strconv.Unquote(text)
			if err != nil {
				t.Fatal(text, err)
			}
			texts = append(texts, unquoted)
			continue
		}
		if text, ok := strings.CutPrefix(part, "="); ok {
			literal := lanes.Literal{Text: strings.Trim(text, "|"), Before: strings.HasPrefix(text, "|"), After: strings.HasSuffix(text, "|"), Expression: uint32(i)}
			if !plan.AddLiteral(literal) {
				t.Fatal(text, "does not fit")
			}
			continue
		}
		re, bad := regex.Parse(part, regex.Options{Dialect: regex.ECMAScript})
		if bad != nil {
			t.Fatal(part, bad.Message)
		}
		program, _ := re.Search()
		if !plan.Fits(program) {
			t.Fatal(part, "does not fit")
		}
		plan.Add(program, uint32(i))
	}
	a := plan.Build(limits)
	var b strings.Builder
	for _, text := range texts {
		last := strings.LastIndexByte(text, ' ') + 1
		text = strings.Repeat(text[:last], repeat) + text[last:]
		walked(t, &b, a, text, quiet, step)
	}
	if !quiet {
		b.WriteString(a.Built())
	}
	return b.String()
}

// walked writes how a text is walked, so many bytes at a time, and compares with
// walking it at once and with going on from what was saved.
func walked(t *testing.T, b *strings.Builder, a *lanes.Automaton, text string, quiet bool, step int) {
	t.Helper()
	var w, whole, saved lanes.Walker
	w.Reset(a)
	saved.Reset(a)
	fmt.Fprintf(b, "%.200q of %d bytes: begun %v\n", text, len(text), w.Begun())
	stepped, again := map[uint32]bool{}, map[uint32]bool{}
	for at := 0; at < len(text); {
		end := min(at+step, len(text))
		for !lanes.Boundary(text, end) {
			end++
		}
		for _, n := range w.Run(text[at:end]) {
			fmt.Fprintf(b, "  %d-%d: before %v, here %v\n", n.From, n.To, n.Matched(), n.Matches())
			for _, e := range append(n.Matched(), n.Matches()...) {
				stepped[e] = true
			}
		}
		run(&saved, again, text[at:end])
		if !quiet {
			fmt.Fprintf(b, "  %q: %s; begins at %d\n", text[at:end], w.Now(), w.Begin(text[:end]))
		}
		var next lanes.Walker
		if !next.Restore(a, saved.Save(), int64(end)) {
			t.Errorf("%q: not restored at %d", text, end)
		}
		saved = next
		at = end
	}
	finished := w.Finish()
	asleep, _ := w.Asleep()
	fmt.Fprintf(b, "  at the end %v, grids %d, without states %d, asleep %d; %s; begins at %d\n", finished, a.GridCount(), w.NFAs(), asleep, w.Now(), w.Begin(text))
	whole.Reset(a)
	once := map[uint32]bool{}
	run(&whole, once, text)
	if fmt.Sprint(stepped) != fmt.Sprint(once) || fmt.Sprint(stepped) != fmt.Sprint(again) || fmt.Sprint(finished) != fmt.Sprint(saved.Finish()) {
		t.Errorf("%q: step by step %v, at once %v, saved at each %v; at the end %v and %v", text, stepped, once, again, finished, saved.Finish())
	}
}

// TestUndo: what was taken back leaves nothing behind but what characters are told apart.
func TestUndo(t *testing.T) {
	plan := func(more bool) *lanes.Plan {
		p := lanes.NewPlan()
		add := func(pattern string, expression uint32) {
			re, _ := regex.Parse(pattern, regex.Options{Dialect: regex.ECMAScript})
			program, _ := re.Search()
			p.Add(program, expression)
		}
		add("one[0-9]+", 0)
		p.AddLiteral(lanes.Literal{Text: "two", Expression: 1})
		if more {
			mark := p.Mark()
			add("one[0-9]+three", 2)
			p.AddLiteral(lanes.Literal{Text: "two one", Expression: 3})
			p.Undo(mark)
		}
		return p
	}
	for _, text := range []string{"one1three", "two one", "x"} {
		var w, other lanes.Walker
		w.Reset(plan(false).Build(lanes.DefaultLimits(maxStates)))
		other.Reset(plan(true).Build(lanes.DefaultLimits(maxStates)))
		found, also := map[uint32]bool{}, map[uint32]bool{}
		run(&w, found, text)
		run(&other, also, text)
		if fmt.Sprint(found) != fmt.Sprint(also) {
			t.Errorf("%q: %v, with something taken back %v", text, found, also)
		}
	}
}

// TestBounds: no bound is changed by accident. Texts that come to one are too long for a test, or cost
// memory alone.
func TestBounds(t *testing.T) {
	const want = "alphabet 32768 1024 16384 4096; automaton 256 64 {1 16777216 262144 {4000000 4 16384} [10 16]}; begin 32768; cost 1000 40 20 4 250 4000000 4 16384 250000; gate 97252 128 [1 2 3 4 6 8 10 12 14 16 20 24 28 32 36 40 48 64] [10 16] 256 4096; grid 16777216 6 16 128 256; network [10 10 13 13 8232 8233] [48 57 65 90 95 95 97 122] 1048576; sleep 256; trie 4 0.01 0 1 4294967295; marks 2147483648 2147483648"
	if got := lanes.Bounds(); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}
