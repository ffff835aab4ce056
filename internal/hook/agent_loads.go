package hook

import (
	"path/filepath"
	"strings"

	"github.com/pertain-dev/pertain"
	"github.com/pertain-dev/pertain/rule"
)

// loaded is what the agent loads itself.
type loaded struct {
	texts map[string]bool // by hash; false: it may not, see rule.Rule.Unsure
	paths map[string]bool // of its files, and of those that they import; as texts

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
		sure := !r.Unsure
		for _, path := range append([]string{r.Path, r.Real}, r.Includes...) {
			l.paths[path] = l.paths[path] || sure
		}
		text := hash(normal(r.Text()))
		l.texts[text] = l.texts[text] || sure
		if sure && r.Export != nil && r.When == rule.AtStart { // what comes later comes when the agent wants it
			for _, source := range r.Export.Sources {
				l.exports[source] = append(l.exports[source], normal(r.Text()))
			}
		}
	}
	return l
}

// has tells whether the agent has a rule: by its file, by another file with the same text, by one that imports it, or by one
// into which it was exported beside others, as that file says and its text shows. Where it is not sure that the agent loads a file, that
// keeps none of the user's own rules from the model.
func (l loaded) has(r *rule.Rule) bool {
	for _, text := range l.exports[filepath.ToSlash(r.Path)] {
		if strings.Contains(text, normal(r.Text())) {
			return true
		}
	}
	counts := func(sure, known bool) bool { return known && (sure || r.Level != rule.User) }
	for _, path := range []string{r.Path, r.Real} {
		if sure, known := l.paths[path]; path != "" && counts(sure, known) {
			return true
		}
	}
	sure, known := l.texts[hash(normal(r.Text()))]
	return counts(sure, known)
}
