package plan_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/plan"
	"github.com/pertain-dev/pertain/strategy"
)

// TestManyUnknownPlaceholders: of placeholders that nothing fills, no more are looked for than anybody is shown.
func TestManyUnknownPlaceholders(t *testing.T) {
	var body strings.Builder
	for i := range 3 * diag.MaxPerFile {
		fmt.Fprintf(&body, "{clipboard.tx%d}", i)
	}
	s := new(strategy.Normalizer).Normalize(t.Context(), "/w/s.strategy.md", []byte("---\nname: S\n---\n"+body.String()), strategy.Origin{Provider: "user"})
	if n := len(plan.Check(s, nil)); n != diag.MaxPerFile+1 {
		t.Errorf("%d are told", n)
	}
}

// TestSharedTemplates: a template that many strategies take from one source is looked through once, and each of them is told what it would
// be told alone, where it stands.
func TestSharedTemplates(t *testing.T) {
	text := strings.Repeat("Text {clipboard.txt} and {clipbord.text} and {preprocess.x}. ", 3000)
	contents := fstest.MapFS{"SRC.md": {Data: []byte(text)}, "folded.strategy.md": {Data: []byte("---\nname: F\nsystemPrompt: >\n  a {clipboard.txt}\n  b\n---\n")}}
	n := (&strategy.Normalizer{Resolvers: []strategy.Resolver{included{contents}}}).Together()
	var list []*strategy.Strategy
	for i := range 50 {
		for _, from := range []string{"SRC.md", "folded.strategy.md"} {
			own := fmt.Sprintf("---\nname: S%d\nfrom: ./%s\ndescription: '{clipboard.txt}'\n---\n", i, from)
			list = append(list, n.Normalize(t.Context(), fmt.Sprintf("/w/s%d.strategy.md", i), []byte(own), strategy.Origin{Provider: "user", Path: "s.strategy.md"}))
		}
	}
	together := plan.NewChecks(nil)
	for _, s := range list {
		if diff := cmp.Diff(told(plan.Check(s, nil)), told(together.Check(s))); diff != "" || len(plan.Check(s, nil)) == 0 {
			t.Fatalf("%s: %s", s.Name, diff)
		}
	}
	last := list[len(list)-2]
	if n := testing.AllocsPerRun(1, func() { together.Check(last) }); n > 200 {
		t.Errorf("%v allocations for a text that is known", n)
	}
}

func told(list diag.List) []string {
	var out []string
	for _, d := range list {
		out = append(out, fmt.Sprint(d.Code, d.Message, d.Hint, d.Path, d.File(), d.Span))
	}
	return out
}

// included resolves `from` in a folder.
type included struct{ files fstest.MapFS }

func (i included) CanResolve(strategy.Reference, *diag.Source, strategy.Origin) bool { return true }

func (i included) Resolve(_ context.Context, ref strategy.Reference, _ *diag.Source, _ strategy.Origin) (strategy.Included, error) {
	data, err := i.files.ReadFile(strings.TrimPrefix(ref.Target, "./"))
	return strategy.Included{Name: "/w/" + ref.Target, Data: data}, err
}
