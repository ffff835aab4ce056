package hook

import (
	"github.com/pertain-dev/pertain"
	"github.com/pertain-dev/pertain/rule"
)

// loaded is what the agent loads itself.
type loaded struct {
	texts map[string]bool // by hash
	paths map[string]bool // of its files, and of those that they import
}

// loaded asks for the rules as the agent itself sees them.
func (s *session) loaded() loaded {
	l := loaded{map[string]bool{}, map[string]bool{}}
	view, err := pertain.OpenRules(s.ctx, s.place, pertain.RuleOptions{Agent: s.agent, Files: s.files})
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
	}
	return l
}

// has tells whether the agent has a rule: by its file, by another file with the same text, or by one that imports it.
func (l loaded) has(r *rule.Rule) bool {
	return l.paths[r.Path] || r.Real != "" && l.paths[r.Real] || l.texts[hash(normal(r.Text()))]
}
