package plan_test

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/facts"
	"github.com/pertain-dev/pertain/internal/discover/strategyfile"
	"github.com/pertain-dev/pertain/internal/files"
	"github.com/pertain-dev/pertain/internal/goldentest"
	"github.com/pertain-dev/pertain/plan"
	"github.com/pertain-dev/pertain/strategy"
)

var update = flag.Bool("update", false, "rewrite golden files")

// goldenRegistry has, beside Pertain's own preprocessors, some that do one thing each.
func goldenRegistry() *plan.Registry {
	fails := func(id string, err error) scripted {
		return scripted{id, func(context.Context) ([]plan.Variable, error) { return nil, err }}
	}
	object := facts.Fields(facts.Field{Name: "x", Value: facts.Num(1)}, facts.Field{Name: "y", Value: facts.Text("two\nlines")})
	return plan.Preprocessors().With(
		gives("some", plan.Variable{Name: "preprocess.some.list", Value: facts.List(facts.Text("a"), object)}, plan.Variable{Name: "preprocess.some.object", Value: object}),
		gives("again", plan.Variable{Name: "preprocess.some.list", Value: facts.Text("again")}, plan.Variable{Name: "preprocess.again", Value: facts.Text("a")}),
		gives("wild", plan.Variable{Name: "clipboard.text", Value: facts.Text("a")}),
		gives("bare", plan.Variable{Name: "preprocess", Value: facts.Text("a")}),
		gives("odd", plan.Variable{Name: "preprocess.a b", Value: facts.Text("a")}),
		gives("longer", plan.Variable{Name: "preprocessor.a", Value: facts.Text("a")}),
		gives("silent"),
		fails("error", errors.New("a secret")),
		fails("quiet", &plan.Failure{}),
		fails("told", &plan.Failure{Code: diag.TemplateTooLarge, Path: "clipboard.text", Reason: "it does not work", Remedy: "try again"}),
		fails("late", &plan.Failure{Code: diag.PreprocessorTimeout, Reason: "it is late"}),
		fails("forbidden", &plan.Failure{Code: diag.PreprocessorPermissionUnavailable, Reason: "it is forbidden"}),
		fails("lacking", fmt.Errorf("wrapped: %w", &plan.Failure{Code: diag.PreprocessorContextMissing, Reason: "it is missing"})),
		fails("unknown", &plan.Failure{Code: diag.PreprocessorNotFound, Reason: "it is not there"}),
	)
}

// TestGolden: strategies with a context, and the plans that come of them. The first line is the context, what follows a line `@@ PATH`
// another file, for `from`; the word absent=PATH=REASON says why a value is not there.
func TestGolden(t *testing.T) {
	registry := goldenRegistry()
	goldentest.Run(t, "testdata/plans.golden", *update, func(t *testing.T, c goldentest.Case) string {
		situation, text, _ := strings.Cut(c.Text, "\n")
		parts := strings.Split("\n"+text, "\n@@ ")
		tree := files.NewMemory(files.Unix)
		for _, part := range parts[1:] {
			path, other, _ := strings.Cut(part, "\n")
			tree.WriteFile(path, other)
		}
		origin := strategy.Origin{Provider: "user", Path: "a.strategy.md", Trusted: true}
		in := plan.Execution{Snapshot: snapshot(t, situation)}
		for _, word := range c.Words {
			switch key, value, _ := strings.Cut(word, "="); key {
			case "builtin":
				origin.Provider = "builtin"
			case "input":
				in.Input = value
			case "absent":
				path, reason, _ := strings.Cut(value, "=")
				in.Snapshot = facts.NewSnapshot(facts.Parts{Values: facts.Fields(), Absent: map[string]facts.Absence{path: {Code: diag.ExtraPermissionUnavailable, Provider: "desktop", Reason: reason}}})
			default:
				t.Fatalf("%s: no such word: %s", c.Head, word)
			}
		}
		n := &strategy.Normalizer{Resolvers: []strategy.Resolver{strategyfile.Resolver{Tree: tree}}}
		in.Strategy = n.Normalize(t.Context(), "/u/a.strategy.md", []byte(strings.ReplaceAll(strings.TrimPrefix(parts[0], "\n"), "<ZWSP>", "\u200b")), origin)
		var b strings.Builder
		goldentest.Tell(&b, "read: ", in.Strategy.Diagnostics)
		p, list, err := plan.Build(t.Context(), registry, in, plan.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if p != nil {
			describePlan(t, &b, p)
		}
		goldentest.Tell(&b, "", list)
		goldentest.Tell(&b, "check: ", plan.Check(in.Strategy, registry))
		needs := plan.Needs(in.Strategy, registry)
		fmt.Fprintf(&b, "needs: %q\npermissions: %q\n", needs.Names(), plan.Permissions(in.Strategy, registry))
		if own := plan.Needs(in.Strategy, nil); !slices.Equal(own.Names(), needs.Names()) {
			fmt.Fprintf(&b, "needs of Pertain's own: %q\n", own.Names())
		}
		if in.TakesInput() {
			b.WriteString("takes the input\n")
		}
		return b.String()
	})
}

// describePlan writes a plan, and holds that it is the same when it is stored and read again.
func describePlan(t *testing.T, b *strings.Builder, p *plan.Plan) {
	t.Helper()
	stored, err := json.Marshal(p)
	if err != nil {
		t.Fatal(err)
	}
	var read plan.Plan
	if err := json.Unmarshal(stored, &read); err != nil {
		t.Fatal(err)
	}
	if again, err := json.Marshal(read); err != nil || string(again) != string(stored) {
		t.Errorf("stored, read and stored again:\n%s\n%s", stored, again)
	}
	fmt.Fprintf(b, "%s\n", p.Prompt)
	var form map[string]json.RawMessage
	if err := json.Unmarshal(stored, &form); err != nil {
		t.Fatal(err)
	}
	for _, key := range []string{"id", "systemPrompt", "tools", "variables"} {
		fmt.Fprintf(b, "%s %s ", key, form[key])
	}
	fmt.Fprintf(b, "diagnostics %d\n", len(read.Diagnostics))
}
