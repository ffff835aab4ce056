package stream_test

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/pertain-dev/pertain/internal/regex"
	"github.com/pertain-dev/pertain/stream"
)

// TestBegin holds what is told, for texts that are cut after every byte: what is held
// back of each prefix.
func TestBegin(t *testing.T) {
	for _, tt := range []struct{ pattern, text, held string }{
		{"eval", "an evaluation", "|||e|ev|eva|fired"},
		{"eval", "e e ev even", "e||e||e|ev||e|ev|e|"},
		{`console\.log\(`, "a con.c", "||c|co|con||c"},
		{`\w+\.unwrap`, "let a.un b", "l|e|t||a|a.|a.u|a.un||b"},
		{"a+b", "xaaax", "|a|a|a|"},
		{".*foo", "one\ntwo", "||||||"},
		{`\bfoo\b`, "a foot foo", "||f|fo|foo|||f|fo|foo"},
		{`foo(?=bar)`, "a foob fo", "||f|fo|foo|foob||f|fo"},
		{`(["'])x\1`, `a "x" b`, "||\"|\"x|fired"},
		{`héé+l`, "hé hé", "h|h\xc3|hé||h|h\xc3|hé"},
		{"^(?!.*x)", "ab", "a|ab"},
	} {
		set, problems := stream.Compile([]stream.Trigger{{Name: "r", Patterns: []string{tt.pattern}}}, stream.Options{})
		if len(problems) > 0 {
			t.Fatal(problems)
		}
		st := set.Stream()
		var held []string
		for i := range len(tt.text) {
			if len(st.Feed(tt.text[i:i+1])) > 0 {
				held = append(held, "fired")
				break
			}
			held = append(held, tt.text[:i+1][st.Begin(tt.text[:i+1]):])
		}
		if got := strings.Join(held, "|"); got != tt.held {
			t.Errorf("%s %q: %q, not %q", tt.pattern, tt.text, got, tt.held)
		}
	}
}

// TestBeginIsEarly holds that no match starts before what was told at any cut, for
// random expressions, texts and cuts, with states and without.
func TestBeginIsEarly(t *testing.T) {
	fired, held := 0, 0
	for seed := range uint64(rounds(8000)) {
		w := newWriter(seed)
		w.linear = seed%2 == 0
		pattern := w.branches(3)
		re, bad := regex.Parse(pattern, regex.Options{Dialect: regex.ECMAScript})
		if bad != nil {
			continue
		}
		set, problems := stream.Compile([]stream.Trigger{{Name: "r", Patterns: []string{re.String()}}}, stream.Options{Documented: true})
		if len(problems) > 0 {
			continue
		}
		if seed%3 == 0 {
			stream.ForceNFA(set, 8)
		}
		text := w.text() + w.text()
		if seed%5 == 0 {
			text = strings.ToValidUTF8(w.broken(), "x")
		}
		st, at, told := set.Stream(), 0, 0
		var found []stream.Firing
		for _, piece := range w.pieces(text) {
			if found = append(found, st.Feed(piece)...); len(found) > 0 {
				break
			}
			at += len(piece)
			from := max(told-w.IntN(4), 0) // a host has what was not passed on, and perhaps more
			for !utf8.RuneStart(text[from]) {
				from--
			}
			tail := text[from:at]
			now := at - len(tail) + st.Begin(tail)
			if now < told {
				t.Fatalf("%q in %q: %d after %d", pattern, text, now, told)
			}
			if told = now; told < at {
				held++
			}
		}
		if len(found) == 0 {
			found = append(found, st.End()...)
		}
		if len(found) == 0 {
			continue
		}
		fired++
		if last := lastStart(t, pattern, text, found[0].Offset); last >= 0 && last < told {
			t.Errorf("%q in %q: the last match starts at %d and was told to be at %d or later", pattern, text, last, told)
		}
	}
	if fired < 100 || held < 100 {
		t.Errorf("%d fired, %d were held", fired, held)
	}
}

// TestBeginKeeps: what was kept of an earlier look tells what a new one would, however much of it is kept.
func TestBeginKeeps(t *testing.T) {
	moved := 0
	for seed := range uint64(rounds(2000)) {
		w := newWriter(seed)
		patterns := []string{w.branches(3), w.branches(2), "a[^\n]*zq"}
		var streams []*stream.Stream
		for _, kept := range []int{1 << 20, 0, 200, 2000} {
			set, _ := stream.Compile([]stream.Trigger{{Name: "r", Patterns: patterns}}, stream.Options{Documented: true})
			stream.NoPasts(set, kept)
			streams = append(streams, set.Stream())
		}
		text, at, last := w.text()+w.text(), 0, -1
		for _, piece := range w.pieces(text) {
			at += len(piece)
			var begins []int
			for _, st := range streams {
				st.Feed(piece)
				begins = append(begins, st.Begin(text[:at]))
			}
			for _, begin := range begins[1:] {
				if begin != begins[0] {
					t.Fatalf("%q in %q: %d", patterns, text[:at], begins)
				}
			}
			if begins[0] != last && begins[0] < at {
				moved++
			}
			last = begins[0]
		}
	}
	if moved < 100 {
		t.Errorf("%d times a match was under way", moved)
	}
}

// lastStart is the last offset at which a match of an expression starts that has ended at
// an offset; -1 if none is found.
func lastStart(t *testing.T, pattern, text string, end int64) int {
	t.Helper()
	for at := int(end); at >= 0; at-- {
		if at < len(text) && !utf8.RuneStart(text[at]) {
			continue
		}
		from, to := utf8.RuneCountInString(text[:at]), utf8.RuneCountInString(text[:end])
		re, bad := regex.Parse(fmt.Sprintf(`(?<=^[^]{%d})(?:%s)(?<=^[^]{0,%d})`, from, pattern, to), regex.Options{Dialect: regex.ECMAScript})
		if bad != nil {
			t.Fatal(bad)
		}
		if re.Prefix().Search(text, 0, regex.Known{End: true}, regex.Steps{Start: 1 << 20, All: 1 << 22}, nil).Matched {
			return at
		}
	}
	return -1
}

// TestBeginOnce: who asks for the first time is told no earlier offset than needed, though an expression was tried before it.
func TestBeginOnce(t *testing.T) {
	st := compile(t, `(["'])x\1`).Stream()
	const said = `so "x' b`
	if found := st.Feed(said); len(found) > 0 {
		t.Fatal(found)
	}
	if held := said[st.Begin(said):]; held != `"x' b` {
		t.Errorf("held back: %s", held)
	}
}

// TestBeginDisabled: where triggers are disabled nothing is held back.
func TestBeginDisabled(t *testing.T) {
	set := compile(t, "foobar")
	for disabled, want := range map[bool]int{true: 5, false: 2} {
		w, err := stream.NewWatcher(t.Context(), set, nil, stream.Policy{})
		if err != nil {
			t.Fatal(err)
		}
		w.StartTurn()
		if _, err := w.Feed(t.Context(), text, "a foo"); err != nil {
			t.Fatal(err)
		}
		saved := w.Save()
		if w, err = stream.NewWatcher(t.Context(), set, nil, stream.Policy{Disabled: disabled}); err != nil {
			t.Fatal(err)
		}
		if err := w.Restore(saved); err != nil {
			t.Fatal(err)
		}
		if got := w.Begin(text, "a foo"); got != want {
			t.Errorf("disabled %v: from %d on", disabled, got)
		}
	}
}
