package visual

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/pertain-dev/pertain/facts"
)

var pathTypes = []string{"Screen", "TopLevel", "Panel", "Button"}

// shallowTree has many elements and few paths: four types, three levels deep.
func shallowTree(r *rand.Rand, size int) *facts.Tree {
	elements := make([]facts.Element, size)
	open := []int{-1}
	for i := range elements {
		kind, _ := facts.ParseElementType(pathTypes[r.IntN(len(pathTypes))])
		elements[i] = facts.Element{Type: kind, Parent: open[len(open)-1], States: facts.States(r.IntN(64) & r.IntN(64))}
		if len(open) < 3 && r.IntN(3) > 0 {
			open = append(open, i)
		} else if len(open) > 1 && r.IntN(4) == 0 {
			open = open[:len(open)-1]
		}
	}
	return facts.NewTree(elements, nil)
}

// knowing is an index that has paths, made by asking for them.
func knowing(t *testing.T, tree *facts.Tree) *Index {
	t.Helper()
	index := NewIndex(tree, 0, true)
	q := mustParse(t, "//*/*")
	for range pathPayback {
		q.Count(index, Limits{})
	}
	if index.paths.Load() == nil {
		t.Fatal("no paths after queries that would have paid for them")
	}
	return index
}

func mustParse(t *testing.T, text string) *Query {
	t.Helper()
	q, bad := Parse(text, Options{})
	if bad != nil {
		t.Fatalf("%s: %s", text, bad.Message)
	}
	return q
}

// shapes are queries that paths can answer, once with each type for X and Y.
var shapes = []string{
	"/X/Y", "/X/Y/Button", "/Screen/X/Y", "/X/*", "/*/Y", "/X//Y", "//X/Y", "//X//Y", "//X/*/Y", "//X//*/Y", "//*/X//Y",
	"//X//*", "/X/Y/@disabled", "/X/Y[@disabled=true]", "//X/Y[@selected=false][@disabled=true]", "//X//Y[@focused=true]/@selected",
}

// An index with paths gives the same answers as one without.
func TestPathsAgree(t *testing.T) {
	used := 0
	for seed := range 40 {
		r := rand.New(rand.NewPCG(uint64(seed), 3))
		tree := shallowTree(r, 300+r.IntN(600))
		known := knowing(t, tree)
		for _, shape := range shapes {
			q := mustParse(t, replaceTypes(shape, pathTypes[r.IntN(4)], pathTypes[r.IntN(4)]))
			first := NewIndex(tree, 0, true)
			want, _ := q.Select(first, Limits{})
			got, outcome := q.Select(known, Limits{})
			if outcome != Done || !slices.Equal(got, want) {
				t.Fatalf("seed %d: %s selects %v (%v) with paths, %v without", seed, q, got, outcome, want)
			}
			if n, outcome := q.Count(known, Limits{}); n != len(want) || outcome != Done {
				t.Fatalf("seed %d: %s counts %d (%v) with paths, want %d", seed, q, n, outcome, len(want))
			}
			if found, outcome := q.Exists(known, Limits{}); found != (len(want) > 0) || outcome != Done {
				t.Fatalf("seed %d: %s exists %v (%v) with paths, want %d", seed, q, found, outcome, len(want))
			}
			run := run{mode: counting}
			run.begin(q, known, Limits{})
			if run.byPath() {
				used++
			}
		}
	}
	if least := 40 * len(shapes) * 9 / 10; used < least {
		t.Errorf("%d queries used paths, want %d or more", used, least)
	}
}

func replaceTypes(shape, x, y string) string {
	var text []byte
	for i := range len(shape) {
		switch shape[i] {
		case 'X':
			text = append(text, x...)
		case 'Y':
			text = append(text, y...)
		default:
			text = append(text, shape[i])
		}
	}
	return string(text)
}

// Every element is on one path, and on that of its own types.
func TestPathsHoldAllElements(t *testing.T) {
	tree := shallowTree(rand.New(rand.NewPCG(1, 1)), 1_000)
	p := newTypePaths(tree)
	seen := 0
	type named struct {
		above int32
		kind  facts.ElementType
	}
	known := map[named]bool{}
	for at, path := range p.paths {
		if name := (named{path.parent, path.kind}); known[name] {
			t.Errorf("path %d is there twice", at)
		} else {
			known[name] = true
		}
		list := p.elements[path.start:path.end]
		if !slices.IsSorted(list) || len(list) == 0 || int(path.parent) >= at {
			t.Errorf("path %d: %d elements, below %d", at, len(list), path.parent)
		}
		for _, id := range list {
			seen++
			i, above := int(id), int32(at)
			for ; i >= 0 && above >= 0; i, above = tree.At(i).Parent, p.paths[above].parent {
				if tree.At(i).Type != p.paths[above].kind {
					t.Fatalf("element %d is on a path of other types", id)
				}
			}
			if i >= 0 || above >= 0 {
				t.Fatalf("element %d is on a path of another length", id)
			}
		}
	}
	if seen != tree.Len() {
		t.Errorf("%d of %d elements are on paths", seen, tree.Len())
	}
}

// Trees whose paths are too many or too deep have none, and queries do without.
func TestNoPaths(t *testing.T) {
	column := func(depth, leaves int) *facts.Tree {
		elements := make([]facts.Element, depth+leaves)
		for i := range elements {
			elements[i].Parent = min(i, depth) - 1
			elements[i].Type = facts.ElementType(4)
		}
		return facts.NewTree(elements, nil)
	}
	for _, c := range []struct {
		name  string
		tree  *facts.Tree
		count int // of //*//*
	}{
		{"empty", facts.NewTree(nil, nil), 0},
		{"tiny", column(1, 1), 1},
		{"all different", column(200, 100), 299},
		{"too deep", column(5_000, 30_000), 34_999},
	} {
		index := NewIndex(c.tree, 0, false)
		q := mustParse(t, "//*//*")
		for range 2 * pathPayback {
			if n, outcome := q.Count(index, Limits{}); n != c.count || outcome != Done {
				t.Errorf("%s: %d (%v), want %d", c.name, n, outcome, c.count)
			}
		}
		if p := index.paths.Load(); c.count > 0 && (p == nil || len(p.paths) > 0) {
			t.Errorf("%s: paths %v", c.name, p)
		}
	}
}

// A tree has paths as long as four elements share one on average, and none goes too deep.
func TestPathsAtTheirBounds(t *testing.T) {
	for _, c := range []struct {
		depth, leaves int // elements below each other, and more below the last of them
		want          bool
	}{{3, 13, true}, {3, 12, false}, {maxPathDepth, 2_000, true}, {maxPathDepth + 1, 2_000, false}} {
		elements := make([]facts.Element, c.depth+c.leaves)
		for i := range elements {
			elements[i].Parent = min(i, c.depth) - 1
		}
		want := 0
		if c.want {
			want = c.depth + 1
		}
		if got := len(newTypePaths(facts.NewTree(elements, nil)).paths); got != want {
			t.Errorf("%d and %d below: %d paths, want %d", c.depth, c.leaves, got, want)
		}
	}
}

// A query that starts with / starts below a screen only where that is a root, with paths too.
func TestPathsBeginAtRoots(t *testing.T) {
	var elements []facts.Element
	add := func(parent int, types ...string) {
		for _, name := range types {
			kind, _ := facts.ParseElementType(name)
			elements = append(elements, facts.Element{Type: kind, Parent: parent})
			parent = len(elements) - 1
		}
	}
	for range 40 {
		add(-1, "Panel", "Screen", "TopLevel", "Button") // the first of all paths is that of a panel
		add(-1, "Screen", "TopLevel", "Button")
		add(-1, "TopLevel", "Button")
	}
	tree := facts.NewTree(elements, nil)
	for query, want := range map[string]int{"/TopLevel/Button": 80, "/Screen/TopLevel/Button": 40, "/Panel/Screen/TopLevel": 40, "//TopLevel/Button": 120, "/*/Button": 80, "//TopLevel/Button[@disabled=true][@disabled=false]": 0} {
		q := mustParse(t, query)
		for _, index := range []*Index{NewIndex(tree, 0, false), knowing(t, tree)} {
			if n, _ := q.Count(index, Limits{}); n != want {
				t.Errorf("%s: %d, want %d (paths %v)", query, n, want, index.paths.Load() != nil)
			}
		}
	}
}
