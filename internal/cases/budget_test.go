package cases_test

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/pertain-dev/pertain/internal/cases"
	"github.com/pertain-dev/pertain/internal/cputime"
	"github.com/pertain-dev/pertain/strategy"
)

// TestBudget: what all cases of a run cost together has a limit, however small each of them is written; what was not run failed.
func TestBudget(t *testing.T) {
	big := `{"clipboard": {"text": "` + strings.Repeat("a", 1<<20) + `"}}`
	many := func(each string) string {
		var b strings.Builder
		b.WriteString("context: big.json\ncases:\n")
		for i := range 40 {
			fmt.Fprintf(&b, "- {name: n%d, %s}\n", i, each)
		}
		return b.String()
	}
	for name, c := range map[string]struct {
		test   string
		budget cases.Budget
		passed int
		says   string
	}{
		"one context":          {many("result: true"), cases.Budget{Bytes: 10<<20 + 100<<10}, 10, "it and 29 more of the file were not run: the cases before have used up the 1024 MiB that one run has"},
		"laid over":            {many("context: {clipboard: {files: []}}, result: true"), cases.Budget{Bytes: 10<<20 + 100<<10}, 5, "it and 34 more of the file were not run"},
		"of their own":         {many("context: big.json, result: true"), cases.Budget{Bytes: 10<<20 + 100<<10}, 5, "it and 34 more of the file were not run"},
		"prompts":              {many("prompt: {contains: a}"), cases.Budget{Bytes: 10<<20 + 100<<10}, 3, "it and 36 more of the file were not run"},
		"looked through":       {many("prompt: {contains: [a, aa, aaa], lacks: [b, c, d]}"), cases.Budget{Bytes: 10<<20 + 100<<10}, 1, "it and 38 more of the file were not run"},
		"attached":             {strings.ReplaceAll(many("attach: ["+strings.Repeat("a,", 64)+"], result: null"), "context: big.json\n", ""), cases.Budget{Bytes: 10 * (20<<10 + 2)}, 10, "it and 29 more of the file were not run"},
		"small ones":           {strings.ReplaceAll(many("result: null"), "context: big.json\n", ""), cases.Budget{Bytes: 39 * (4<<10 + 2)}, 39, "it was not run"},
		"no time":              {many("result: true"), cases.Budget{Bytes: 1 << 30, Until: time.Unix(1, 0)}, 0, "it and 39 more of the file were not run: the cases before have used up the 5 minutes"},
		"there is enough left": {many("result: true"), cases.Budget{Bytes: 41 << 20}, 40, ""},
	} {
		w := world(t, plain)
		w.Open = func(string) ([]byte, error) { return []byte(big), nil }
		w.Budget = &c.budget
		results, err := cases.Read("/x.strategy.test.yaml", []byte(c.test)).Run(t.Context(), w)
		if err != nil {
			t.Fatal(err)
		}
		passed, failed := 0, ""
		for _, r := range results {
			if r.Passed {
				passed++
			} else {
				failed += r.Message
			}
		}
		if passed != c.passed || !strings.Contains(failed, c.says) || (failed == "") != (c.says == "") {
			t.Errorf("%s: %d passed, %q", name, passed, failed)
		}
	}
}

// TestTimeOfARun: the time of a run ends a case in the middle of an expression, whatever limits the strategy has set itself.
func TestTimeOfARun(t *testing.T) {
	const text = "---\nname: X\noptions: {matchingTimeout: 100000s, conditionTimeout: 100000s, regexTimeout: 100000s}\nwhen: {clipboard.text: {regex: '^(?:(a+)+\\1)+$'}}\n---\nx\n"
	n := &strategy.Normalizer{}
	s := n.Normalize(t.Context(), "/x.strategy.md", []byte(text), strategy.Origin{Provider: "user", Path: "x.strategy.md", Trusted: true})
	test := "context: {clipboard: {text: " + strings.Repeat("a", 100) + "b}}\ncases: [{name: a, result: null}, {name: b, result: null}]\n"
	gone, stop := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer stop()
	for name, c := range map[string]struct {
		ctx   context.Context
		until time.Time
		says  string
		fails error
	}{
		"the run's":    {t.Context(), time.Now().Add(50 * time.Millisecond), "it and 1 more of the file were not run: the cases before have used up the 5 minutes", nil},
		"the caller's": {gone, time.Time{}, "", context.DeadlineExceeded},
	} {
		w := cases.World{Find: func(context.Context, string) (*strategy.Strategy, error) { return s, nil }, Budget: &cases.Budget{Bytes: 1 << 30, Until: c.until}}
		type outcome struct {
			results []cases.Result
			err     error
		}
		ended := make(chan outcome, 1)
		go func() {
			results, err := cases.Read("/x.strategy.test.yaml", []byte(test)).Run(c.ctx, w)
			ended <- outcome{results, err}
		}()
		select {
		case o := <-ended:
			if !errors.Is(o.err, c.fails) || c.says != "" && (len(o.results) != 1 || !strings.Contains(o.results[0].Message, c.says)) {
				t.Errorf("%s: %+v", name, o)
			}
		case <-time.After(time.Minute):
			t.Fatalf("%s time does not end a case", name)
		}
	}
}

// clockwork is a processor that works for as long as it is told.
type clockwork struct{ used atomic.Int64 }

func (c *clockwork) meter(limit time.Duration) *cputime.Meter {
	return cputime.New(limit, func() time.Duration { return time.Duration(c.used.Load()) })
}

// TestShare: a file whose share is used up is put aside, and goes on with the case that it came to; each is told once, and what it
// read does not stay in memory.
func TestShare(t *testing.T) {
	const test = "cases: [{name: a, context: a, result: true}, {name: b, context: b, result: true}, {name: c, context: c, result: true}, {name: d, context: d, result: true}, {wrong: 1}]\nmore: 1\n"
	for name, c := range map[string]struct {
		shares []time.Duration // of turns, one after the other
		opened string          // contexts that were read
		passed string          // after each turn
		says   string          // at the end
	}{
		"everything":      {[]time.Duration{0}, "abcd", "abcd", ""},
		"three turns":     {[]time.Duration{2500 * time.Millisecond, 1500 * time.Millisecond, 0}, "abccdd", "ab|abc|abcd", ""},
		"nothing at once": {[]time.Duration{time.Second, 0}, "aabcd", "|abcd", ""},
		"over":            {[]time.Duration{time.Second, time.Second, time.Second, time.Second, time.Second, time.Second, time.Second, 0}, "aaaaaaaa", "|||||||", "it and 4 more of the file were not run: the cases before have used up the 8s of processor time that one run has in a workspace that is not trusted; name some of its files, or trust it with `pertain trust`"},
	} {
		work := &clockwork{}
		budget := &cases.Budget{Bytes: 1 << 30, Work: work.meter(8 * time.Second)}
		opened, passed := "", []string{}
		var progress cases.Progress
		for _, share := range c.shares {
			if progress.Done {
				break
			}
			w := world(t, plain)
			w.Budget, w.Share = budget, share
			w.Open = func(path string) ([]byte, error) {
				opened += path
				work.used.Add(int64(time.Second))
				return []byte(`{"clipboard": {"text": "a"}}`), nil
			}
			if err := cases.Read("/x.strategy.test.yaml", []byte(test)).RunOn(t.Context(), w, &progress); err != nil {
				t.Fatal(err)
			}
			names := ""
			for _, r := range progress.Results {
				if r.Passed {
					names += r.Name
				}
			}
			passed = append(passed, names)
		}
		last := progress.Results[len(progress.Results)-1]
		if want := cmp.Or(c.says, "there is no key `wrong`"); !progress.Done || opened != c.opened || strings.Join(passed, "|") != c.passed || !strings.HasPrefix(last.Message, want) {
			t.Errorf("%s: done %t, opened %s, passed %s, %q", name, progress.Done, opened, strings.Join(passed, "|"), last.Message)
		}
		if first := progress.Results[0]; first.Passed || first.Name != "" || !strings.Contains(first.Message, "`more`") {
			t.Errorf("%s: what is wrong with the file is %+v", name, first)
		}
	}
}

// TestShares: files share the first half of the work, and what one of them leaves is there for the others.
func TestShares(t *testing.T) {
	work := &clockwork{}
	budget := &cases.Budget{Work: work.meter(8 * time.Second)}
	for _, c := range []struct {
		used  time.Duration
		files int
		want  time.Duration
	}{{0, 4, time.Second}, {0, 1, 0}, {time.Second, 3, time.Second}, {time.Second, 1, 0}, {4 * time.Second, 3, -1}, {9 * time.Second, 3, -1}} {
		work.used.Store(int64(c.used))
		if got := budget.Share(c.files); got != c.want {
			t.Errorf("%s of one of %d files after %s, want %s", got, c.files, c.used, c.want)
		}
	}
	if got := (&cases.Budget{}).Share(5); got != 0 {
		t.Errorf("%s where there is no limit", got)
	}
}

// TestMatchedOnce: cases in one context are matched once, and nothing is explained where nobody asks why.
func TestMatchedOnce(t *testing.T) {
	var when, test strings.Builder
	for i := range 1000 {
		fmt.Fprintf(&when, "    - clipboard.text: {contains: x%d}\n", i)
	}
	test.WriteString("context: {clipboard: {text: " + strings.Repeat("a", 32<<10) + "}}\ncases:\n")
	for i := range 100 {
		fmt.Fprintf(&test, "- {name: n%d, result: false}\n", i)
	}
	looks := &counted{Context: t.Context()}
	w := world(t, "---\nname: X\nwhen:\n  any:\n"+when.String()+"---\n")
	w.Budget = &cases.Budget{Bytes: 1 << 30}
	results, err := cases.Read("/x.strategy.test.yaml", []byte(test.String())).Run(looks, w)
	if err != nil || len(results) != 100 || !results[99].Passed {
		t.Fatal(err, len(results), results[0])
	}
	if n := looks.n.Load(); n < 30 || n > 500 { // each time that it is matched, some thirty looks
		t.Errorf("it was looked at whoever waits %d times", n)
	}
}

// counted counts how often somebody looks whether it is over.
type counted struct {
	context.Context
	n atomic.Int64
}

func (c *counted) Err() error { c.n.Add(1); return c.Context.Err() }

// TestEffort: a test file costs what its aliases stand for, however it is read in the end.
func TestEffort(t *testing.T) {
	for text, want := range map[string]int{
		"cases: [{name: a}]\n":                       19,
		"\ufeffcases: [{name: a}]\n":                 19,
		"x: &x abc\ncases: [{name: *x, text: *x}]\n": 40 + 2*4*len("abc,"),
		"x: \xff\n": 5,
		"#" + strings.Repeat("x", cases.MaxBytes):                  cases.MaxBytes + 1,
		"x: &x " + strings.Repeat("x", 100<<10) + "\ny: [*x,*x]\n": 2*(6+100<<10+1+11) + 2*4*(100<<10+1),
	} {
		if got := cases.Read("/x.strategy.test.yaml", []byte(text)).Effort(); got != want {
			t.Errorf("%.40q: %d, want %d", text, got, want)
		}
	}
}
