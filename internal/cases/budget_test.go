package cases_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/pertain-dev/pertain/internal/cases"
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
		"prompts":              {many("prompt: {contains: a}"), cases.Budget{Bytes: 10<<20 + 100<<10}, 5, "it and 34 more of the file were not run"},
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
