package discover

import (
	"path/filepath"
	"strings"

	"github.com/pertain-dev/pertain/internal/agent"
	"github.com/pertain-dev/pertain/internal/files"
	"github.com/pertain-dev/pertain/rule"
)

// upward is which folders above a project some agent looks at for a path: one
// CLAUDE.md in a folder of many checkouts is common.
func upward() map[string]agent.Where {
	out := map[string]agent.Where{}
	for _, a := range agent.All() {
		for _, g := range a.Groups {
			for _, kind := range g.Kinds {
				for _, p := range kind {
					out[p.Path] |= p.Where & (agent.Above | agent.OneAbove)
				}
			}
		}
	}
	return out
}

// aboveRules are the rules of a tool in folders above the project that some agent
// loads, the nearest first. They are the user's (docs/reference/rules.md).
func (s *search) aboveRules(t *tool) []ruleFile {
	var out []ruleFile
	for i, dir := range s.above {
		for j := range t.project {
			where := s.upward[t.project[j].path]
			if where&agent.Above != 0 || where&agent.OneAbove != 0 && i == 0 {
				out = append(out, s.atLocation(spot{dir: dir, level: rule.User, above: true}, &t.project[j])...)
			}
		}
	}
	return out
}

// users are the rules of a tool in the user's own folders.
func (s *search) users(t *tool) []ruleFile {
	var out []ruleFile
	for i := range t.user {
		if dir, p, ok := s.userLocation(&t.user[i]); ok {
			out = append(out, s.in(spot{dir: dir, level: rule.User}, []location{p})...)
		}
	}
	return out
}

// userLocation is the folder that a location of the user's is below, and its path
// there; ok is false if there is none.
func (s *search) userLocation(p *location) (dir string, below location, ok bool) {
	below = *p
	if p.env != "" && s.Lookup != nil {
		if named, set := s.Lookup(p.env); set && named != "" {
			if !s.flavor.IsAbs(named) {
				named = s.flavor.Join(s.Dir, named)
			}
			_, below.path, _ = strings.Cut(p.path, "/")
			return s.flavor.Clean(named), below, true
		}
	}
	switch {
	case p.system:
		top := s.root
		for s.flavor.Dir(top) != top {
			top = s.flavor.Dir(top)
		}
		below.path = strings.TrimPrefix(p.path, "/")
		return top, below, s.flavor == files.Unix
	case p.config:
		return s.ConfigHome, below, s.ConfigHome != ""
	}
	return s.Home, below, s.Home != ""
}

// variants are the other spellings of a file's name in a folder, where that makes
// other files.
func (s *search) variants(dir string, p *location) []location {
	if s.flavor != files.Unix {
		return nil
	}
	folder, base := "", p.path
	if i := strings.LastIndexByte(p.path, '/'); i >= 0 {
		folder, base = p.path[:i+1], p.path[i+1:]
		if !s.mayHold(dir, folder, rule.Project) {
			return nil
		}
	}
	var out []location
	for _, name := range s.names(s.flavor.Join(dir, folder)) {
		if name != base && strings.EqualFold(name, base) {
			v := *p
			v.path = folder + name
			out = append(out, v)
		}
	}
	return out
}

// MayHoldRules tells names that rules could be read from in a folder above the project: others come and go there, in a folder for
// temporary files with every program.
func MayHoldRules(name string) bool {
	switch strings.ToLower(filepath.Ext(name)) {
	case ".md", ".mdc", ".mdx", ".markdown", ".json", ".jsonc", ".yaml", ".yml", ".toml", ".txt":
		return true
	}
	return strings.HasPrefix(name, ".") && !strings.HasPrefix(name, ".pertain-") || strings.Contains(strings.ToLower(name), "rules")
}

// isCache tells files that systems and programs leave in folders.
func isCache(name string) bool {
	for _, end := range []string{"~", ".bak", ".cache", ".crdownload", ".db", ".dmp", ".dump", ".eslintcache", ".lock", ".log", ".old", ".part", ".partial", ".pyc", ".pyo", ".stackdump", ".swo", ".swp", ".temp", ".tmp"} {
		if strings.HasSuffix(name, end) {
			return true
		}
	}
	return name == "Thumbs.db"
}
