package cases

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/pertain-dev/pertain/strategy"
)

// TestContextIsReadOnce: a file that is the context of many cases is read once for their test file, and parsed once for a run.
func TestContextIsReadOnce(t *testing.T) {
	var b strings.Builder
	b.WriteString("context: c.yaml\ncases:\n")
	for i := range 30 {
		fmt.Fprintf(&b, "- {name: n%d, context: c.yaml, result: true}\n", i)
	}
	const text = "clipboard: {text: abc}"
	opened := 0
	n := &strategy.Normalizer{}
	s := n.Normalize(t.Context(), "/x.strategy.md", []byte("---\nname: X\n---\nx\n"), strategy.Origin{Provider: "user", Path: "x.strategy.md"})
	world := World{
		Find:   func(context.Context, string) (*strategy.Strategy, error) { return s, nil },
		Open:   func(string) ([]byte, error) { opened++; return []byte(text), nil },
		Budget: NewBudget(),
	}
	const testFiles = 3
	for i := range testFiles {
		results, err := Read(fmt.Sprintf("/%d.strategy.test.yaml", i), []byte(b.String())).Run(t.Context(), world)
		if err != nil || len(results) != 30 {
			t.Fatal(results, err)
		}
		for _, r := range results {
			if !r.Passed {
				t.Error(r)
			}
		}
	}
	if opened != testFiles {
		t.Errorf("the context was read %d times for %d test files", opened, testFiles)
	}
	if len(world.Budget.kept.layers) != 1 || world.Budget.kept.bytes != len(text) {
		t.Errorf("%d contexts are kept, of %d bytes", len(world.Budget.kept.layers), world.Budget.kept.bytes)
	}
}

// TestKeptContexts: only one text under one name is shared, and what is kept has a limit.
func TestKeptContexts(t *testing.T) {
	var k kept
	a := k.layer("a", []byte("x"))
	if a != k.layer("a", []byte("x")) || a == k.layer("a", []byte("y")) || a == k.layer("b", []byte("x")) {
		t.Error("contexts are mixed up, or read again")
	}
	large := make([]byte, maxKept)
	if l := k.layer("c", large); l.kept || l == k.layer("c", large) || k.bytes != 3 {
		t.Errorf("%d bytes are kept", k.bytes)
	}
}

// TestCodesAreComparedOnce: what one case says is wrong at most once, so the codes that follow a wrong one are not looked up.
func TestCodesAreComparedOnce(t *testing.T) {
	f := &File{}
	c := &testCase{mistake: "something", mistakeAt: 1}
	if n := testing.AllocsPerRun(10, func() { f.checkCode(c, literal{"no.code", 2}) }); n > 0 {
		t.Errorf("%v allocations for a code that nobody is told about", n)
	}
	c = &testCase{}
	f.checkCode(c, literal{"no.code", 2})
	if !strings.Contains(c.mistake, "no.code") {
		t.Errorf("%q", c.mistake)
	}
}
