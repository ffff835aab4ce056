package rule

import (
	"path"
	"slices"
	"sync"

	"github.com/pertain-dev/pertain/internal/glob"
)

// index answers which rules apply to a file without looking at each rule: what
// applies to every file of a folder is known by the folder, and globs are found
// by the folder they are relative to and the extension they ask for.
type index struct {
	rules   []*Rule
	plans   []*plan
	free    []hit            // rules that apply to every file
	located map[string][]hit // rules that apply to every file below a folder
	groups  map[string][]*group
	folds   bool
}

// plan is how one rule is decided.
type plan struct {
	why     Why // when it applies, or why it never does
	never   bool
	byGlobs bool
	globs   []compiled
	narrow  narrowing // of a trigger: files outside of which it never fires
	scopes  []string  // folders whose files it is for, folded; "": every file
	nearer  []nearer  // folders in which another rule stands in its place

	nearOnce sync.Once
	near     [][]nearMiss // for each glob, for notes
}

// compiled is one of a rule's globs, with what its file says about it.
type compiled struct {
	pattern
	text   string // as the author wrote it
	number int    // among the rule's globs
	from   *Rule  // whose file has it
	base   string // folded
	within string // folded
}

// group is all globs that are relative to one folder and compared in one way.
type group struct {
	base    string
	entries []entry
	folds   bool               // without case, where that of paths counts
	byExt   map[string][]entry // by the extension that matching files have
	any     []entry
}

type entry struct {
	rule   int
	number int
	glob   *glob.Path
	minus  []piece // files that the rule takes out
	within string  // folder whose files it is for; empty: every file
}

func newIndex(s *Set) *index {
	x := &index{rules: s.all, located: map[string][]hit{}, groups: map[string][]*group{}, folds: s.options.FoldCase}
	for i, r := range s.all {
		p := x.plan(r)
		x.plans = append(x.plans, p)
		switch {
		case p.never:
		case p.byGlobs:
			x.add(i, p)
		case slices.Contains(p.scopes, ""):
			x.free = append(x.free, hit{i, -1})
		default:
			for _, within := range p.scopes {
				x.located[within] = append(x.located[within], hit{i, -1})
			}
		}
	}
	x.override()
	return x
}

// plan decides what decides.
func (x *index) plan(r *Rule) *plan {
	p := &plan{}
	for _, within := range r.scopes() {
		p.scopes = append(p.scopes, x.fold(within))
	}
	no := func(why Why) *plan { p.never, p.why = true, why; return p }
	switch {
	case r.Shadowed:
		return no(IsShadowed)
	case r.Activation == Never:
		return no(IsNever)
	case r.Bucket == TTSR:
		p.why, p.narrow = ByTrigger, r.narrowed()
	case r.Bucket == Always:
		p.why = ByAlways
		return p
	case r.Activation == Manual:
		return no(IsManual)
	case r.Activation == OnDescription || len(r.Globs) == 0:
		p.why = ByDescription
		if r.Description == nil && r.When != IsListed || r.documented && r.Bucket != Rulebook {
			return no(IsManual)
		}
		return p
	default:
		p.why = ByGlob
	}
	if len(r.Globs) == 0 {
		return p
	}
	if r.overfull {
		return no(IsInvalid)
	}
	p.byGlobs = true
	for number, text := range r.Globs {
		for _, from := range r.GlobOrigins(number) {
			if c, ok := compileGlob(from, text, x.folds); ok {
				p.globs = append(p.globs, compiled{pattern: c, text: text, number: number, from: from, base: x.fold(from.Base), within: x.fold(from.Within)})
			}
		}
	}
	if len(p.globs) == 0 {
		return no(IsInvalid)
	}
	return p
}

// compileGlob reads a glob by the ways of the rule's tool; ok is false if it
// cannot be read, or if it is a negation and the tool has none.
func compileGlob(r *Rule, text string, folds bool) (pattern, bool) {
	p, err := r.Format.pattern(text, folds)
	if err != nil || p.negated && !r.Format.negates() {
		return pattern{}, false
	}
	return p, true
}

func (p *pattern) weight() int {
	total := 0
	for _, piece := range p.pieces {
		total += piece.glob.Weight()
	}
	return total
}

// match tells whether a path relative to the base is meant, whatever other globs
// take out.
func (p *pattern) match(rel string) bool {
	return slices.ContainsFunc(p.pieces, func(piece piece) bool { return piece.glob.Match(rel) })
}

func (x *index) add(rule int, p *plan) {
	positive := map[*Rule]bool{}
	for _, c := range p.globs {
		if !c.negated {
			positive[c.from] = true
		}
	}
	for i, c := range p.globs {
		g := x.group(c)
		switch {
		case !c.negated:
			for _, piece := range c.pieces {
				g.put(entry{rule, c.number, piece.glob, p.minus(i, piece), c.within})
			}
		case c.from.Format.Gitignore:
		case c.from.Format.Alone:
			g.put(entry{rule, c.number, everything(), c.pieces, c.within})
		case !positive[c.from]: // only exceptions: everything else is meant
			positive[c.from] = true
			g.put(entry{rule, c.number, everything(), p.minus(i, piece{}), c.within})
		}
	}
}

func everything() *glob.Path {
	g, _ := glob.CompilePath("**")
	return g
}

// minus is what the globs of the same file take out of what a piece of one of them
// means.
func (p *plan) minus(at int, of piece) []piece {
	from := p.globs[at].from
	if from.Format.Alone || of.folder {
		return nil
	}
	var out []piece
	for i, c := range p.globs {
		if !c.negated || c.from != from || from.Format.Gitignore && i < at {
			continue
		}
		for _, piece := range c.pieces {
			if !piece.folder {
				out = append(out, piece)
			}
		}
	}
	return out
}

// group is where a glob belongs.
func (x *index) group(c compiled) *group {
	folds := c.from.Format.Gitignore && !x.folds
	for _, g := range x.groups[c.base] {
		if g.folds == folds {
			return g
		}
	}
	g := &group{base: c.base, folds: folds, byExt: map[string][]entry{}}
	x.groups[c.base] = append(x.groups[c.base], g)
	return g
}

func (g *group) put(e entry) {
	g.entries = append(g.entries, e)
	exts := e.glob.Extensions()
	if exts == nil {
		g.any = append(g.any, e)
		return
	}
	for _, ext := range exts {
		g.byExt[ext] = append(g.byExt[ext], e)
	}
}

// match calls found for each glob that matches a file; rel is its path relative to
// the base.
func (g *group) match(file, rel string, found func(rule, glob int)) {
	if rel == "" {
		return
	}
	if g.folds {
		rel = glob.Fold(rel)
	}
	letters := glob.LettersOf(rel)
	for _, list := range [2][]entry{g.byExt[path.Ext(rel)], g.any} {
		done := -1 // the first glob of a rule that matches is enough
		for i := range list {
			e := &list[i]
			if e.rule == done || e.within != "" && !inside(e.within, file) || !e.glob.MatchWith(rel, letters) {
				continue
			}
			if !slices.ContainsFunc(e.minus, func(m piece) bool { return m.glob.MatchWith(rel, letters) }) {
				found(e.rule, e.number)
				done = e.rule
			}
		}
	}
}

// folder collects what is known of the files of a folder, from it up.
func (x *index) folder(dir string) *folder {
	f := &folder{fixed: slices.Clone(x.free)}
	for at := dir; ; at = parent(at) {
		f.groups = append(f.groups, x.groups[at]...)
		f.fixed = append(f.fixed, x.located[at]...)
		if at == parent(at) {
			break
		}
	}
	slices.SortFunc(f.fixed, byRule)
	f.fixed = slices.CompactFunc(f.fixed, func(a, b hit) bool { return a.rule == b.rule })
	return f
}

func (x *index) fold(path string) string {
	if x.folds {
		return glob.Fold(path)
	}
	return path
}

func (x *index) verdict(h hit) Verdict {
	r := x.rules[h.rule]
	v := Verdict{Rule: r, Applies: true, Why: x.plans[h.rule].why}
	if h.glob >= 0 {
		v.Glob = r.Globs[h.glob]
	}
	if r.Format.Contested != nil {
		v.Note = r.Format.Contested(r)
	}
	v.Note = r.withAlwaysIn(v.Note)
	return v
}
