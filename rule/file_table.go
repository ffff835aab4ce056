package rule

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"github.com/pertain-dev/pertain/internal/glob"
	"github.com/pertain-dev/pertain/internal/packed"
)

// Table is which rules come to a model with the files that it works on: by their globs, or by the folder that they hold for. It
// is no more than that, so that it can be kept for other processes, which then read no rules. [Set.Table] makes one.
type Table struct {
	foldCase bool // paths are compared without case
	rules    []TableRule
	globs    []tableGlob // in the order of the rules
}

// TableRule is one of the rules, as a model is told it.
type TableRule struct {
	Name, Path, Text string
	// Level is whose it is.
	Level Level
	// Binding is [Set.Binding].
	Binding bool

	within  []string // folders all of whose files it is for, absolute, with slashes; nil: its globs decide
	without []string // folders in which another rule stands in its place
}

// tableGlob is one of the globs. Most are ruled out by what is known of them without reading them.
type tableGlob struct {
	rule       int
	base       string   // the folder that it is relative to, absolute, with slashes
	within     string   // the folder whose files it is for; empty: every file
	foldCase   bool     // compared without case, where that of paths counts
	extensions []string // that matching files have; nil: any
	prefix     string   // that paths below the base begin with
	glob       glob.Saved
	minus      []glob.Saved // files that the rule takes out
}

// Len is the number of rules.
func (t *Table) Len() int { return len(t.rules) }

// Rule is one of them, in order of precedence.
func (t *Table) Rule(i int) TableRule { return t.rules[i] }

// Table gives the rules that come with files, as far as they are wanted.
func (s *Set) Table(wanted func(*Rule) bool) *Table {
	s = s.orEmpty()
	s.indexOnce.Do(func() { s.index = newIndex(s) })
	x := s.index
	t := &Table{foldCase: x.folds}
	numbers := map[int]int{} // of the set's rules in the table
	for i, r := range x.rules {
		p := x.plans[i]
		byFolder := p.why == ByAlways && r.Within != ""
		if p.never || p.why != ByGlob && !byFolder || !wanted(r) {
			continue
		}
		row := TableRule{Name: r.Name, Path: r.Path, Text: r.Text(), Level: r.Level, Binding: s.Binding(r)}
		if byFolder {
			row.within = p.scopes
		}
		for _, n := range p.nearer {
			row.without = append(row.without, n.within)
		}
		numbers[i] = len(t.rules)
		t.rules = append(t.rules, row)
	}
	for _, groups := range x.groups {
		for _, g := range groups {
			for _, e := range g.entries {
				number, listed := numbers[e.rule]
				if !listed {
					continue
				}
				row := tableGlob{number, g.base, e.within, g.folds, e.glob.Extensions(), e.glob.Prefix(), e.glob.Saved(), nil}
				for _, m := range e.minus {
					row.minus = append(row.minus, m.glob.Saved())
				}
				t.globs = append(t.globs, row)
			}
		}
	}
	slices.SortStableFunc(t.globs, func(a, b tableGlob) int {
		return cmp.Or(a.rule-b.rule, strings.Compare(a.base, b.base), strings.Compare(a.glob.Text, b.glob.Text))
	})
	return t
}

// For gives the numbers of the rules that apply to a file, in order of precedence.
func (t *Table) For(f File) []int {
	found := make([]bool, len(t.rules))
	t.mark(found, f.Path)
	if f.Real != "" && f.Real != f.Path {
		t.mark(found, f.Real)
	}
	for _, own := range f.Own {
		t.markOwn(found, own)
	}
	path := f.Path
	if t.foldCase {
		path = glob.Fold(path)
	}
	var out []int
	for i, yes := range found {
		if yes && !slices.ContainsFunc(t.rules[i].without, func(folder string) bool { return inside(folder, path) }) {
			out = append(out, i)
		}
	}
	return out
}

func (t *Table) mark(found []bool, file string) {
	if t.foldCase {
		file = glob.Fold(file)
	}
	for i := range t.rules {
		found[i] = found[i] || slices.ContainsFunc(t.rules[i].within, func(folder string) bool { return folder == "" || inside(folder, file) })
	}
	for i := range t.globs {
		g := &t.globs[i]
		if !found[g.rule] && g.match(file) {
			found[g.rule] = true
		}
	}
}

// markOwn marks rules of the user's own, by their globs.
func (t *Table) markOwn(found []bool, file string) {
	if t.foldCase {
		file = glob.Fold(file)
	}
	for i := range t.globs {
		if g := &t.globs[i]; !found[g.rule] && t.rules[g.rule].Level == User && g.match(file) {
			found[g.rule] = true
		}
	}
}

func (g *tableGlob) match(file string) bool {
	if !inside(g.base, file) || g.within != "" && !inside(g.within, file) {
		return false
	}
	rel := strings.TrimPrefix(file[len(g.base):], "/")
	if g.foldCase {
		rel = glob.Fold(rel)
	}
	if rel == "" || g.extensions != nil && !slices.Contains(g.extensions, path.Ext(rel)) || !strings.HasPrefix(rel, g.prefix) || !g.glob.Path().Match(rel) {
		return false
	}
	return !slices.ContainsFunc(g.minus, func(m glob.Saved) bool { return m.Path().Match(rel) })
}

// Pack is the table as [UnpackTable] reads it.
func (t *Table) Pack() string {
	var w packed.Writer
	w.Flag(t.foldCase)
	w.Count(len(t.rules))
	for _, r := range t.rules {
		w.Text(r.Name)
		w.Text(r.Path)
		w.Text(r.Text)
		w.Text(string(r.Level))
		w.Flag(r.Binding)
		w.List(r.within)
		w.List(r.without)
	}
	w.Count(len(t.globs))
	for _, g := range t.globs {
		w.Count(g.rule)
		w.Text(g.base)
		w.Text(g.within)
		w.Flag(g.foldCase)
		w.List(g.extensions)
		w.Text(g.prefix)
		packGlobs(&w, append([]glob.Saved{g.glob}, g.minus...))
	}
	return string(w.Bytes())
}

func packGlobs(w *packed.Writer, globs []glob.Saved) {
	w.Count(len(globs))
	for _, g := range globs {
		w.Text(g.Text)
		w.Flag(g.Extended)
	}
}

// UnpackTable reads what [Table.Pack] made; ok is false for anything else.
func UnpackTable(text string) (t *Table, ok bool) {
	r := packed.NewReader(text)
	t = &Table{foldCase: r.Flag()}
	t.rules = make([]TableRule, r.Count())
	for i := range t.rules {
		t.rules[i] = TableRule{r.Text(), r.Text(), r.Text(), Level(r.Text()), r.Flag(), r.List(), r.List()}
	}
	t.globs = make([]tableGlob, r.Count())
	for i := range t.globs {
		g := tableGlob{rule: r.Number(max(len(t.rules)-1, 0)), base: r.Text(), within: r.Text(), foldCase: r.Flag(), extensions: r.List(), prefix: r.Text()}
		globs := make([]glob.Saved, r.Count())
		for j := range globs {
			globs[j] = glob.Saved{Text: r.Text(), Extended: r.Flag()}
		}
		if len(globs) == 0 || len(t.rules) == 0 {
			return nil, false
		}
		g.glob, g.minus = globs[0], globs[1:]
		t.globs[i] = g
	}
	return t, r.Done()
}
