package regex_test

import (
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/pertain-dev/pertain/internal/regex"
	"github.com/pertain-dev/pertain/internal/regex/regextest"
)

func compile(t *testing.T, pattern string, options regex.Options) *regex.Regexp {
	t.Helper()
	re, bad := regex.Compile(pattern, options)
	if bad != nil {
		t.Fatalf("%q: %s at %d", pattern, bad.Message, bad.Offset)
	}
	return re
}

func TestTruncated(t *testing.T) {
	long := strings.Repeat("é", regex.MaxText/2+10) // the cut falls between two characters
	for _, c := range []struct {
		pattern, text string
		matched       bool
		outcome       regex.Outcome
	}{
		{"z", strings.Repeat("a", regex.MaxText-1) + "z", true, regex.Ok},
		{"z", strings.Repeat("a", regex.MaxText) + "z", false, regex.Truncated},
		{"a", strings.Repeat("a", regex.MaxText) + "z", true, regex.Truncated},
		{`^é+$`, long, true, regex.Truncated},
		{`^aé+$`, "a" + long, true, regex.Truncated},         // the cut would fall into a character
		{`(?<=é)$(?<!x)`, "a" + long, true, regex.Truncated}, // the same in the other engine
	} {
		matched, outcome := compile(t, c.pattern, regex.Options{}).MatchString(c.text, regex.Limit{})
		if matched != c.matched || outcome != c.outcome {
			t.Errorf("%q: %v, outcome %d", c.pattern, matched, outcome)
		}
	}
}

// TestTimedOut does not look at the clock: these take longer than any machine
// needs for a thousandth of a second.
func TestTimedOut(t *testing.T) {
	for _, c := range []struct{ pattern, text string }{
		{`^(?:(a+)+\1)+$`, strings.Repeat("a", 100) + "b"},
		{`(.*)\1\1\1z(?!y)`, strings.Repeat("ab", 200_000) + "z"},
		{`(?=.*z).*y(?=x)`, strings.Repeat("a", 200_000) + "zy"},
		{`a.{0,900}b.{0,900}c`, strings.Repeat("aab", 200_000)},
	} {
		re := compile(t, c.pattern, regex.Options{})
		matched, outcome := re.MatchString(c.text, regex.Limit{Time: time.Millisecond})
		if matched || outcome != regex.TimedOut {
			t.Errorf("%q: %v, outcome %d", c.pattern, matched, outcome)
		}
		if start, _, outcome := re.Find(c.text, regex.Limit{Time: time.Millisecond}); start != -1 || outcome != regex.TimedOut {
			t.Errorf("%q: found at %d, outcome %d", c.pattern, start, outcome)
		}
	}
}

// TestDone: nobody waits for these any more, which no time limit would end.
func TestDone(t *testing.T) {
	done := make(chan struct{})
	close(done)
	for _, c := range []struct{ pattern, text string }{
		{`^(?:(a+)+\1)+$`, strings.Repeat("a", 100) + "b"},
		{`a.{0,900}b.{0,900}c`, strings.Repeat("aab", 200_000)},
	} {
		re := compile(t, c.pattern, regex.Options{})
		for _, limit := range []regex.Limit{{Done: done}, {Time: time.Hour, Done: done}} {
			if matched, outcome := re.MatchString(c.text, limit); matched || outcome != regex.TimedOut {
				t.Errorf("%q: %v, outcome %d", c.pattern, matched, outcome)
			}
			if start, _, outcome := re.Find(c.text, limit); start != -1 || outcome != regex.TimedOut {
				t.Errorf("%q: found at %d, outcome %d", c.pattern, start, outcome)
			}
		}
	}
}

// TestMemory runs without a time limit into the bound on memory: each round of
// the loop notes four offsets that it may have to forget again.
func TestMemory(t *testing.T) {
	re := compile(t, `^(?:(?=(a))(?=(a))(?=(a))(?=(a))a|b)*$`, regex.Options{})
	if matched, outcome := re.MatchString(strings.Repeat("a", regex.MaxText), regex.Limit{}); matched || outcome != regex.TimedOut {
		t.Errorf("%v, outcome %d", matched, outcome)
	}
	if matched, outcome := re.MatchString(strings.Repeat("a", regex.MaxText/8), regex.Limit{}); !matched || outcome != regex.Ok {
		t.Errorf("%v, outcome %d", matched, outcome)
	}
}

func TestFind(t *testing.T) {
	for _, c := range []struct {
		pattern, text string
		start, end    int
	}{
		{`b+`, "aébb", 3, 5},
		{`a|ab`, "xab", 1, 2},
		{`ab|a`, "xab", 1, 3},
		{`a*?`, "aa", 0, 0},
		{`b$`, "ab\n", 1, 2},
		{`(?<=é)b`, "éb", 2, 3},
		{`x`, "ab", -1, -1},
		{`(\w)\1`, "hello", 2, 4},
	} {
		start, end, outcome := compile(t, c.pattern, regex.Options{}).Find(c.text, regex.Limit{})
		if start != c.start || end != c.end || outcome != regex.Ok {
			t.Errorf("%q on %q: %d-%d, outcome %d, want %d-%d", c.pattern, c.text, start, end, outcome, c.start, c.end)
		}
	}
}

func TestRequired(t *testing.T) {
	for _, c := range []struct {
		pattern string
		options regex.Options
		any     string
		folded  bool
	}{
		{`\bTODO\b`, regex.Options{}, "TODO", false},
		{`\bTODO\b`, regex.Options{IgnoreCase: true}, "todo", true},
		{`(?i)Éß`, regex.Options{}, "éß", true},
		{`error|warning`, regex.Options{}, "error warning", false},
		{`(?:err|warn)ing`, regex.Options{}, "erring warning", false},
		{`foo.*barbaz`, regex.Options{}, "barbaz", false},
		{`foo\d+`, regex.Options{}, "foo", false},
		{`colou?r`, regex.Options{}, "color colour", false},
		{`gr[ae]y`, regex.Options{}, "gray grey", false},
		{`(?:abc)+x?`, regex.Options{}, "abc", false},
		{`(?:ab){2}c`, regex.Options{}, "ababc", false},
		{`(?=secret)\w+`, regex.Options{}, "", false},
		{`(?!x)unsafe(?!y)`, regex.Options{Dialect: regex.ECMAScript}, "unsafe", false},
		{`(quote)\1end`, regex.Options{}, "quote", false},
		{`\.unwrap\(\)`, regex.Options{Dialect: regex.ECMAScript}, ".unwrap()", false},
		{`a?`, regex.Options{}, "", false},
		{`foo|`, regex.Options{}, "", false},
		{`\w+`, regex.Options{}, "", false},
		{`foo|\d`, regex.Options{}, "", false},
		{`(?(?=a)abc|def)`, regex.Options{}, "abc def", false},
		{"a\uFFFDb", regex.Options{}, "a", false}, // U+FFFD may be any broken byte
	} {
		got := compile(t, c.pattern, c.options).Required()
		if strings.Join(got.Any, " ") != c.any || got.Folded != c.folded && len(got.Any) > 0 {
			t.Errorf("%q: %+v, want %q folded %v", c.pattern, got, c.any, c.folded)
		}
	}
}

// TestEnginesAgree forces expressions into the backtracking machine by a
// look-ahead that is always true, and compares.
func TestEnginesAgree(t *testing.T) {
	compared := 0
	for n := range rounds(4000) {
		dialect := regex.Dialect(n % 2)
		w := regextest.NewWriter(uint64(n), dialect)
		w.Linear = n%4 < 3
		pattern := w.Expression(3)
		options := regex.Options{Dialect: dialect, IgnoreCase: n%3 == 0}
		re, bad := regex.Compile(pattern, options)
		if bad != nil {
			continue
		}
		if strings.Contains(pattern, "(?x") {
			continue // a comment may run to the end
		}
		forced := compile(t, "(?:"+pattern+")(?=)", options)
		for range 8 {
			text := w.Text()
			compared++
			matched, _ := re.MatchString(text, regex.Limit{})
			want, _ := forced.MatchString(text, regex.Limit{})
			start, end, _ := re.Find(text, regex.Limit{})
			wantStart, wantEnd, _ := forced.Find(text, regex.Limit{})
			if matched != want || start != wantStart || end != wantEnd {
				t.Errorf("%q on %q: %v at %d-%d, backtracking %v at %d-%d", pattern, text, matched, start, end, want, wantStart, wantEnd)
			}
		}
	}
	t.Logf("%d pairs compared", compared)
}

// TestLargePatterns holds that the largest expressions an author may write are
// answered without a large machine being built from them.
func TestLargePatterns(t *testing.T) {
	var words, classes strings.Builder
	for r := rune(0x400); classes.Len() < 60_000; r++ {
		classes.WriteString(`[\w` + string(r) + `]`)
	}
	for r := rune(0x4000); words.Len() < 60_000; r++ {
		words.WriteRune(r)
	}
	nested := func(inside, end string) string {
		return strings.Repeat("(?:", 249) + inside + strings.Repeat(end, 249)
	}
	dialects := []regex.Options{{}, {IgnoreCase: true}, {Dialect: regex.ECMAScript}}
	if raceEnabled {
		dialects = dialects[2:]
	}
	for _, pattern := range []string{
		words.String(), "[" + words.String() + "](?=a)", classes.String(), nested("a", ")*") + "b", nested("a", "){9}"), nested("", "){2147483647}"),
		nested("(a)|b?", ")*?"), strings.Repeat("()", 30_000), strings.Repeat("a|", 30_000), strings.Repeat("(a|b)?", 10_000),
		strings.Repeat("(?=a)", 12_000), strings.Repeat(`(?<n>)\k<n>`, 5_000), "(?:" + strings.Repeat(`[a-\uffff]`, 6_000) + "){500}", `(?:a{0,2147483647}){2147483647}b`,
	} {
		for _, options := range dialects {
			re, bad := regex.Compile(pattern, options)
			if bad != nil {
				if !strings.Contains(bad.Message, "same name") { // which ECMAScript forbids
					t.Errorf("%.20q: %+v", pattern, *bad)
				}
				continue
			}
			re.MatchString("hello aaaab", regex.Limit{Time: 5 * time.Millisecond})
			re.Find("hello aaaab", regex.Limit{Time: 5 * time.Millisecond})
			if program, ok := re.Program(); ok && len(program.Insts) > 4096 {
				t.Errorf("%.20q: a program of %d", pattern, len(program.Insts))
			}
		}
	}
}

func TestConcurrentUse(t *testing.T) {
	patterns := []string{`\b(?:a|b)+c\d`, `(\w)\1`, `(?<=a)b(?!c)`, `[\w-]+@[\w.]+`}
	for _, pattern := range patterns {
		re := compile(t, pattern, regex.Options{IgnoreCase: true})
		var wg sync.WaitGroup
		for n := range 8 {
			wg.Go(func() {
				w := regextest.NewWriter(uint64(n), regex.DotNet)
				for range 300 {
					text := w.Text()
					matched, _ := re.MatchString(text, regex.Limit{Time: time.Minute})
					start, _, _ := re.Find(text, regex.Limit{Time: time.Minute})
					if matched != (start >= 0) {
						t.Errorf("%q on %q: match %v, found at %d", pattern, text, matched, start)
					}
				}
			})
		}
		wg.Wait()
	}
}
