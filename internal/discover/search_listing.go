package discover

import (
	"slices"
	"strings"

	"github.com/pertain-dev/pertain/internal/files"
	"github.com/pertain-dev/pertain/rule"
)

// Some hundred paths are looked for in every folder from the working directory up, and most folders hold none of them. The
// longer the way to a folder, the longer takes each look: one listing of it answers for all tools, and what is there is looked
// at once.

// listing is what a folder holds.
type listing struct {
	names  []string        // sorted
	folded map[string]bool // the same without case: some file systems do not tell it apart
	links  []string        // those that are links
	failed bool            // nobody knows
}

// lookup is what a tool looks at: a path below a folder, or the folder itself.
type lookup struct {
	dir, path string
	level     rule.Level
}

// looked is what came of a lookup.
type looked struct {
	kind files.Kind
	err  error
}

// listing lists a folder, once. base is the one that a tool comes from.
func (s *search) listing(dir, base string, level rule.Level) *listing {
	at := lookup{dir: dir, level: level}
	if known := s.listings[at]; known != nil {
		return known
	}
	entries, err := files.ListWithin(s.tree, dir, s.bounds(base, level))
	out := &listing{folded: make(map[string]bool, len(entries)), failed: err != nil}
	for _, e := range entries {
		out.names = append(out.names, e.Name)
		out.folded[strings.ToLower(e.Name)] = true
		if e.Kind == files.Link {
			out.links = append(out.links, e.Name)
		}
	}
	slices.Sort(out.names)
	s.listings[at] = out
	return out
}

// names are what a folder of the project holds.
func (s *search) names(dir string) []string {
	return s.listing(dir, dir, rule.Project).names
}

// mayHold is false if a folder was listed and a path's first name is not there. The user's own folders are not listed for it: few
// paths are looked for in each.
func (s *search) mayHold(dir, path string, level rule.Level) bool {
	first, _, _ := strings.Cut(path, "/")
	if !s.listable[dir] || !plainName(first) {
		return true
	}
	list := s.listing(dir, dir, level)
	return list.failed || list.folded[strings.ToLower(first)] || files.HoldsText(s.tree, dir, first)
}

// plainName tells whether a name can be found in a listing: not what means a folder in other words, nor what a file system may
// keep in other characters.
func plainName(name string) bool {
	special := func(c rune) bool { return c >= 0x80 || strings.ContainsRune(`\~:`, c) }
	return strings.Trim(name, ".") != "" && strings.TrimRight(name, ". ") == name && !strings.ContainsFunc(name, special)
}
