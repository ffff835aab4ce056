package stream_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/pertain-dev/pertain/stream"
)

func TestScan(t *testing.T) {
	set := compile(t, `\.unwrap\(\)`, `TODO\b`, `import .* from ['"]lodash`, `foo(?!bar)`, `a+`, `^$`)
	text := "x.unwrap().unwrap() TODO\nTODOS TODO\nimport _ from 'lodash'; aaa aa\nfoobar foobaz foo\n\nz.unwrap()"
	var got []string
	for _, m := range set.Scanner().Scan(text) {
		line := 1 + strings.Count(text[:m.End], "\n")
		got = append(got, fmt.Sprintf("%d:%d:%s", m.Trigger, line, text[m.Start:m.End]))
	}
	want := []string{"0:1:.unwrap()", "4:1:a", "1:1:TODO", "1:2:TODO", "2:3:import _ from 'lodash", "4:3:a", "4:4:a", "3:4:foo", "0:6:.unwrap()", "4:6:a"}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("found %q\n want %q", got, want)
	}
}

// TestScanAgain: one scanner gives the same for each text as a new one.
func TestScanAgain(t *testing.T) {
	w := newWriter(41)
	w.modifiers, w.duplicates = true, true
	for range rounds(200) {
		var patterns []string
		for range 1 + w.IntN(8) {
			patterns = append(patterns, w.expression())
		}
		set := compileValid(patterns)
		again := set.Scanner()
		for range 4 {
			text := w.text() + w.broken() + w.text()
			got, want := again.Scan(text), set.Scanner().Scan(text)
			if fmt.Sprint(got) != fmt.Sprint(want) {
				t.Fatalf("%q on %q: %v, then %v", patterns, text, want, got)
			}
			fired := map[int]bool{}
			for _, f := range feed(set, text) {
				fired[f.Trigger] = true
			}
			found := map[int]bool{}
			for _, m := range want {
				if m.Start < 0 || m.Start > m.End || m.End > len(text) {
					t.Fatalf("%q on %q: %+v", patterns, text, m)
				}
				found[m.Trigger] = true
			}
			for i := range patterns {
				if fired[i] != found[i] {
					t.Fatalf("/%s/ on %q: fires %v, found %v", patterns[i], text, fired[i], found[i])
				}
			}
		}
	}
}

// TestScanLines: a trigger is found once in each line in which a match of it starts,
// in the order of the text.
func TestScanLines(t *testing.T) {
	todo := "fn a() { // TODO\n}\n\nfn b() { // TODO\n}\nfn c() {\n  // TODO: x\n}\n// TODO\n"
	for _, c := range []struct{ patterns, text, want string }{
		{`TODO\W`, todo, "12-17 32-37 53-58 66-71"},
		{`\s`, "a b\n \nb A", "1-2 4-5 7-8"},
		{`\W`, "\r\na\n a", "0-1 3-4 4-5"},
		{`.*`, "a\nb", "0-0 2-2"},
		{`x*`, "a\n\nb\n", "0-0 2-2 3-3 5-5"},
		{`(?m)^`, "a\n\nb\n", "0-0 2-2 3-3 5-5"},
		{`[^]*`, "", "0-0"},
		{`\s*foo`, "foo\n\n  foo\nfoo", "0-3 5-10 11-14"},
		{`\s*foo(?!x)`, "foo\n\n  foo\nfoo", "0-3 5-10 11-14"},
		{`a[^]*b`, "a\nb\nb\na b", "0-3 6-9"},
		{`(?<!z)\s`, "Abk\nab{1\nb", "3-4 8-9"},
		{`abc|b`, "abc", "1-2"},
		{`abcd|bc`, "abcd", "1-3"}, // what starts earlier ends later
		{`\Ba+`, "aa\n-aaa", "1-2 5-6"},
		// Several patterns of one trigger.
		{"bar foo", "a bar foo\nfoo bar", "2-5 10-13"},
		{`a \n`, "a\nb\na", "0-1 3-4 4-5"},
		{`foo\nx b`, "foo b\nfoo\nx", "4-5 6-11"},
	} {
		set, problems := stream.Compile([]stream.Trigger{{Patterns: strings.Split(c.patterns, " ")}}, stream.Options{})
		if len(problems) > 0 {
			t.Fatal(problems)
		}
		var got []string
		for _, m := range set.Scanner().Scan(c.text) {
			got = append(got, fmt.Sprintf("%d-%d", m.Start, m.End))
		}
		if strings.Join(got, " ") != c.want {
			t.Errorf("/%s/ on %q: %s, want %s", c.patterns, c.text, got, c.want)
		}
	}
}

// TestScanLong: matches that hold line feeds are found in a long text too, whose ends
// are too many to be kept, in one line or many, and it takes no longer than it is long.
func TestScanLong(t *testing.T) {
	set := compile(t, `q\s`, `a[^]*b`, `(?:^|\n)x*`, `(?<!q)\s`, `\W+`, `"[^"]*"`)
	for _, c := range []struct {
		text string
		want [6]int
	}{
		{strings.Repeat("q\n", 40_000), [6]int{40_000, 0, 40_000, 0, 40_000, 0}},
		{strings.Repeat("q ", 400_000), [6]int{1, 0, 1, 0, 1, 0}},
		{"a" + strings.Repeat("b", 400_000), [6]int{0, 1, 1, 0, 0, 0}},
		{"a" + strings.Repeat("b\n", 200_000), [6]int{0, 1, 200_000, 200_000, 200_000, 0}},
		{strings.Repeat("\"q\n\" \n", 20_000), [6]int{20_000, 0, 40_000, 20_000, 40_000, 20_000}},
	} {
		var got [6]int
		scanner := set.Scanner()
		last := -1
		for _, m := range scanner.Scan(c.text) {
			got[m.Trigger]++
			if m.Start < last {
				t.Fatalf("%q…: %+v comes after %d", c.text[:6], m, last)
			}
			last = m.Start
		}
		if got != c.want || len(scanner.Undecided()) > 0 {
			t.Errorf("%q…: found %v, want %v; undecided %v", c.text[:6], got, c.want, scanner.Undecided())
		}
	}
}
