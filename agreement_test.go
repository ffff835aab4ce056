package pertain_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/pertain-dev/pertain"
	"github.com/pertain-dev/pertain/cond"
	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/facts"
)

// slowStrategies have expressions that all run into their own limit; of `late` so many that its time is over before the end, however
// slow the machine is.
func slowStrategies(t *testing.T) (folder, *facts.Snapshot) {
	slow := func(first, last int) string {
		var conditions []string
		for i := first; i <= last; i++ {
			conditions = append(conditions, fmt.Sprintf(`{attachments.text: {regex: '^(?:(a+)+\1)+x{0,%d}$'}}`, i))
		}
		return strings.Join(conditions, ", ")
	}
	file := func(limit, when string) string {
		return "---\nname: x\noptions: {regexTimeout: 30ms, conditionTimeout: 10s, matchingTimeout: " + limit + "}\nwhen: " + when + "\n---\nx\n"
	}
	f := newFolder(t, map[string]string{
		"late.strategy.md":   file("150ms", "{any: ["+slow(1, 7)+", true]}"),
		"none.strategy.md":   file("20s", "{none: ["+slow(1, 1)+"]}"),
		"before.strategy.md": file("150ms", "{any: [true, "+slow(1, 7)+"]}"),
	})
	text := strings.Repeat("a", 100) + "c"
	return f, facts.NewSnapshot(facts.Parts{Values: facts.Fields()}).With("attachments.text", facts.Text(text))
}

// TestAllAgreesWhenTimeIsOver: with or without --all, by the index or without, and in explain, a strategy whose time is over is the
// same one, its neighbours take nothing from it and give it nothing, and it says how long it took.
func TestAllAgreesWhenTimeIsOver(t *testing.T) {
	if testing.Short() {
		t.Skip("runs into time limits")
	}
	f, snapshot := slowStrategies(t)
	engine := open(t, f.options())
	for _, how := range []string{"walking", "by the index"} {
		for _, all := range []bool{false, true} {
			m, err := engine.Match(context.Background(), snapshot, pertain.MatchOptions{All: all})
			if err != nil {
				t.Fatal(err)
			}
			results := map[string]cond.Tri{"user.late": cond.Null, "user.none": cond.Null}
			for _, c := range m.Candidates {
				results[c.Strategy.ID] = c.Result
				late := slices.ContainsFunc(c.Diagnostics, func(d diag.Diagnostic) bool { return d.Code == diag.StrategyTimeout })
				if late != (c.Strategy.ID == "user.late") {
					t.Errorf("%s, all %v: %s: %v", how, all, c.Strategy.ID, c.Diagnostics)
				}
				if least := map[string]time.Duration{"user.late": 150 * time.Millisecond, "user.none": 30 * time.Millisecond}[c.Strategy.ID]; how == "walking" && c.Duration < least {
					t.Errorf("%s, all %v: %s took %s", how, all, c.Strategy.ID, c.Duration)
				}
			}
			want := map[string]cond.Tri{"user.before": cond.True, "user.late": cond.Null, "user.none": cond.Null}
			if fmt.Sprint(results) != fmt.Sprint(want) {
				t.Errorf("%s, all %v: %v", how, all, results)
			}
		}
		engine.Catalog().Prepare()
	}
	for id, want := range map[string]cond.Tri{"user.late": cond.Null, "user.before": cond.True} {
		if x, _ := engine.Explain(id, snapshot, pertain.ExplainOptions{}); x.Result != want || x.Tree.Result != want {
			t.Errorf("explain %s: %s, tree %s", id, x.Result, x.Tree.Result)
		}
	}
}

// TestIncludedPositions: what is said of an inherited part names both files (docs/reference/skills.md).
func TestIncludedPositions(t *testing.T) {
	f := newFolder(t, map[string]string{
		"base.strategy.md": "---\nname: Base\nwhen: {clipboard.text: {equals: x}}\n---\n{clipboard.text}\n",
		"own.strategy.md":  "---\nname: Own\nfrom: ./base.strategy.md\n---\n",
	})
	engine := open(t, f.options())
	snapshot := facts.NewSnapshot(facts.Parts{Values: facts.Fields()})
	names := func(what string, list diag.List, code diag.Code) {
		t.Helper()
		at := slices.IndexFunc(list, func(d diag.Diagnostic) bool { return d.Code == code && d.Strategy == "user.own" })
		if at < 0 {
			t.Errorf("%s: no %s in %v", what, code, list)
			return
		}
		d := list[at]
		if d.Source.Name() != f.path("base.strategy.md") || len(d.Related) != 1 || d.Related[0].Source.Name() != f.path("own.strategy.md") || d.Related[0].Span.Start == 0 {
			t.Errorf("%s: %+v", what, d)
		}
	}
	x, _ := engine.Explain("user.own", snapshot, pertain.ExplainOptions{})
	names("explain", x.Diagnostics, diag.ConditionPathMissing)
	m, err := engine.Match(context.Background(), snapshot, pertain.MatchOptions{All: true})
	if err != nil {
		t.Fatal(err)
	}
	names("match --all", m.Diagnostics, diag.ConditionPathMissing)
	run, _, err := engine.Plan(context.Background(), "user.own", snapshot, pertain.PlanOptions{})
	if err != nil {
		t.Fatal(err)
	}
	names("run", run.Plan.Diagnostics, diag.TemplateMissingValue)
}
