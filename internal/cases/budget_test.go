package cases_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/pertain-dev/pertain/internal/cases"
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
		w := cases.World{Find: func(string) (*strategy.Strategy, error) { return s, nil }, Budget: &cases.Budget{Bytes: 1 << 30, Until: c.until}}
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
