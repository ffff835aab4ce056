package visual_test

import (
	"context"
	"flag"
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/pertain-dev/pertain/facts"
	"github.com/pertain-dev/pertain/internal/goldentest"
	"github.com/pertain-dev/pertain/internal/visual"
)

var update = flag.Bool("update", false, "rewrite golden files")

// golden asks the questions of a file, which are in quotes where they hold what cannot be read.
func golden(t *testing.T, name string, answer func(question string) string) {
	t.Helper()
	goldentest.Questions(t, "testdata/"+name, *update, func(question string) string {
		if unquoted, err := strconv.Unquote(question); err == nil {
			question = unquoted
		}
		return answer(question)
	})
}

// TestQueriesAsWritten holds what is made of queries, right and wrong ones: what is
// said of mistakes, and how a query is written, compiled and run, with how many steps, on
// an index that knows nothing yet and on one that has everything.
func TestQueriesAsWritten(t *testing.T) {
	small := office(func(_ context.Context, i int) (string, bool) {
		return map[int]string{6: "an ERROR occurred", 8: "Warning"}[i], i == 6 || i == 8
	})
	large := desktop(6_000)
	knownSmall, knownLarge := fullIndex(t, small, 5), fullIndex(t, large, 40)
	trees := []struct {
		name  string
		index func() *visual.Index
	}{
		{"office", func() *visual.Index { return visual.NewIndex(small, 5, true) }},
		{"office, known", func() *visual.Index { return knownSmall }},
		{"no primary", func() *visual.Index { return visual.NewIndex(small, 13, true) }},
		{"desktop", func() *visual.Index { return visual.NewIndex(large, 40, true) }},
		{"desktop, known", func() *visual.Index { return knownLarge }},
	}
	golden(t, "queries.golden", func(question string) string {
		var b strings.Builder
		for _, sensitive := range []bool{false, true} {
			q, bad := visual.Parse(question, visual.Options{CaseSensitive: sensitive})
			if bad != nil {
				return fmt.Sprintf("! %d+%d %q: %s | %s\n", bad.Offset, bad.Length, question[bad.Offset:bad.Offset+bad.Length], bad.Message, bad.Hint)
			}
			attribute, selects := q.SelectsAttribute()
			fmt.Fprintf(&b, "= %s | %s | %v %v, text %v, primary %v, case %v, %d regexes\n  %s\n", q, q.Key(), attribute, selects, q.NeedsText(), q.NeedsPrimary(), q.CaseSensitive(), len(q.Regexes()), q.Plan())
			if sensitive {
				break
			}
			for _, tree := range trees {
				index := tree.index()
				fmt.Fprintf(&b, "  %s: %s\n", tree.name, q.Effort(index))
				if !strings.Contains(tree.name, "known") {
					for range 6 { // it may pay to know more
						q.Count(index, visual.Limits{})
					}
					fmt.Fprintf(&b, "    then %s: %s\n", index.Made(), q.Effort(index))
				}
			}
			b.WriteString(wholes(q))
		}
		return b.String()
	})
}

// wholes writes for which elements of the office that may have more below them the
// query may have missed something.
func wholes(q *visual.Query) string {
	n := office(nil).Len()
	var b strings.Builder
	b.WriteString("  not whole if cut at")
	for _, primary := range []int{-1, 5} {
		b.WriteString(" [")
		for cut := range n + 1 {
			whole := office(nil)
			elements := make([]facts.Element, n)
			for i := range elements {
				elements[i] = *whole.At(i)
				elements[i].Cut = i == cut
			}
			tree := facts.NewTree(elements, nil)
			tree.MarkPartial("it was large")
			if !q.Whole(visual.NewIndex(tree, primary, primary >= 0)) {
				fmt.Fprintf(&b, " %d", cut) // n: somewhere
			}
		}
		b.WriteString(" ]")
	}
	return b.String() + "\n"
}

// TestNeedlesAsMade holds by which bytes texts are looked for.
func TestNeedlesAsMade(t *testing.T) {
	golden(t, "needles.golden", func(text string) string {
		return visual.NeedleOf(text, false) + "\n" + visual.NeedleOf(text, true) + "\n"
	})
}

// TestBounds: no bound is changed by accident; what they decide is time alone.
func TestBounds(t *testing.T) {
	const want = "4096 256 2 4 -1 6 4 256 6"
	if got := visual.Bounds(); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}
