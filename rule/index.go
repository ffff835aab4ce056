package rule

import (
	"path"
	"slices"
	"strings"
	"sync"

	"github.com/pertain-dev/pertain/internal/glob"
)

// index answers which rules apply to a file without looking at each rule: what
// applies to every file of a folder is known by the folder, and globs are found
// by the folder they are relative to and the extension they ask for.
type index struct {
	weight  int // of all globs
	rules   []*Rule
	plans   []*plan
	free    []hit            // rules that apply to every file
	located map[string][]hit // rules that apply to every file below a folder
	groups  map[string]*group
	folds   bool
}

// plan is how one rule is decided.
type plan struct {
	why      Why // when it applies, or why it never does
	never    bool
	byGlobs  bool
	overfull bool // there are more globs than can be held
	globs    []compiled
	within   string // folded
	base     string // folded

	nearOnce sync.Once
	near     [][]nearMiss // for each glob, for notes
}

type compiled struct {
	text   string // as the author wrote it
	glob   *glob.Path
	number int // among the rule's globs
}

// group is all globs that are relative to one folder.
type group struct {
	base  string
	byExt map[string][]entry // by the extension that matching files have
	any   []entry
}

type entry struct {
	rule   int
	number int
	glob   *glob.Path
	minus  []*glob.Path // files that the rule takes out
}

func newIndex(s *Set) *index {
	x := &index{rules: s.all, located: map[string][]hit{}, groups: map[string]*group{}, folds: s.options.FoldCase}
	for i, r := range s.all {
		p := x.plan(r)
		x.plans = append(x.plans, p)
		switch {
		case p.never:
		case p.byGlobs:
			x.add(i, p)
		case p.within == "":
			x.free = append(x.free, hit{i, -1})
		default:
			x.located[p.within] = append(x.located[p.within], hit{i, -1})
		}
	}
	return x
}

// plan decides what decides.
func (x *index) plan(r *Rule) *plan {
	p := &plan{within: x.fold(r.Within), base: x.fold(r.Base)}
	no := func(why Why) *plan { p.never, p.why = true, why; return p }
	switch {
	case r.Shadowed:
		return no(IsShadowed)
	case r.Activation == Never:
		return no(IsNever)
	case r.Bucket == TTSR:
		p.why = ByTrigger
	case r.Bucket == Always:
		p.why = ByAlways
		return p
	case r.Activation == Manual:
		return no(IsManual)
	case r.Activation == OnDescription || len(r.Globs) == 0:
		p.why = ByDescription
		if r.Description == nil || r.documented && r.Bucket != Rulebook {
			return no(IsManual)
		}
		return p
	default:
		p.why = ByGlob
	}
	if len(r.Globs) == 0 {
		return p
	}
	p.byGlobs = true
	for number, text := range r.Globs {
		if x.weight > maxGlobWeight {
			p.overfull, p.byGlobs = true, false
			return no(IsInvalid)
		}
		if c, ok := compileGlob(r, text, x.folds); ok {
			x.weight += c.Weight()
			p.globs = append(p.globs, compiled{text: text, glob: c, number: number})
		}
	}
	if len(p.globs) == 0 {
		return no(IsInvalid)
	}
	return p
}

// compileGlob reads a glob by the ways of the rule's tool; ok is false if it
// cannot be read, or if it is a negation and the tool has none.
func compileGlob(r *Rule, text string, folds bool) (*glob.Path, bool) {
	if folds {
		text = glob.Fold(text)
	}
	body, negated := r.Format.negation(text)
	if negated && !r.Format.Negation {
		return nil, false
	}
	// A leading slash or `./` means the folder that globs are relative to.
	rooted := strings.HasPrefix(body, "/") || strings.HasPrefix(body, "./")
	for strings.HasPrefix(body, "./") {
		body = body[2:]
	}
	body = strings.TrimLeft(body, "/")
	if r.Format.BaseName && !rooted {
		if c, err := r.Format.glob(body); err == nil && !c.HasSlash() {
			body = "**/" + body
		}
	}
	if negated {
		body = "!" + body
	}
	c, err := r.Format.glob(body)
	return c, err == nil
}

func (x *index) add(rule int, p *plan) {
	g := x.groups[p.base]
	if g == nil {
		g = &group{base: p.base, byExt: map[string][]entry{}}
		x.groups[p.base] = g
	}
	var minus []*glob.Path
	plus := 0
	for _, c := range p.globs {
		if c.glob.Negated() {
			minus = append(minus, c.glob)
		} else {
			plus++
		}
	}
	for _, c := range p.globs {
		if !c.glob.Negated() {
			g.put(entry{rule: rule, number: c.number, glob: c.glob, minus: minus})
		}
	}
	if plus == 0 { // only exceptions: everything else is meant
		everything, _ := glob.CompilePath("**")
		g.put(entry{rule: rule, number: 0, glob: everything, minus: minus})
	}
}

func (g *group) put(e entry) {
	exts := e.glob.Extensions()
	if exts == nil {
		g.any = append(g.any, e)
		return
	}
	for _, ext := range exts {
		g.byExt[ext] = append(g.byExt[ext], e)
	}
}

// match calls found for each glob that matches a path relative to the base.
func (g *group) match(rel string, found func(rule, glob int)) {
	if rel == "" {
		return
	}
	for _, list := range [2][]entry{g.byExt[path.Ext(rel)], g.any} {
		done := -1 // the first glob of a rule that matches is enough
		for i := range list {
			e := &list[i]
			if e.rule == done || !e.glob.Match(rel) {
				continue
			}
			if !slices.ContainsFunc(e.minus, func(m *glob.Path) bool { return m.Match(rel) }) {
				found(e.rule, e.number)
			}
			done = e.rule
		}
	}
}

// folder collects what is known of the files of a folder, from it up.
func (x *index) folder(dir string) *folder {
	f := &folder{fixed: slices.Clone(x.free)}
	nearest := map[string]bool{} // providers whose nearest file was found
	for at := dir; ; at = parent(at) {
		if g := x.groups[at]; g != nil {
			f.groups = append(f.groups, g)
		}
		var won []string
		for _, h := range x.located[at] {
			r := x.rules[h.rule]
			if r.Format.NearestWins {
				if nearest[r.Provider] {
					continue
				}
				won = append(won, r.Provider)
			}
			f.fixed = append(f.fixed, h)
		}
		for _, id := range won {
			nearest[id] = true
		}
		if at == parent(at) {
			break
		}
	}
	slices.SortFunc(f.fixed, byRule)
	return f
}

// within tells whether a rule with globs may apply to a file of this folder.
func (x *index) within(rule int, path string) bool {
	p := x.plans[rule]
	return p.within == "" || inside(p.within, path)
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
	return v
}
