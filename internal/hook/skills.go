package hook

import (
	"path/filepath"
	"slices"
	"strings"

	"github.com/pertain-dev/pertain/internal/agent"
	"github.com/pertain-dev/pertain/internal/discover"
	"github.com/pertain-dev/pertain/internal/export"
	"github.com/pertain-dev/pertain/internal/files"
	"github.com/pertain-dev/pertain/internal/mark"
	"github.com/pertain-dev/pertain/rule"
	"github.com/pertain-dev/pertain/skill"
)

// maxSkill is how large a skill may be that is compared with a rule, in bytes.
const maxSkill = 1 << 20

// hasSkill tells whether the agent lists a rule as a skill already: export made one of it, nobody changed that, and it has the rule's text.
// Only the skill of the rule's name is looked at; people may have hundreds.
func (s *session) hasSkill(r *rule.Rule) bool {
	a, ok := agent.Lookup(s.agent)
	if !ok || r.Description == nil {
		return false
	}
	tree := files.OS()
	root := discover.ProjectRoot(tree, s.dir)
	for _, l := range a.Skills {
		base, bounds := root, files.Below(tree, root)
		if l.Where&agent.User != 0 {
			base, bounds = s.userFolder(l), files.Anywhere()
		}
		if base == "" {
			continue
		}
		rel := l.Path
		if s.elsewhere(l) != "" {
			_, rel, _ = strings.Cut(rel, "/")
		}
		path := filepath.Join(base, filepath.FromSlash(rel), export.SkillName(r.Name), skill.FileName)
		data, _, err := files.ReadWithin(tree, path, bounds, maxSkill)
		if err != nil {
			continue
		}
		m, marked := mark.Find(string(data))
		ofRule := slices.ContainsFunc(m.Sources, func(source string) bool { return s.isSource(source, root, r.Path) })
		if marked && m.Intact && ofRule && strings.HasSuffix(normal(string(data)), normal(r.Text())) {
			return true
		}
	}
	return false
}

// userFolder is the folder that a location of the user's own is below; empty: there is none.
func (s *session) userFolder(l agent.Location) string {
	if dir := s.elsewhere(l); dir != "" {
		return dir
	}
	if l.Where&agent.Config != 0 && s.paths.ConfigDir != "" {
		return filepath.Dir(s.paths.ConfigDir)
	}
	return s.paths.Home
}

// elsewhere is the folder that a variable names for the first part of a location; empty: none does.
func (s *session) elsewhere(l agent.Location) string {
	if l.Env == "" || s.environment.Env == nil || !filepath.IsAbs(s.environment.Env(l.Env)) {
		return ""
	}
	return filepath.Clean(s.environment.Env(l.Env))
}

// isSource tells whether a mark names a rule's file.
func (s *session) isSource(source, root, path string) bool {
	if rest, ok := strings.CutPrefix(source, "~/"); ok {
		return s.paths.Home != "" && filepath.Join(s.paths.Home, filepath.FromSlash(rest)) == path
	}
	return filepath.Join(root, filepath.FromSlash(source)) == path
}
