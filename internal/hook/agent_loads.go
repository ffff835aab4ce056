package hook

import (
	"path/filepath"
	"strings"

	"github.com/pertain-dev/pertain"
	"github.com/pertain-dev/pertain/rule"
)

// loaded is what the agent loads itself.
type loaded struct {
	texts map[string]bool // by hash
	paths map[string]bool // of its files, and of those that they import

	exports map[string][]string // texts of its files that were exported, by the file of the rule that they hold
}

// loaded asks for the rules as the agent itself sees them.
func (s *session) loaded() loaded {
	l := loaded{texts: map[string]bool{}, paths: map[string]bool{}, exports: map[string][]string{}}
	view, err := pertain.OpenRules(s.ctx, s.environment, pertain.RuleOptions{Agent: s.agent, Files: s.files, Own: s.own})
	if err != nil {
		s.problem(errRules)
		return l
	}
	for _, r := range view.All() {
		if r.When == rule.NotAtAll {
			continue
		}
		l.texts[hash(normal(r.Text()))] = true
		l.paths[r.Path] = true
		if r.Real != "" {
			l.paths[r.Real] = true
		}
		for _, path := range r.Includes {
			l.paths[path] = true
		}
		if r.Export != nil && r.When == rule.AtStart { // what comes later comes when the agent wants it
			for _, source := range r.Export.Sources {
				l.exports[source] = append(l.exports[source], normal(r.Text()))
			}
		}
	}
	return l
}

// has tells whether the agent has a rule: by its file, by another file with the same text, by one that imports it, or by one
// into which it was exported beside others, as that file says and its text shows.
func (l loaded) has(r *rule.Rule) bool {
	for _, text := range l.exports[filepath.ToSlash(r.Path)] {
		if strings.Contains(text, normal(r.Text())) {
			return true
		}
	}
	return l.paths[r.Path] || r.Real != "" && l.paths[r.Real] || l.texts[hash(normal(r.Text()))]
}
