package rule

import (
	"encoding/json"
	"slices"
	"strings"
)

// File is a file that rules are asked for. Both paths are absolute, with
// slashes, and need not exist.
type File struct {
	Path string // as given
	Real string // links followed; empty: the same
	// Own are more paths by which rules of the user's own ([User]) count for it, as if it
	// lay there: a file of another repository, as it would lie in the project. They do not
	// count where one agent's view is asked for, which has no such thing.
	Own []string
}

// Why says why a rule applies to a file, or why not.
type Why string

const (
	ByGlob        Why = "glob"        // one of its globs matches
	ByAlways      Why = "always"      // it applies to every file of its folder
	ByDescription Why = "description" // it is offered: the model decides
	ByTrigger     Why = "trigger"     // it waits for the model to break it

	NoGlobMatch Why = "no-glob-match"
	IsManual    Why = "manual"
	IsShadowed  Why = "shadowed"
	IsInvalid   Why = "invalid"
	IsNever     Why = "never"
)

// Verdict is whether a rule applies to a file.
type Verdict struct {
	Rule    *Rule
	Applies bool
	Why     Why
	Glob    string // the glob that matched, empty if none did
	Note    string // plain words, for what does not apply or is contested
}

// MarshalJSON writes the documented form (docs/reference/json.md), the same wherever it is
// asked which rules apply to a file.
func (v Verdict) MarshalJSON() ([]byte, error) {
	var r Rule
	if v.Rule != nil {
		r = *v.Rule
	}
	return json.Marshal(struct {
		Name     string `json:"name"`
		Provider string `json:"provider"`
		Applies  bool   `json:"applies"`
		Why      Why    `json:"why"`
		Glob     string `json:"glob,omitempty"`
		Note     string `json:"note,omitempty"`
		Path     string `json:"path"`
		When     When   `json:"when,omitempty"`
	}{r.Name, r.Provider, v.Applies, v.Why, v.Glob, v.Note, r.Path, r.When})
}

// For answers for each file which rules apply, in order of precedence; with
// all, also which don't, each with the reason.
func (s *Set) For(files []File, all bool) [][]Verdict {
	out := make([][]Verdict, len(files))
	if len(files) == 0 {
		return out
	}
	s = s.orEmpty()
	s.indexOnce.Do(func() { s.index = newIndex(s) })
	q := query{index: s.index, folders: map[string]*folder{}}
	for i, f := range files {
		found := q.find(s.index.fold(f.Path))
		if f.Real != "" && f.Real != f.Path {
			found = union(found, q.find(s.index.fold(f.Real)))
		}
		for _, own := range s.ownPaths(f) {
			found = union(found, s.ownHits(q.find(s.index.fold(own))))
		}
		found = s.index.nearest(s.inScope(found, f), f)
		if all {
			out[i] = s.explain(f, found)
			continue
		}
		out[i] = make([]Verdict, 0, len(found))
		for _, h := range found {
			out[i] = append(out[i], s.index.verdict(h))
		}
	}
	return out
}

// ownPaths are those by which rules of the user's own count as well.
func (s *Set) ownPaths(f File) []string {
	if s.options.Agent != "" || s.options.Documented {
		return nil
	}
	return f.Own
}

// ownHits are those that rules of the user's own have by their globs.
func (s *Set) ownHits(found []hit) []hit {
	return slices.DeleteFunc(slices.Clone(found), func(h hit) bool { return h.glob < 0 || s.all[h.rule].Level != User })
}

// hit is a rule that applies; glob is the number of the glob that matched, or -1.
type hit struct{ rule, glob int }

func byRule(a, b hit) int { return a.rule - b.rule }

// query is one call of For: folders are looked at once.
type query struct {
	index   *index
	folders map[string]*folder
}

// folder is what is known of all files of one folder.
type folder struct {
	fixed  []hit // rules that apply whatever the file's name is, in order
	groups []*group
}

func (q *query) find(path string) []hit {
	dir := parent(path)
	f := q.folders[dir]
	if f == nil {
		f = q.index.folder(dir)
		q.folders[dir] = f
	}
	found := f.fixed
	own := false
	for _, g := range f.groups {
		rel := strings.TrimPrefix(path[min(len(g.base), len(path)):], "/")
		g.match(path, rel, func(rule, glob int) {
			if !own {
				found, own = slices.Clone(found), true
			}
			found = append(found, hit{rule, glob})
		})
	}
	if own {
		found = firstGlobs(found)
	}
	return found
}

// firstGlobs sorts and keeps for each rule the first glob.
func firstGlobs(found []hit) []hit {
	slices.SortFunc(found, func(a, b hit) int {
		if a.rule != b.rule {
			return a.rule - b.rule
		}
		return a.glob - b.glob
	})
	return slices.CompactFunc(found, func(a, b hit) bool { return a.rule == b.rule })
}

func union(a, b []hit) []hit {
	return firstGlobs(append(slices.Clone(a), b...))
}

// explain adds the rules that don't apply.
func (s *Set) explain(f File, found []hit) []Verdict {
	out := make([]Verdict, 0, len(s.all))
	for i, r := range s.all {
		if at, ok := slices.BinarySearchFunc(found, hit{rule: i}, byRule); ok {
			out = append(out, s.index.verdict(found[at]))
			continue
		}
		out = append(out, s.refusal(i, r, f))
	}
	return out
}

// parent is everything before the last slash; of what is in a root, the root.
func parent(path string) string {
	i := strings.LastIndexByte(path, '/')
	switch {
	case i < 0:
		return ""
	case i == 0:
		return "/"
	}
	return path[:i]
}

// inside tells whether path lies below folder.
func inside(folder, path string) bool {
	if folder == "/" {
		return strings.HasPrefix(path, "/")
	}
	return len(path) > len(folder) && path[len(folder)] == '/' && path[:len(folder)] == folder
}
