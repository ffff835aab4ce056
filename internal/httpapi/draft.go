package httpapi

import (
	"context"
	"path/filepath"
	"slices"
	"strings"

	"github.com/pertain-dev/pertain"
	"github.com/pertain-dev/pertain/cond"
	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/facts"
	"github.com/pertain-dev/pertain/plan"
	"github.com/pertain-dev/pertain/strategy"
)

// draftResolver follows the `from` of a strategy that is not saved only to what
// a saved one of the catalog has already brought in by the same `from`. It reads
// nothing: a text that somebody pasted must not choose which files are read.
type draftResolver struct {
	saved  *strategy.Strategy // what the draft was made from; nil: nothing
	target string             // what its `from` names; empty: nothing
}

func newDraftResolver(ctx context.Context, saved *strategy.Strategy) *draftResolver {
	r := &draftResolver{saved: saved}
	if saved == nil || len(saved.Includes) == 0 {
		return r
	}
	seen := &targetReader{}
	normalizer := strategy.Normalizer{Resolvers: []strategy.Resolver{seen}}
	normalizer.Normalize(ctx, saved.Source.Name(), []byte(saved.Source.Text()), strategy.Origin{Provider: "user", Path: "x.strategy.md"})
	r.target = seen.target
	return r
}

// draftOrigin is where a draft would be saved: over the strategy that it was
// made from, so that it has the same id.
func draftOrigin(saved *strategy.Strategy) strategy.Origin {
	if saved == nil {
		return strategy.Origin{Provider: "user", Path: "playground" + strategy.Suffix, Trusted: true}
	}
	return strategy.Origin{Provider: saved.Provider, Path: strings.TrimPrefix(saved.ID, saved.Provider+".") + strategy.Suffix, Trusted: true}
}

// CanResolve is always true, so that the playground's own words are shown.
func (r *draftResolver) CanResolve(strategy.Reference, *diag.Source, strategy.Origin) bool {
	return true
}

// Resolve finds what the saved strategy includes.
func (r *draftResolver) Resolve(_ context.Context, ref strategy.Reference, _ *diag.Source, _ strategy.Origin) (strategy.Included, error) {
	if r.target == "" || r.target != ref.Target {
		return strategy.Included{}, &strategy.HintError{
			Problem: "the playground reads no files, so `from` cannot be followed here",
			Hint:    "save the strategy, then load it into the playground; or paste the text itself",
		}
	}
	include := r.saved.Includes[0] // sources cannot be chained
	name := include.Name()
	return strategy.Included{Name: name, Data: []byte(include.Text()), Folder: filepath.Base(filepath.Dir(name))}, nil
}

// targetReader finds out what a `from` names and resolves nothing.
type targetReader struct{ target string }

func (r *targetReader) CanResolve(ref strategy.Reference, _ *diag.Source, _ strategy.Origin) bool {
	r.target = ref.Target
	return false
}

func (r *targetReader) Resolve(context.Context, strategy.Reference, *diag.Source, strategy.Origin) (strategy.Included, error) {
	return strategy.Included{}, nil // never asked
}

// standIn takes the place of a preprocessor that reads files or pages: its
// variables are their own names, so that the prompt shows where they will be.
type standIn struct{ info plan.Info }

func (s standIn) Info() plan.Info { return s.info }

func (s standIn) Process(context.Context, plan.Execution) ([]plan.Variable, error) {
	var out []plan.Variable
	for _, name := range s.info.Variables {
		out = append(out, plan.Variable{Name: name, Value: facts.Text("‹" + name + "›")})
	}
	return out, nil
}

// unreadable are the preprocessors that a draft does not run.
func unreadable() []string { return []string{plan.FileManagerSelection, plan.BrowserActivePage} }

// draftPlan is the prompt of a draft that is recommended; nil: it is not. unread
// are its preprocessors for which something stands in.
func draftPlan(ctx context.Context, x pertain.Explanation, snapshot *facts.Snapshot, input string) (run *pertain.Execution, unread []string, err error) {
	if x.Result != cond.True {
		return nil, nil, nil
	}
	registry := plan.Preprocessors()
	for _, id := range unreadable() {
		if info, ok := plan.BuiltinInfo(id); ok && slices.Contains(x.Strategy.Preprocessors, id) {
			registry = registry.With(standIn{info})
			unread = append(unread, id)
		}
	}
	run = &pertain.Execution{Strategy: x.Strategy, Permissions: x.Permissions}
	run.Plan, run.Diagnostics, err = plan.Build(ctx, registry, plan.Execution{Strategy: x.Strategy, Snapshot: snapshot, Input: input}, plan.Options{})
	if err == nil && run.Plan == nil && len(run.Diagnostics) > 0 {
		run.Reason = run.Diagnostics[len(run.Diagnostics)-1].Sentence()
	}
	return run, unread, err
}
