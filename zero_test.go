package pertain_test

import (
	"fmt"
	"reflect"
	"testing"

	"github.com/pertain-dev/pertain"
	"github.com/pertain-dev/pertain/cond"
	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/document"
	"github.com/pertain-dev/pertain/facts"
	"github.com/pertain-dev/pertain/plan"
	"github.com/pertain-dev/pertain/rule"
	"github.com/pertain-dev/pertain/skill"
	"github.com/pertain-dev/pertain/strategy"
)

// TestZeroValues: what somebody can make without a constructor can be asked. Every
// method without arguments of every zero value answers.
func TestZeroValues(t *testing.T) {
	for _, zero := range []any{
		&pertain.Candidate{}, &pertain.Catalog{}, &pertain.Engine{}, &pertain.Execution{}, &pertain.Explanation{}, &pertain.Location{}, &pertain.Match{}, &pertain.Rulebook{},
		&cond.Evaluation{}, &cond.Expr{}, &cond.Limits{}, &cond.Program{}, &cond.Set{}, &cond.Trace{}, new(cond.Tri),
		new(diag.Code), &diag.Diagnostic{}, &diag.List{}, new(diag.Severity), &diag.Source{}, &diag.Span{},
		&document.Document{}, new(document.Kind), &document.Node{},
		&facts.CollectError{}, &facts.Element{}, new(facts.ElementType), &facts.Form{}, &facts.FormatError{}, &facts.Gatherer{}, &facts.Gathering{}, new(facts.Kind), &facts.Needs{},
		&facts.Part{}, &facts.Path{}, &facts.Snapshot{}, new(facts.States), &facts.Tree{}, &facts.Value{},
		&plan.Failure{}, &plan.Plan{}, &plan.Registry{},
		&rule.Coverage{}, &rule.Fields{}, &rule.Rule{}, &rule.Set{}, &rule.UnknownError{}, &rule.Verdict{},
		&skill.AmbiguousError{}, &skill.Library{}, &skill.Location{}, &skill.ReadError{}, &skill.Registry{}, &skill.Skill{}, &skill.UnknownError{},
		&strategy.Entry{}, &strategy.HintError{}, &strategy.Normalizer{}, &strategy.Reference{}, &strategy.Strategy{},
	} {
		value := reflect.ValueOf(zero)
		for i := range value.NumMethod() {
			name := fmt.Sprintf("%T.%s", zero, value.Type().Method(i).Name)
			if method := value.Method(i); method.Type().NumIn() == 0 {
				t.Run(name, func(t *testing.T) {
					defer func() {
						if problem := recover(); problem != nil {
							t.Errorf("it panics: %v", problem)
						}
					}()
					method.Call(nil)
				})
			}
		}
	}
	var set *rule.Set
	if _, err := set.Open("rule://x"); err == nil || set.Prompt(rule.PromptOptions{}) != "" || len(set.For([]rule.File{{Path: "/x"}}, true)) != 1 || set.Bucket(rule.Rulebook) != nil {
		t.Errorf("no rules, but %v", err)
	}
	if v := new(facts.Snapshot); !v.At(facts.Paths()[0]).IsAbsent() || v.With("clipboard.text", facts.Text("a")).Known()[0] != "clipboard.text" {
		t.Errorf("%v", v)
	}
	if at := new(document.Node).SpanOf(0, 1); at != diag.NoSpan {
		t.Errorf("a node of nothing is at %v", at)
	}
}
