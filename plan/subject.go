package plan

import (
	"slices"

	"github.com/pertain-dev/pertain/cond"
	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/facts"
	"github.com/pertain-dev/pertain/strategy"
)

// modalities is what the model that is asked can read: no part of what a strategy is about, and not known in a terminal.
const modalities = "assistant.model.modalities"

// namesNothing tells of a strategy of Pertain's own whose text has nothing of the context in it, since no text could hold it: what
// it is about, an image, is what its condition asks for.
func namesNothing(s *strategy.Strategy) bool {
	return s.Provider == "builtin" && s.Program != nil && len(s.Preprocessors) == 0 &&
		!slices.ContainsFunc(parseTemplate(s.Body).parts, func(p part) bool { return p.holder && p.text != argument })
}

// lacksSubject tells of such a strategy without what it is about: a model would describe what it imagines.
func (b *builder) lacksSubject() bool {
	s := b.in.Strategy
	if !namesNothing(s) {
		return false
	}
	all := facts.List(facts.Text("text"), facts.Text("image"), facts.Text("audio"), facts.Text("video"))
	var ignored diag.List // `explain` tells
	if s.Program.Eval(cond.NewEvaluation(b.in.Snapshot.With(modalities, all)), cond.Limits{}, &ignored) == cond.True {
		return false
	}
	d := b.about(diag.PreprocessorContextMissing, "there is nothing to work on: what the strategy is for is not here")
	d.Hint = "attach it with --attach, or copy it; `pertain explain " + s.ID + "` shows what it asks for"
	b.list.Add(d)
	return true
}
