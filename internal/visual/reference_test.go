package visual_test

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/pertain-dev/pertain/facts"
	"github.com/pertain-dev/pertain/internal/visual"
)

// The reference: a query as plain data and a recursive evaluation that follows
// the words of the documentation and nothing else.

type refQuery struct {
	start     string // "/", "//", "./", ".//" or "." alone
	self      []refFilter
	steps     []refStep
	attribute string
}

type refStep struct {
	link    string // "/" or "//"; of the first step ""
	kind    string // "*" for any
	filters []refFilter
}

type refFilter struct {
	function, attribute, value string // the value as a query spells it, without quotes
}

func (q refQuery) String() string {
	var b strings.Builder
	if strings.HasPrefix(q.start, ".") {
		b.WriteString(".")
		writeFilters(&b, q.self)
	}
	b.WriteString(strings.TrimPrefix(q.start, "."))
	for _, s := range q.steps {
		b.WriteString(s.link + s.kind)
		writeFilters(&b, s.filters)
	}
	if q.attribute != "" {
		b.WriteString("/@" + q.attribute)
	}
	return b.String()
}

func writeFilters(b *strings.Builder, filters []refFilter) {
	for _, f := range filters {
		switch {
		case f.function != "":
			fmt.Fprintf(b, "[%s(@%s,'%s')]", f.function, f.attribute, f.value)
		case f.attribute == "name" || f.attribute == "text" || f.attribute == "process":
			fmt.Fprintf(b, "[@%s='%s']", f.attribute, f.value)
		default:
			fmt.Fprintf(b, "[@%s=%s]", f.attribute, f.value)
		}
	}
}

// reference evaluates a query. known is false when there is no primary element.
type reference struct {
	tree          *facts.Tree
	primary       int
	caseSensitive bool
}

func (r reference) children(parent int) []int {
	var all []int
	for i := range r.tree.Len() {
		if r.tree.At(i).Parent == parent {
			all = append(all, i)
		}
	}
	return all
}

func (r reference) below(parent int) []int {
	var all []int
	for _, c := range r.children(parent) {
		all = append(all, c)
		all = append(all, r.below(c)...)
	}
	return all
}

func (r reference) eval(q refQuery) (elements []int, values []facts.Value, known bool) {
	var from []int
	switch q.start {
	case "/":
		for _, root := range r.children(-1) {
			from = append(from, root)
			if r.tree.At(root).Type == facts.ScreenType {
				from = append(from, r.children(root)...)
			}
		}
	case "//":
		from = r.below(-1)
	default:
		if r.primary < 0 {
			return nil, nil, false
		}
		if !r.passes(q.self, r.primary) {
			return nil, nil, true
		}
		switch q.start {
		case ".":
			from = []int{r.primary}
		case "./":
			from = r.children(r.primary)
		case ".//":
			from = append([]int{r.primary}, r.below(r.primary)...)
		}
	}
	for k, s := range q.steps {
		if k > 0 {
			var next []int
			for _, i := range from {
				if s.link == "/" {
					next = append(next, r.children(i)...)
				} else {
					next = append(next, r.below(i)...)
				}
			}
			from = next
		}
		from = slices.DeleteFunc(from, func(i int) bool {
			return s.kind != "*" && r.tree.At(i).Type.String() != s.kind || !r.passes(s.filters, i)
		})
		slices.Sort(from)
		from = slices.Compact(from)
	}
	for _, i := range from {
		if q.attribute == "" {
			elements = append(elements, i)
		} else if v := r.read(i, q.attribute); !v.IsAbsent() {
			elements = append(elements, i)
			values = append(values, v)
		}
	}
	return elements, values, true
}

func (r reference) read(i int, attribute string) facts.Value {
	e := r.tree.At(i)
	bounds := func(n float64) facts.Value {
		if !e.HasBounds || math.IsNaN(n) {
			return facts.Value{}
		}
		return facts.Num(n)
	}
	switch attribute {
	case "name":
		if !e.HasName {
			return facts.Value{}
		}
		return facts.Text(e.Name)
	case "text":
		text, ok := r.tree.Text(context.Background(), i)
		if !ok {
			return facts.Value{}
		}
		return facts.Text(text)
	case "process":
		if !e.HasProcess {
			return facts.Value{}
		}
		return facts.Text(e.Process)
	case "bounds.x":
		return bounds(e.Bounds.X)
	case "bounds.y":
		return bounds(e.Bounds.Y)
	case "bounds.width":
		return bounds(e.Bounds.Width)
	case "bounds.height":
		return bounds(e.Bounds.Height)
	default:
		return facts.Flag(slices.Contains(e.States.Names(), attribute))
	}
}

func (r reference) passes(filters []refFilter, i int) bool {
	for _, f := range filters {
		v := r.read(i, f.attribute)
		if v.IsAbsent() {
			return false
		}
		var ok bool
		switch {
		case f.function == "contains" && r.caseSensitive:
			ok = strings.Contains(v.Text(), f.value)
		case f.function == "contains":
			ok = containsFold(v.Text(), f.value)
		case f.function == "matches" && r.caseSensitive:
			ok = regexp.MustCompile(f.value).MatchString(v.Text())
		case f.function == "matches":
			ok = regexp.MustCompile("(?i)" + f.value).MatchString(v.Text())
		case v.Kind() == facts.Bool:
			ok = fmt.Sprint(v.Bool()) == f.value
		case v.Kind() == facts.Number:
			ok = facts.FormatNumber(v.Number()) == f.value
		case r.caseSensitive:
			ok = v.Text() == f.value
		default:
			ok = strings.EqualFold(v.Text(), f.value)
		}
		if !ok {
			return false
		}
	}
	return true
}

// containsFold tries every stretch of a text.
func containsFold(text, part string) bool {
	for i := range len(text) + 1 {
		for j := i; j <= len(text); j++ {
			if strings.EqualFold(text[i:j], part) {
				return true
			}
		}
	}
	return false
}

var (
	someTypes    = []string{"Panel", "Button", "TopLevel", "Screen"}
	someTexts    = []string{"", "a", "A", "é", "É", "Save", "save as", "k", "\u212a", "desk", "de\u017fk", "Straße", "STRASSE"}
	somePatterns = []string{"a", "^s", "e$", "save|desk", "s.v", "é", ""}
	someStates   = []string{"selected", "focused", "disabled", "readonly", "offscreen", "password"}
	allNames     = []string{
		"name", "text", "process", "selected", "focused", "disabled", "readonly", "offscreen", "password",
		"bounds.x", "bounds.y", "bounds.width", "bounds.height",
	}
)

func pick[T any](r *rand.Rand, from []T) T { return from[r.IntN(len(from))] }

// randomTree makes a tree that is now deep, now flat.
func randomTree(r *rand.Rand, size int) *facts.Tree {
	elements := make([]facts.Element, size)
	texts := make([]facts.ElementText, size)
	depth := r.IntN(4)
	open := []int{-1}
	for i := range elements {
		kind, _ := facts.ParseElementType(pick(r, someTypes))
		e := facts.Element{Type: kind, Parent: open[len(open)-1], States: facts.States(r.IntN(64) & r.IntN(64))}
		if r.IntN(3) > 0 {
			e.Name, e.HasName = pick(r, someTexts), true
		}
		if r.IntN(6) == 0 {
			e.Process, e.HasProcess = pick(r, someTexts), r.IntN(2) == 0
		}
		if r.IntN(2) == 0 {
			e.HasBounds = true
			e.Bounds = facts.Bounds{X: float64(r.IntN(3) - 1), Y: float64(r.IntN(2)), Width: float64(r.IntN(2)) / 2, Height: float64(r.IntN(2))}
			for _, part := range []*float64{&e.Bounds.X, &e.Bounds.Y, &e.Bounds.Width, &e.Bounds.Height} {
				if r.IntN(6) == 0 {
					*part = math.NaN() // not known
				}
			}
		}
		if r.IntN(2) == 0 {
			texts[i] = facts.ElementText{Text: pick(r, someTexts), OK: true}
		}
		elements[i] = e
		if r.IntN(5) <= depth {
			open = append(open, i)
		}
		for len(open) > 1 && r.IntN(4) == 0 {
			open = open[:len(open)-1]
		}
	}
	return facts.NewTreeWithTexts(elements, texts)
}

func randomQuery(r *rand.Rand) refQuery {
	q := refQuery{start: pick(r, []string{"//", "//", "//", "/", "/", ".//", "./", "."})}
	if strings.HasPrefix(q.start, ".") && r.IntN(4) == 0 {
		q.self = randomFilters(r, 1)
	}
	if q.start != "." {
		for k := range 1 + r.IntN(4) {
			s := refStep{link: "/", kind: pick(r, someTypes)}
			if r.IntN(2) == 0 {
				s.link = "//"
			}
			if k == 0 {
				s.link = ""
			}
			if r.IntN(4) == 0 {
				s.kind = "*"
			}
			if r.IntN(2) == 0 {
				s.filters = randomFilters(r, 2)
			}
			q.steps = append(q.steps, s)
		}
	}
	if r.IntN(3) == 0 {
		q.attribute = pick(r, allNames)
	}
	return q
}

func randomFilters(r *rand.Rand, most int) []refFilter {
	var all []refFilter
	for range 1 + r.IntN(most) {
		f := refFilter{attribute: pick(r, allNames)}
		switch {
		case r.IntN(3) == 0: // names are what queries mostly ask for
			f.attribute, f.value = "name", pick(r, someTexts)
		case slices.Contains(someStates, f.attribute):
			f.value = fmt.Sprint(r.IntN(3) == 0)
		case strings.HasPrefix(f.attribute, "bounds"):
			f.value = pick(r, []string{"0", "1", "-1", "0.5"})
		default:
			f.function, f.value = pick(r, []string{"", "contains", "matches"}), pick(r, someTexts)
			if f.function == "matches" {
				f.value = pick(r, somePatterns)
			}
		}
		all = append(all, f)
	}
	return all
}

func TestAgreesWithReference(t *testing.T) {
	trees, queries := 1_500, 20
	if testing.Short() {
		trees = 200
	}
	selected := 0
	for seed := range trees {
		r := rand.New(rand.NewPCG(uint64(seed), 7))
		size := r.IntN(30)
		if seed%20 == 0 {
			size = 200
		}
		tree := randomTree(r, size)
		ref := reference{tree: tree, primary: r.IntN(size+1) - 1, caseSensitive: r.IntN(4) == 0}
		indexes := []*visual.Index{visual.NewIndex(tree, ref.primary, ref.primary >= 0), fullIndex(t, tree, ref.primary)}
		options := visual.Options{CaseSensitive: ref.caseSensitive}
		for range queries {
			want := randomQuery(r)
			text := want.String()
			q, err := visual.Parse(text, options)
			if err != nil {
				t.Fatalf("%s: %s", text, err.Message)
			}
			elements, values, known := ref.eval(want)
			selected += len(elements)
			for _, index := range indexes {
				compare(t, seed, q, index, elements, values, known)
			}
		}
	}
	if selected < trees*queries/4 {
		t.Errorf("only %d elements selected by %d pairs: the test is too tame", selected, trees*queries)
	}
}

// fullIndex makes an index and asks it for names and paths until it has all
// indexes.
func fullIndex(t *testing.T, tree *facts.Tree, primary int) *visual.Index {
	index := visual.NewIndex(tree, primary, primary >= 0)
	for _, kind := range append([]string{"*"}, facts.ElementTypes()...) {
		q := parse(t, "//"+kind+"[@name='nothing']")
		for range 10 {
			q.Count(index, visual.Limits{})
		}
	}
	q := parse(t, "//*/*")
	for range 10 {
		q.Count(index, visual.Limits{})
	}
	return index
}

func compare(t *testing.T, seed int, q *visual.Query, index *visual.Index, elements []int, values []facts.Value, known bool) {
	t.Helper()
	var none visual.Limits
	want := visual.Done
	if !known {
		want = visual.NoPrimary
	}
	exists, o1 := q.Exists(index, none)
	count, o2 := q.Count(index, none)
	got, o3 := q.Select(index, none)
	read, o4 := q.Values(index, none)
	if o1 != want || o2 != want || o3 != want || o4 != want {
		t.Fatalf("seed %d: %s: outcomes %v, %v, %v, %v, want %v", seed, q, o1, o2, o3, o4, want)
	}
	if !slices.Equal(got, elements) || count != len(elements) || exists != (len(elements) > 0) {
		t.Fatalf("seed %d: %s: exists %v, count %d, elements %v, want %v", seed, q, exists, count, got, elements)
	}
	if !slices.EqualFunc(read, values, facts.Value.Equal) {
		t.Fatalf("seed %d: %s: %d values, want %d", seed, q, len(read), len(values))
	}
}
