package facts_test

import (
	"context"
	"encoding/json"
	"math"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/facts"
)

func TestValues(t *testing.T) {
	object := facts.Fields(facts.Field{Name: "b", Value: facts.Num(1.5)}, facts.Field{Name: "a", Value: facts.Flag(true)}, facts.Field{Name: "n", Value: facts.Value{}})
	for _, tt := range []struct {
		value facts.Value
		kind  facts.Kind
		json  string
	}{
		{facts.Value{}, facts.Absent, "null"},
		{facts.Text("<é>"), facts.String, `"\u003cé\u003e"`},
		{facts.Num(10485760), facts.Number, "10485760"},
		{facts.Flag(false), facts.Bool, "false"},
		{facts.List(), facts.Array, "[]"},
		{facts.Texts("a", "b"), facts.Array, `["a","b"]`},
		{object, facts.Object, `{"b":1.5,"a":true,"n":null}`}, // fields keep their order
		{facts.Fields(), facts.Object, "{}"},
	} {
		data, err := json.Marshal(tt.value)
		if err != nil || string(data) != tt.json || tt.value.Kind() != tt.kind {
			t.Errorf("%s %s, %v, want %s", tt.value.Kind(), data, err, tt.json)
		}
		if !tt.value.Equal(tt.value) {
			t.Errorf("%s is not itself", tt.json)
		}
	}
	if _, err := json.Marshal(facts.List(facts.Num(math.Inf(1)))); err == nil {
		t.Error("infinity is written")
	}
	for _, pair := range [][2]facts.Value{
		{facts.Text("1"), facts.Num(1)},
		{facts.Flag(true), facts.Num(1)},
		{facts.Texts("a"), facts.Texts("b")},
		{facts.List(), facts.Value{}},
		{object, facts.Fields()},
		{facts.Texts("a"), facts.Texts("a", "a")},
	} {
		if pair[0].Equal(pair[1]) {
			t.Errorf("%v equals %v", pair[0], pair[1])
		}
	}
	if !object.Field("nothing").IsAbsent() || !facts.Text("x").Field("a").IsAbsent() || object.Field("b").Number() != 1.5 || !object.Field("a").Bool() || facts.Num(1).Bool() {
		t.Error("fields")
	}
	for n, want := range map[float64]string{3: "3", 1.5: "1.5", 10485760: "10485760", -0.25: "-0.25", 1e21: "1000000000000000000000"} {
		if got := facts.FormatNumber(n); got != want {
			t.Errorf("FormatNumber(%v) = %s", n, got)
		}
	}
}

func TestItem(t *testing.T) {
	item := facts.Fields(facts.Field{Name: "a", Value: facts.Fields(facts.Field{Name: "b", Value: facts.Text("x")})}, facts.Field{Name: "s", Value: facts.Text("y")})
	for path, want := range map[string]string{"a.b": "x", "s": "y", "a.c": "", "s.b": "", "z": "", "a.b.c": ""} {
		if got := facts.Item(item, path); got.Text() != want || got.IsAbsent() != (want == "") {
			t.Errorf("Item(%s) = %v", path, got)
		}
	}
}

func TestWith(t *testing.T) {
	before := facts.NewSnapshot(facts.Parts{
		Values: facts.Fields(facts.Field{Name: "clipboard", Value: facts.Text("not an object")}),
		Absent: map[string]facts.Absence{"extra.browser": {Code: diag.ExtraProviderTimeout, Reason: "too slow"}},
	})
	after := before.With("clipboard.text", facts.Text("x")).With("attachments.files", facts.List(facts.Fields(facts.Field{Name: "path", Value: facts.Text("/p")})))
	if at(t, after, "clipboard.text").Text() != "x" || at(t, after, "attachments.files[].path").Items()[0].Text() != "/p" {
		t.Errorf("%v", after.Values())
	}
	if !at(t, before, "clipboard.text").IsAbsent() || len(before.Known()) != 0 {
		t.Error("a snapshot changed")
	}
	if after.WhyAbsent("extra.browser").Reason != "too slow" || after.WhyAbsent("visual") != (facts.Absence{}) {
		t.Error("why something is not there was lost")
	}
	if after.With("nonsense.path", facts.Text("x")) != after || after.With("attachments.files[].path", facts.Texts("x")) != after {
		t.Error("a path that cannot be set was set")
	}
	if diff := cmp.Diff([]string{"attachments.files", "attachments.files[].extension", "attachments.files[].mimeType", "attachments.files[].path", "clipboard.text"}, after.Known()); diff != "" {
		t.Error(diff)
	}
}

// TestTextIsReadOnce holds that an expensive text is read when asked for, once, however many ask.
func TestTextIsReadOnce(t *testing.T) {
	var reads atomic.Int64
	tree := facts.NewTree(make([]facts.Element, 3), func(_ context.Context, i int) (string, bool) {
		reads.Add(1)
		return strings.Repeat("é", 70_000), i != 1
	})
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for i := range 2 {
				text, ok := tree.Text(t.Context(), i)
				if ok != (i == 0) || ok && len([]rune(text)) != facts.MaxText {
					t.Errorf("element %d: %d characters, %v", i, len([]rune(text)), ok)
				}
			}
		})
	}
	wg.Wait()
	if reads.Load() != 2 {
		t.Errorf("%d reads, want one for each element that was asked about", reads.Load())
	}
}

// TestTextCanBeCancelled holds that neither a hanging program nor somebody else who waits for it holds up who has gone, and that what could not
// be read in time is read when it is asked for again.
func TestTextCanBeCancelled(t *testing.T) {
	begun, hanging := make(chan struct{}, 1), atomic.Bool{}
	hanging.Store(true)
	tree := facts.NewTree(make([]facts.Element, 1), func(ctx context.Context, _ int) (string, bool) {
		if hanging.Load() {
			begun <- struct{}{}
			<-ctx.Done()
			return "", false
		}
		return "text", true
	})
	first, endFirst := context.WithCancel(t.Context())
	done := make(chan bool)
	go func() {
		_, ok := tree.Text(first, 0)
		done <- ok
	}()
	<-begun
	second, endSecond := context.WithCancel(t.Context())
	endSecond()
	if _, ok := tree.Text(second, 0); ok {
		t.Error("who has gone got a text")
	}
	endFirst()
	if <-done {
		t.Error("a program that hangs gave a text")
	}
	hanging.Store(false)
	if text, ok := tree.Text(t.Context(), 0); !ok || text != "text" {
		t.Errorf("asked again: %q, %v", text, ok)
	}
}

func TestPartialTree(t *testing.T) {
	s, err := facts.Decode("c.json", []byte(`{"visual": {"partial": true, "roots": [{"type": "TopLevel", "children": [{"type": "Panel", "cut": true}, {"type": "Button"}]}]}}`))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]int32{1}, s.Tree().Cuts()); diff != "" || s.Tree().Partial() == "" {
		t.Errorf("%q %s", s.Tree().Partial(), diff)
	}
	whole, err := facts.Decode("c.json", []byte(`{"visual": {"roots": [{"type": "TopLevel"}]}}`))
	if err != nil || whole.Tree().Partial() != "" || len(whole.Tree().Cuts()) > 0 {
		t.Errorf("a whole tree is partial: %v", err)
	}
}

func TestTree(t *testing.T) {
	elements := []facts.Element{
		{ID: "a", Type: facts.ScreenType, Process: "p", Parent: -1},
		{Type: 31, Parent: 0},
		{ID: "c", Type: 4, Parent: 1, Process: "q"},
		{Type: 4, Parent: 2},
		{Type: 4, Parent: 0},
		{Type: 4, Parent: 99}, // a parent that is not there yet: a root
		{Type: 200, Parent: -1},
	}
	tree := facts.NewTree(elements, nil)
	var ends []int
	var processes []string
	for i := range tree.Len() {
		ends, processes = append(ends, tree.At(i).End), append(processes, tree.At(i).Process)
	}
	if diff := cmp.Diff([]int{5, 4, 4, 4, 5, 6, 7}, ends); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{"p", "p", "q", "q", "p", "", ""}, processes); diff != "" {
		t.Errorf("the nearest ancestor's process: %s", diff)
	}
	if diff := cmp.Diff([]int{0, 5, 6}, tree.Roots()); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]int32{2, 3, 4, 5}, tree.OfType(4)); diff != "" {
		t.Error(diff)
	}
	if tree.At(6).Type != facts.UnknownType {
		t.Errorf("a type that there is not is %s", tree.At(6).Type)
	}
	if _, ok := tree.ByID(""); ok {
		t.Error("an element without an id is found by none")
	}
	if _, ok := tree.Text(t.Context(), 0); ok {
		t.Error("there is no text")
	}
}

func TestElementNames(t *testing.T) {
	for i, name := range facts.ElementTypes() {
		k, ok := facts.ParseElementType(strings.ToUpper(name))
		if !ok || int(k) != i || k.String() != name {
			t.Errorf("%s = %d, %v", name, k, ok)
		}
	}
	if n := len(facts.ElementTypes()); n != 34 {
		t.Errorf("%d types, want the contract's 34", n)
	}
	if facts.ScreenType.String() != "Screen" || facts.UnknownType.String() != "Unknown" || facts.ElementType(200).String() != "Unknown" {
		t.Error("the types with a name of their own")
	}
	if _, ok := facts.ParseElementType("Window"); ok {
		t.Error("there is no Window")
	}
	if facts.ParseState("ReadOnly") != facts.ReadOnly || facts.ParseState("hovered") != 0 {
		t.Error("states")
	}
}
