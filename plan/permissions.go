package plan

import (
	"strings"

	"github.com/pertain-dev/pertain/facts"
	"github.com/pertain-dev/pertain/strategy"
)

// Needs is what has to be collected to run a strategy: what its templates name
// and what its preprocessors work on; for builtin ones that name nothing, what
// their conditions ask for. A nil registry is Pertain's own.
func Needs(s *strategy.Strategy, registry *Registry) facts.Needs {
	needs := templateNeeds(s)
	if (Execution{Strategy: s}).Uses(selectionPath) {
		needs.Add(selectionPath)
	}
	for _, id := range s.Preprocessors {
		info, _ := registry.Info(id)
		needs.Add(info.Needs...)
	}
	if namesNothing(s) {
		needs.Merge(s.Needs)
	}
	return needs
}

// Permissions say in plain sentences what a strategy reads and allows, each
// once: what its conditions and templates read, what its preprocessors read,
// which tools it allows (docs/reference/paths.md). A nil registry is Pertain's own.
func Permissions(s *strategy.Strategy, registry *Registry) []string {
	reads := templateNeeds(s)
	reads.Merge(s.Needs)
	sentences := reads.Permissions()
	said := map[string]bool{"": true}
	for _, sentence := range sentences {
		said[sentence] = true
	}
	add := func(sentence string) {
		if !said[sentence] {
			said[sentence] = true
			sentences = append(sentences, sentence)
		}
	}
	for _, id := range s.Preprocessors {
		info, _ := registry.Info(id)
		add(info.Permission)
	}
	for _, rule := range s.Tools {
		if rule.Allow {
			add("Allows " + rule.Pattern)
		}
	}
	return sentences
}

// templateNeeds is what the placeholders of a strategy read; of an object
// everything below it.
func templateNeeds(s *strategy.Strategy) facts.Needs {
	var needs facts.Needs
	for _, text := range []string{s.Body, s.SystemPrompt} {
		for _, path := range parseTemplate(text).paths() {
			row, ok := facts.Find(path)
			if !ok {
				continue // it has no value, so nothing is read
			}
			needs.AddPath(path)
			if row.Kind != facts.Object {
				continue
			}
			for _, below := range facts.Paths() {
				if strings.HasPrefix(below.Name, path+".") {
					needs.Add(below.Needs)
				}
			}
		}
	}
	return needs
}
