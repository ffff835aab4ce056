package visual_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/pertain-dev/pertain/facts"
	"github.com/pertain-dev/pertain/internal/visual"
)

// office is a small tree that the tables below talk about.
//
//	0 Screen
//	1   TopLevel "Report - Visual Studio"  devenv
//	2     Panel "tools"
//	3       Button "Save"
//	4       Button "SAVE as"  disabled
//	5     Panel "main"
//	6       Document "report"  focused
//	7       Panel "inner"
//	8         Button "Save"
//	9   TopLevel  (no name)  shell
//	10    ListView
//	11      ListViewItem "Égalité"  selected
//	12 TopLevel "loose"
func office(read facts.TextReader) *facts.Tree {
	kind := func(name string) facts.ElementType {
		k, _ := facts.ParseElementType(name)
		return k
	}
	return facts.NewTree([]facts.Element{
		{Type: kind("Screen"), Parent: -1},
		{Type: kind("TopLevel"), Parent: 0, Name: "Report - Visual Studio", HasName: true, Process: "devenv", HasBounds: true, Bounds: facts.Bounds{X: -10, Width: 800}},
		{Type: kind("Panel"), Parent: 1, Name: "tools", HasName: true},
		{Type: kind("Button"), Parent: 2, Name: "Save", HasName: true},
		{Type: kind("Button"), Parent: 2, Name: "SAVE as", HasName: true, States: facts.Disabled},
		{Type: kind("Panel"), Parent: 1, Name: "main", HasName: true},
		{Type: kind("Document"), Parent: 5, Name: "report", HasName: true, States: facts.Focused},
		{Type: kind("Panel"), Parent: 5, Name: "inner", HasName: true},
		{Type: kind("Button"), Parent: 7, Name: "Save", HasName: true},
		{Type: kind("TopLevel"), Parent: 0, Process: "shell"},
		{Type: kind("ListView"), Parent: 9},
		{Type: kind("ListViewItem"), Parent: 10, Name: "Égalité", HasName: true, States: facts.Selected},
		{Type: kind("TopLevel"), Parent: -1, Name: "loose", HasName: true},
	}, read)
}

func TestSelect(t *testing.T) {
	tree := office(func(_ context.Context, i int) (string, bool) {
		return map[int]string{6: "an ERROR occurred", 8: "Warning"}[i], i == 6 || i == 8
	})
	for _, c := range []struct {
		query string
		want  []int
	}{
		{"//Button", []int{3, 4, 8}},
		{"//button", []int{3, 4, 8}},
		{"//Slider", nil},
		{"/Screen", []int{0}},
		{"/TopLevel", []int{1, 9, 12}}, // also below a screen
		{"/Screen/TopLevel", []int{1, 9}},
		{"/TopLevel/Panel/Button", []int{3, 4}},
		{"/Screen/TopLevel/Panel/Button", []int{3, 4}},
		{"/Panel", nil},
		{"/*", []int{0, 1, 9, 12}},
		{"/*/*", []int{1, 2, 5, 9, 10}},
		{"/Screen//Panel", []int{2, 5, 7}},
		{"//Screen", []int{0}}, // roots are included
		{"//Panel//Button", []int{3, 4, 8}},
		{"//Panel//Panel", []int{7}}, // a panel is not below itself
		{"//Panel/Panel", []int{7}},
		{"//Panel//Panel//Button", []int{8}},
		{"//TopLevel//*", []int{2, 3, 4, 5, 6, 7, 8, 10, 11}},
		{".", []int{5}},
		{".[@name='main']", []int{5}},
		{".[@name='tools']", nil},
		{".[@name='tools']//*", nil},
		{"./Panel", []int{7}},
		{"./Panel/Button", []int{8}},
		{"./Button", nil},
		{".//Panel", []int{5, 7}}, // the primary element is included
		{".//Button", []int{8}},
		{".//*", []int{5, 6, 7, 8}},
		{"//Button[@name='save']", []int{3, 8}},
		{"//Button[contains(@name,'Save')]", []int{3, 4, 8}},
		{"//Button[@name='save'][@name='SAVE']", []int{3, 8}},
		{"//Button[@name='save'][@name='x']", nil},
		{"//Button[@disabled=true]", []int{4}},
		{"//Button[@disabled=false]", []int{3, 8}},
		{"//Button[@disabled=false][@disabled=true]", nil},
		{"//*[@name='ÉGALITÉ']", []int{11}},
		{"//*[contains(@name,'ALITé')]", []int{11}},
		{"//*[@process='SHELL']", []int{9, 10, 11}}, // inherited
		{"//*[@bounds.width=800]", []int{1}},
		{"//*[@bounds.x=-10]", []int{1}},
		{"//*[@bounds.y=0]", []int{1}}, // without bounds there is no 0
		{"//*[@name='']", nil},         // nor an empty name without a name
		{"//*[contains(@name,'')]", []int{1, 2, 3, 4, 5, 6, 7, 8, 11, 12}},
		{"//*[matches(@text,'error|warning')]", []int{6, 8}},
		{"//*[matches(@text,'^error')]", nil},
		{"//*[@text='warning']", []int{8}},
		{"//TopLevel/@name", []int{1, 12}},
		{"//TopLevel[contains(@name,'studio')]/Panel/*/@text", []int{6}},
	} {
		for _, index := range []*visual.Index{visual.NewIndex(tree, 5, true), fullIndex(t, tree, 5)} {
			got, outcome := parse(t, c.query).Select(index, visual.Limits{})
			if outcome != visual.Done || !slices.Equal(got, c.want) {
				t.Errorf("%s selects %v (%v), want %v", c.query, got, outcome, c.want)
			}
		}
	}
}

func TestCaseSensitive(t *testing.T) {
	index := visual.NewIndex(office(nil), 0, false)
	for query, want := range map[string]int{
		"//Button[@name='Save']":             2,
		"//Button[@name='save']":             0,
		"//Button[contains(@name,'SAVE')]":   1,
		"//Button[matches(@name,'^S[A-Z]')]": 1,
	} {
		q, err := visual.Parse(query, visual.Options{CaseSensitive: true})
		if err != nil {
			t.Fatal(err.Message)
		}
		if n, _ := q.Count(index, visual.Limits{}); n != want {
			t.Errorf("%s counts %d, want %d", query, n, want)
		}
	}
}

func TestValues(t *testing.T) {
	index := visual.NewIndex(office(func(_ context.Context, i int) (string, bool) { return fmt.Sprint("text ", i), i%2 == 0 }), 6, true)
	for _, c := range []struct {
		query string
		want  []facts.Value
	}{
		{"//TopLevel/@name", []facts.Value{facts.Text("Report - Visual Studio"), facts.Text("loose")}},
		{"//TopLevel/@process", []facts.Value{facts.Text("devenv"), facts.Text("shell")}},
		{"//Button/@disabled", []facts.Value{facts.Flag(false), facts.Flag(true), facts.Flag(false)}},
		{"//*/@bounds.width", []facts.Value{facts.Num(800)}},
		{"//Button/@text", []facts.Value{facts.Text("text 4"), facts.Text("text 8")}},
		{"./@name", []facts.Value{facts.Text("report")}},
		{"//Slider/@name", nil},
		{"//Button", nil},
	} {
		got, outcome := parse(t, c.query).Values(index, visual.Limits{})
		if outcome != visual.Done || !slices.EqualFunc(got, c.want, facts.Value.Equal) {
			t.Errorf("%s: %v (%v), want %v", c.query, got, outcome, c.want)
		}
	}
}

// An attribute is read of the element alone, or is absent.
func TestAttributeOf(t *testing.T) {
	tree := office(func(_ context.Context, i int) (string, bool) { return "text", i == 6 })
	for _, c := range []struct {
		attribute visual.Attribute
		element   int
		want      facts.Value
	}{
		{visual.Name, 3, facts.Text("Save")},
		{visual.Name, 9, facts.Value{}},
		{visual.Process, 9, facts.Text("shell")},
		{visual.Process, 12, facts.Value{}},
		{visual.Text, 6, facts.Text("text")},
		{visual.Text, 7, facts.Value{}},
		{visual.Disabled, 4, facts.Flag(true)},
		{visual.Disabled, 3, facts.Flag(false)},
		{visual.BoundsX, 1, facts.Num(-10)},
		{visual.BoundsX, 2, facts.Value{}},
		{visual.NoAttribute, 1, facts.Value{}},
	} {
		if got := c.attribute.Of(t.Context(), tree, c.element); !got.Equal(c.want) || got.IsAbsent() != c.want.IsAbsent() {
			t.Errorf("@%s of %d is %v, want %v", c.attribute, c.element, got, c.want)
		}
	}
}

func TestOutcomes(t *testing.T) {
	for outcome, want := range map[visual.Outcome]string{
		visual.Done: "done", visual.NoPrimary: "there is no primary element", visual.TimedOut: "the query took too long", visual.RegexTimedOut: "a regular expression of the query took too long",
	} {
		if outcome.String() != want {
			t.Errorf("%d is %q, want %q", outcome, outcome, want)
		}
	}
}

func TestPrimary(t *testing.T) {
	tree := office(nil)
	for _, c := range []struct {
		element int
		has, ok bool
	}{{0, true, true}, {12, true, true}, {13, true, false}, {-1, true, false}, {5, false, false}} {
		if element, ok := visual.NewIndex(tree, c.element, c.has).Primary(); ok != c.ok || ok && element != c.element {
			t.Errorf("%d (%v): the primary element is %d, %v", c.element, c.has, element, ok)
		}
	}
}

// TestWhole: an answer is whole if the tree is, or if nothing that is missing could be selected.
func TestWhole(t *testing.T) {
	tree := func(part string, elements []facts.Element, texts []facts.ElementText) *facts.Tree {
		made := facts.NewTreeWithTexts(elements, texts)
		if part != "" {
			made.MarkPartial(part)
		}
		return made
	}
	kind := func(name string) facts.ElementType {
		k, _ := facts.ParseElementType(name)
		return k
	}
	// nested has a screen that is no root, and a window in it that may have more below.
	nested := []facts.Element{
		{Type: kind("Panel"), Parent: -1},
		{Type: kind("Screen"), Parent: 0},
		{Type: kind("TopLevel"), Parent: 1, Cut: true},
		{Type: kind("Button"), Parent: 1},
	}
	all := slices.Clone(nested)
	all[2].Cut = false
	texts := make([]facts.ElementText, len(all))
	unread := slices.Clone(texts)
	unread[3].Unread = true
	for _, c := range []struct {
		name  string
		tree  *facts.Tree
		query string
		want  bool
	}{
		{"all of it", tree("", all, texts), "//Button", true},
		{"all of it", tree("", all, texts), "//Button[@text='x']", true},
		{"a text is not known", tree("", all, unread), "//Button", true},
		{"a text is not known", tree("", all, unread), "//Button/@text", false},
		{"a text is not known", tree("", all, unread), "//Button[@text='x']", false},
		{"a text is not known", tree("", all, unread), ".[@text='x']", false},
		{"a part, who knows which", tree("large", all, texts), "//Button", false},
		{"a part, who knows which", tree("large", all, texts), "./@name", true},
		{"below the window", tree("large", nested, texts), "//Button", false},
		{"below the window", tree("large", nested, texts), "//TopLevel", true}, // no window is in another
		{"below the window", tree("large", nested, texts), "/Panel/Screen/TopLevel/Button", false},
		{"below the window", tree("large", nested, texts), "/Panel/Screen/*", true},
		{"below the window", tree("large", nested, texts), "./Screen/*", true},
		{"below the window", tree("large", nested, texts), "./Screen/TopLevel/*", false},
		{"below the window", tree("large", nested, texts), ".//Button", false},
	} {
		if got := parse(t, c.query).Whole(visual.NewIndex(c.tree, 0, true)); got != c.want {
			t.Errorf("%s: %s is whole: %v", c.name, c.query, got)
		}
	}
}

func TestNoPrimary(t *testing.T) {
	for _, tree := range []*facts.Tree{office(nil), facts.NewTree(nil, nil)} {
		for _, query := range []string{".", "./Panel", ".//Panel", "./@name"} {
			q := parse(t, query)
			for _, index := range []*visual.Index{visual.NewIndex(tree, 0, false), visual.NewIndex(tree, tree.Len(), true), visual.NewIndex(tree, -1, true)} {
				if found, outcome := q.Exists(index, visual.Limits{}); found || outcome != visual.NoPrimary {
					t.Errorf("%s: %v, %v", query, found, outcome)
				}
			}
		}
	}
}

// The text of an element is read only if a query names it, and only after all
// else is known to fit.
func TestTextIsReadLast(t *testing.T) {
	for _, c := range []struct {
		query string
		reads []int
	}{
		{"//*", nil},
		{"//Button[contains(@name,'x')]/@name", nil},
		{"//*[@selected=true][matches(@name,'.')]", nil},
		{"//Button[contains(@text,'x')]", []int{3, 4, 8}},
		{"//Button[contains(@text,'x')][@disabled=true]", []int{4}},
		{"//Button[matches(@text,'x')][@name='save']", []int{3, 8}},
		{"//Button[@text='x'][@bounds.x=1]", nil},
		{"//Button[@text='x'][contains(@name,'as')]", []int{4}},
		{"/TopLevel/Panel/Button[@text='x']", []int{3, 4}},
		{"//Panel[@name='inner']/Button[@text='x']", []int{8}},
		{"//Panel[@text='x']/Button[@name='none']", nil},
		{"//Panel[@text='x']/Button[@disabled=true]", []int{2}},
		{"//TopLevel[@name='x']/Panel[@text='x']/Button", nil},
		{"//TopLevel[@name='x']//Panel[@text='x']//Button", nil},
		{"//Slider/@text", nil},
		{"//Button/@text", []int{3, 4, 8}},
		{"//Button[@disabled=true]/@text", []int{4}},
		{".[@text='x']", []int{6}},
		{".[@text='x'][@focused=false]", nil},
	} {
		for _, indexed := range []bool{false, true} {
			var reads []int
			tree := office(func(_ context.Context, i int) (string, bool) {
				reads = append(reads, i)
				return "nothing", true
			})
			index := visual.NewIndex(tree, 6, true)
			if indexed {
				index = fullIndex(t, tree, 6)
			}
			if _, outcome := parse(t, c.query).Count(index, visual.Limits{}); outcome != visual.Done {
				t.Errorf("%s: %v", c.query, outcome)
			}
			slices.Sort(reads)
			if !slices.Equal(reads, c.reads) {
				t.Errorf("%s reads the texts of %v, want %v (index %v)", c.query, reads, c.reads, indexed)
			}
		}
	}
}

func TestStopsEarly(t *testing.T) {
	reads := 0
	tree := office(func(context.Context, int) (string, bool) { reads++; return "x", true })
	index := visual.NewIndex(tree, 0, false)
	if found, _ := parse(t, "//*[@text='x']").Exists(index, visual.Limits{}); !found || reads != 1 {
		t.Errorf("Exists: %v after %d texts", found, reads)
	}
	reads = 0
	if found, _ := parse(t, "//Panel[@text='x']/*").Exists(index, visual.Limits{}); !found || reads != 1 {
		t.Errorf("Exists: %v after %d texts above", found, reads)
	}
	visited := 0
	outcome := parse(t, "//Button/@name").Visit(index, visual.Limits{}, func(int, facts.Value) bool {
		visited++
		return visited < 2
	})
	if visited != 2 || outcome != visual.Done {
		t.Errorf("Visit: %d visited, %v", visited, outcome)
	}
}

func TestTimeLimits(t *testing.T) {
	small, large := office(nil), desktop(50_000)
	past := visual.Limits{Deadline: time.Unix(1, 0)}
	gone, leave := context.WithCancel(t.Context())
	leave()
	for _, c := range []struct {
		tree   *facts.Tree
		query  string
		limits visual.Limits
		want   visual.Outcome
	}{
		{small, "//Button", past, visual.TimedOut},
		{small, ".", past, visual.TimedOut},
		{small, "/TopLevel", past, visual.TimedOut},
		{small, "//Button", visual.Limits{Deadline: time.Now().Add(time.Hour)}, visual.Done},
		{small, "//Button", visual.Limits{Time: time.Hour, Regex: time.Hour}, visual.Done},
		{small, "//Button[matches(@name,'e$')]", visual.Limits{Time: time.Hour}, visual.Done},
		{small, "//Button[matches(@name,'e$')]", visual.Limits{Time: time.Hour, Context: gone}, visual.TimedOut},
		{small, "//Button", visual.Limits{Deadline: time.Unix(1, 0), Time: time.Hour}, visual.TimedOut}, // whichever is over first
		{large, "//*[contains(@name,'zzz')]", visual.Limits{Deadline: time.Now().Add(time.Hour), Time: 1}, visual.TimedOut},
		{small, "//Button", visual.Limits{Deadline: time.Now().Add(time.Hour), Context: t.Context()}, visual.Done},
		{small, "//Button", visual.Limits{Deadline: time.Now().Add(time.Hour), Context: gone}, visual.TimedOut},
		{large, "//*[contains(@name,'zzz')]", visual.Limits{Time: 1}, visual.TimedOut},
		{large, "//*//*[contains(@name,'zzz')]/*", visual.Limits{Time: 1}, visual.TimedOut},
		{large, "//Document[contains(@text,'zzz')]", visual.Limits{Time: 1}, visual.TimedOut},
		{large, "//Document[matches(@text,'zz+')]", visual.Limits{Time: 1}, visual.TimedOut},
		{large, "//Document[contains(@text,'zzz')]", visual.Limits{Time: time.Hour}, visual.Done},
		{large, "//Document/@text", visual.Limits{Time: 1}, visual.TimedOut},
	} {
		q := parse(t, c.query)
		index := visual.NewIndex(c.tree, 0, true)
		if _, outcome := q.Count(index, c.limits); outcome != c.want {
			t.Errorf("%s: Count is %v, want %v", c.query, outcome, c.want)
		}
		if _, outcome := q.Select(index, c.limits); outcome != c.want {
			t.Errorf("%s: Select is %v, want %v", c.query, outcome, c.want)
		}
	}
}

// An expression that never ends is stopped by its own limit, or by the query's
// where that is nearer, and when whoever asked has gone.
func TestRegexTimeLimit(t *testing.T) {
	tree := office(func(context.Context, int) (string, bool) { return strings.Repeat("a", 5_000) + "!b", true })
	q := parse(t, `//Document[matches(@text,'^(a+)+\1b')]`)
	for _, c := range []struct {
		limits visual.Limits
		want   visual.Outcome
	}{
		{visual.Limits{Regex: time.Millisecond}, visual.RegexTimedOut},
		{visual.Limits{Regex: time.Millisecond, Time: time.Hour}, visual.RegexTimedOut},
		{visual.Limits{Regex: time.Hour, Time: time.Millisecond}, visual.TimedOut},
		{visual.Limits{Time: time.Millisecond}, visual.TimedOut},
	} {
		index := visual.NewIndex(tree, 0, false)
		if found, outcome := q.Exists(index, c.limits); found || outcome != c.want {
			t.Errorf("%+v: %v, %v, want %v", c.limits, found, outcome, c.want)
		}
	}
	// What was found before is no answer.
	part := facts.NewTree([]facts.Element{{Parent: -1, Name: "short", HasName: true}, {Parent: 0}, {Parent: -1, Name: strings.Repeat("a", 5_000) + "!b", HasName: true}, {Parent: 2}}, nil)
	if found, outcome := parse(t, `//*[matches(@name,'^(?:short$|(a+)+\1b)')]/*`).Exists(visual.NewIndex(part, 0, false), visual.Limits{Regex: time.Millisecond}); found || outcome != visual.RegexTimedOut {
		t.Errorf("%v, %v", found, outcome)
	}
	for _, limits := range []visual.Limits{{}, {Regex: time.Hour}, {Regex: time.Hour, Time: time.Hour}} {
		gone, stop := context.WithCancel(t.Context())
		leaves := office(func(context.Context, int) (string, bool) {
			stop() // with the text at hand, the expression is what remains
			return strings.Repeat("a", 5_000) + "!b", true
		})
		limits.Context = gone
		if found, outcome := q.Exists(visual.NewIndex(leaves, 0, false), limits); found || outcome == visual.Done {
			t.Errorf("%+v: %v, %v", limits, found, outcome)
		}
	}
}

// An expression that is reached when the time is over already is not run for as long as it likes, and one that takes a
// while without any look at the clock before it is not taken for late.
func TestRegexAtTheEnd(t *testing.T) {
	late := office(func(ctx context.Context, _ int) (string, bool) {
		<-ctx.Done()
		return strings.Repeat("a", 5_000) + "!b", true
	})
	q := parse(t, `//Document[matches(@text,'^(a+)+\1b')]`)
	if found, outcome := q.Exists(visual.NewIndex(late, 0, false), visual.Limits{Time: time.Millisecond}); found || outcome != visual.TimedOut {
		t.Errorf("%v, %v", found, outcome)
	}
	named := facts.NewTree([]facts.Element{{Parent: -1, HasName: true, Name: strings.Repeat("a", 1_500) + "!b"}}, nil)
	q = parse(t, `//*[matches(@name,'(a+)\1+!b$')]`)
	if found, outcome := q.Exists(visual.NewIndex(named, 0, false), visual.Limits{Time: time.Hour}); !found || outcome != visual.Done {
		t.Errorf("%v, %v", found, outcome)
	}
}

// The context that texts are read in ends with the query, for each of them.
func TestReadingEnds(t *testing.T) {
	var reading []context.Context
	tree := office(func(ctx context.Context, _ int) (string, bool) {
		reading = append(reading, ctx)
		return "x", true
	})
	if n, outcome := parse(t, "//Button[@text='x']").Count(visual.NewIndex(tree, 0, false), visual.Limits{Time: time.Hour}); outcome != visual.Done || n != len(reading) {
		t.Errorf("%d, %v", n, outcome)
	}
	for i, ctx := range reading {
		if ctx.Err() == nil {
			t.Errorf("text %d may still be read", i)
		}
	}
}

// A text that comes at the last moment counts, where it is all that was to be known.
func TestTextAtTheEnd(t *testing.T) {
	tree := office(func(ctx context.Context, _ int) (string, bool) {
		<-ctx.Done()
		return "x", true
	})
	if n, outcome := parse(t, "//Document[@text='x']").Count(visual.NewIndex(tree, 0, false), visual.Limits{Time: time.Millisecond}); n != 1 || outcome != visual.Done {
		t.Errorf("%d, %v", n, outcome)
	}
}

// An expression that asks for the replacement character takes bytes that are not UTF-8 for it.
func TestMatchesBytes(t *testing.T) {
	index := visual.NewIndex(facts.NewTree([]facts.Element{{Parent: -1, Name: "a\xffb", HasName: true}}, nil), 0, false)
	for query, want := range map[string]bool{"//*[matches(@name,'a\ufffdb')]": true, "//*[matches(@name,'xyz|a\ufffdb')]": true, "//*[matches(@name,'a\ufffdc')]": false} {
		if found, outcome := parse(t, query).Exists(index, visual.Limits{}); found != want || outcome != visual.Done {
			t.Errorf("%s: %v, %v", query, found, outcome)
		}
	}
}

// A query longer than the memory that is kept for the usual ones.
func TestLongQuery(t *testing.T) {
	elements := make([]facts.Element, 40)
	for i := range elements {
		elements[i].Parent = i - 1
		elements[i].Type = facts.ElementType(4)
	}
	index := visual.NewIndex(facts.NewTree(elements, nil), 0, false)
	for _, c := range []struct {
		query string
		want  int
	}{
		{strings.Repeat("/Button", 40), 1},
		{strings.Repeat("/Button", 41), 0},
		{strings.Repeat("//Button", 20), 21},
		{strings.Repeat("//Button/*", 15), 11},
	} {
		if n, outcome := parse(t, c.query).Count(index, visual.Limits{}); n != c.want || outcome != visual.Done {
			t.Errorf("%s: %d (%v), want %d", c.query, n, outcome, c.want)
		}
	}
}

func TestNoAllocations(t *testing.T) {
	tree := desktop(2_000)
	for _, text := range workload {
		q := parse(t, text)
		index := visual.NewIndex(tree, 0, true)
		limits := visual.Limits{Time: time.Hour}
		for range 50 { // whatever is prepared once
			q.Count(index, limits)
		}
		if n := testing.AllocsPerRun(20, func() { q.Count(index, limits); q.Exists(index, limits) }); n > 0 && !strings.Contains(text, "matches") {
			t.Errorf("%s allocates %v times", text, n)
		}
	}
}

// Many goroutines on one index, while its columns and its index come to be.
func TestConcurrent(t *testing.T) {
	tree := desktop(3_000)
	q := parse(t, "//TopLevel//Button[@name='Save']")
	want, _ := q.Count(visual.NewIndex(tree, 0, true), visual.Limits{})
	index := visual.NewIndex(tree, 0, true)
	results := make(chan int)
	for range 8 {
		go func() {
			for range 100 {
				n, _ := q.Count(index, visual.Limits{})
				results <- n
			}
		}()
	}
	for range 800 {
		if n := <-results; n != want || want == 0 {
			t.Fatalf("counted %d, want %d", n, want)
		}
	}
}

// TestTextThatHangs: a text that did not come in time is unknown, not missing.
func TestTextThatHangs(t *testing.T) {
	tree := office(func(ctx context.Context, _ int) (string, bool) {
		<-ctx.Done()
		return "", false
	})
	index := visual.NewIndex(tree, 0, false)
	q, bad := visual.Parse("//Document[contains(@text,'x')]", visual.Options{})
	if bad != nil {
		t.Fatal(bad)
	}
	if _, outcome := q.Exists(index, visual.Limits{Time: time.Millisecond}); outcome != visual.TimedOut {
		t.Errorf("with a limit: %v", outcome)
	}
	gone, end := context.WithCancel(t.Context())
	end()
	if _, outcome := q.Count(index, visual.Limits{Context: gone}); outcome != visual.TimedOut {
		t.Errorf("for somebody who has gone: %v", outcome)
	}
}
