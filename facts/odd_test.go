package facts_test

import (
	"encoding/json"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/facts"
)

func decoded(t *testing.T, text string) *facts.Snapshot {
	t.Helper()
	s, err := facts.Decode("x.json", []byte(text))
	if err != nil {
		t.Fatalf("%.80s: %v", text, err)
	}
	return s
}

// TestDecodeOddElements: what is wrong with one element is told with its path and
// leaves the others as they are.
func TestDecodeOddElements(t *testing.T) {
	const secret = "s3cret"
	for text, want := range map[string]struct {
		types string // of the elements that are there
		odd   []string
	}{
		`[{"type": "Button"}, {"type": "s3cret"}]`: {"Button Unknown", []string{"`visual.roots[1].type` is not a known element type; it counts as `Unknown`; did you mean `Screen`?"}},
		`[{"type": "Panel"}, {"type": "Panel", "children": [{"type": "Buton", "children": [{"type": "Label"}]}]}]`: {
			"Panel Panel Unknown Label",
			[]string{"`visual.roots[1].children[0].type` is not a known element type; it counts as `Unknown`; did you mean `Button`?"},
		},
		`[{"name": "s3cret"}, {"type": "Label"}]`:            {"Unknown Label", []string{"`visual.roots[0]` has no `type`; it counts as `Unknown`; write one, such as `Button`"}},
		`[{"type": 5}, {"type": null}]`:                      {"Unknown Unknown", []string{"`visual.roots[0]` has no `type`; it counts as `Unknown`; write one, such as `Button`", "`visual.roots[1]` has no `type`; it counts as `Unknown`; write one, such as `Button`"}},
		`["s3cret", {"type": "Label", "children": [[], 5]}]`: {"Label", []string{"`visual.roots[0]` is a string; it was left out; an element is an object with a `type`, such as Button", "`visual.roots[1].children[0]` is an array; it was left out; an element is an object with a `type`, such as Button", "`visual.roots[1].children[1]` is a number; it was left out; an element is an object with a `type`, such as Button"}},
		`[{"type": "button", "name": 5, "id": 12345678901234567890, "text": true, "states": "focused", "process": 7, "bounds": [1], "children": {}}]`: {"Button", nil},
		`[]`: {"", nil},
	} {
		s := decoded(t, `{"visual": {"roots": `+text+`}, "clipboard": {"text": "kept"}}`)
		var types, odd []string
		for i := range s.Tree().Len() {
			types = append(types, s.Tree().At(i).Type.String())
		}
		for _, d := range s.Diagnostics() {
			if d.Code != diag.ContextUnknownType || d.Severity != diag.Warning {
				t.Errorf("%s: %s %s", text, d.Severity, d.Code)
			}
			if !strings.HasPrefix(d.Message, "`"+d.Path+"` ") {
				t.Errorf("%s: %q is told at %s", text, d.Message, d.Path)
			}
			said := d.Message
			if d.Hint != "" {
				said += "; " + d.Hint
			}
			if strings.Contains(said, secret) {
				t.Errorf("%s: %q tells what the file holds", text, said)
			}
			odd = append(odd, said)
		}
		if got := strings.Join(types, " "); got != want.types {
			t.Errorf("%s: elements %s, want %s", text, got, want.types)
		}
		if diff := cmp.Diff(want.odd, odd); diff != "" {
			t.Errorf("%s:\n%s", text, diff)
		}
		if s.With("clipboard.text", facts.Text("other")).Diagnostics() == nil && len(odd) > 0 {
			t.Errorf("%s: what is odd is forgotten", text)
		}
	}
}

// TestDecodeWrongKinds: an element's parts of a wrong kind are as if they were
// not there.
func TestDecodeWrongKinds(t *testing.T) {
	s := decoded(t, `{"visual": {"roots": [{"type": "Panel", "process": "p", "children": [
		{"type": "button", "name": 5, "id": 12345678901234567890, "text": 12345678901234567890, "states": [12345678901234567890, "focused"], "process": 12345678901234567890, "bounds": {"x": "1", "y": true, "cut": 1}}]}]}}`)
	e := s.Tree().At(1)
	if _, has := s.Tree().Text(t.Context(), 1); has || e.HasName || e.ID != "" || e.States != facts.Focused || e.Process != "p" || e.HasBounds || e.Cut {
		t.Errorf("%+v", e)
	}
}

func TestDecodeManyOddElements(t *testing.T) {
	s := decoded(t, `{"visual": {"roots": [`+strings.Repeat(`{"type": "x"},`, 250)+`{"type": "Button"}]}}`)
	odd := s.Diagnostics()
	if len(odd) != 101 || s.Tree().Len() != 251 || odd[99].Path != "visual.roots[99].type" || odd[100].Message != "150 more elements have no known type" {
		t.Errorf("%d are told, the last: %+v", len(odd), odd[len(odd)-1])
	}
	if exactly := decoded(t, `{"visual": {"roots": [`+strings.Repeat(`{"type": "x"},`, 99)+`{"type": "y"}]}}`).Diagnostics(); len(exactly) != 100 {
		t.Errorf("%d of 100 are told", len(exactly))
	}
}

// TestDecodeRootsOfAnotherKind: there are no elements, with the reason, and the
// rest is read.
func TestDecodeRootsOfAnotherKind(t *testing.T) {
	s := decoded(t, `{"visual": {"roots": "s3cret"}, "clipboard": {"text": "kept"}}`)
	why := s.WhyAbsent("visual")
	if s.Tree() != nil || why.Code != diag.VisualUnavailable || why.Reason != "`visual.roots` is a string, not an array of elements" {
		t.Errorf("%+v", why)
	}
	if path, _ := facts.Lookup("clipboard.text"); s.At(path).Text() != "kept" {
		t.Error("the clipboard is lost")
	}
}

func TestDecodeProcess(t *testing.T) {
	s := decoded(t, `{"visual": {"roots": [{"type": "TopLevel", "process": "code", "children": [
		{"type": "Panel", "process": "", "children": [{"type": "Button"}]}, {"type": "Label"}, {"type": "Label", "process": null}]}, {"type": "Screen"}]}}`)
	var got []string
	for i := range s.Tree().Len() {
		e := s.Tree().At(i)
		got = append(got, fmt.Sprintf("%s %q %v", e.Type, e.Process, e.HasProcess))
	}
	want := []string{`TopLevel "code" true`, `Panel "" true`, `Button "" true`, `Label "code" true`, `Label "code" true`, `Screen "" false`}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	sameForm(t, s)
}

// TestDecodeBounds: each part is known or not on its own.
func TestDecodeBounds(t *testing.T) {
	unknown := math.NaN()
	for text, want := range map[string]facts.Bounds{
		`{"x": 1, "y": 2, "width": 3, "height": 4}`:         {X: 1, Y: 2, Width: 3, Height: 4},
		`{"x": 1, "y": 2, "width": 3}`:                      {X: 1, Y: 2, Width: 3, Height: unknown},
		`{"height": 0}`:                                     {X: unknown, Y: unknown, Width: unknown, Height: 0},
		`{"y": -5.5}`:                                       {X: unknown, Y: -5.5, Width: unknown, Height: unknown},
		`{"width": 7, "x": null, "y": "7", "height": true}`: {X: unknown, Y: unknown, Width: 7, Height: unknown},
		`{"x": 1e400, "y": 1e-400, "width": -1e-400}`:       {X: unknown, Y: math.SmallestNonzeroFloat64, Width: -math.SmallestNonzeroFloat64, Height: unknown},
	} {
		s := decoded(t, `{"visual": {"roots": [{"type": "Button", "bounds": `+text+`}]}}`)
		e := s.Tree().At(0)
		if fmt.Sprint(e.Bounds) != fmt.Sprint(want) || !e.HasBounds {
			t.Errorf("%s: %v %v, want %v", text, e.Bounds, e.HasBounds, want)
		}
		sameForm(t, s)
	}
	for _, text := range []string{`{}`, `null`, `5`, `{"x": null}`, `{"x": "1"}`, `{"x": 1e400}`} {
		s := decoded(t, `{"visual": {"roots": [{"type": "Button", "bounds": `+text+`}]}}`)
		if e := s.Tree().At(0); e.HasBounds || e.Bounds != (facts.Bounds{}) {
			t.Errorf("%s: %v %v, want none", text, e.Bounds, e.HasBounds)
		}
	}
}

// sameForm writes a snapshot and reads it again.
func sameForm(t *testing.T, s *facts.Snapshot) {
	t.Helper()
	data, err := json.Marshal(s.Form(t.Context(), 0))
	if err != nil {
		t.Fatal(err)
	}
	again := decoded(t, string(data))
	for i := range s.Tree().Len() {
		if a, b := fmt.Sprintf("%+v", *s.Tree().At(i)), fmt.Sprintf("%+v", *again.Tree().At(i)); a != b {
			t.Errorf("written and read again, element %d is\n%s, was\n%s", i, b, a)
		}
	}
}

// TestDecodeTooManyElements: the first ones are kept, and the tree says what
// lacks children.
func TestDecodeTooManyElements(t *testing.T) {
	const text = `{"visual": {"roots": [{"type": "Panel", "children": [{"type": "Label", "children": [{"type": "Button"}]}, {"type": "Image"}]}, {"type": "Screen"}]}}`
	for most, want := range map[int]string{
		5: "Panel Label Button Image Screen",
		4: "Panel Label Button Image; the context has more than 4 elements",
		3: "Panel! Label Button; the context has more than 3 elements",
		2: "Panel! Label!; the context has more than 2 elements",
		1: "Panel!; the context has more than 1 elements",
	} {
		tree := facts.DecodeAtMost(most, text).Tree()
		var got []string
		for i := range tree.Len() {
			name := tree.At(i).Type.String()
			if tree.At(i).Cut {
				name += "!"
			}
			got = append(got, name)
		}
		said := strings.Join(got, " ")
		if tree.Partial() != "" {
			said += "; " + tree.Partial()
		}
		if said != want {
			t.Errorf("at most %d: %s, want %s", most, said, want)
		}
	}
}

// TestTextsAreClipped: at most MaxText code points, and never a part of one.
func TestTextsAreClipped(t *testing.T) {
	for _, letter := range []string{"a", "é", "😀"} {
		for _, n := range []int{0, 1, facts.MaxText - 1, facts.MaxText, facts.MaxText + 1, facts.MaxText + 7} {
			tree := facts.NewTreeWithTexts([]facts.Element{{Parent: -1}}, []facts.ElementText{{Text: strings.Repeat(letter, n), OK: true}})
			text, ok := tree.Text(t.Context(), 0)
			if want := strings.Repeat(letter, min(n, facts.MaxText)); !ok || text != want {
				t.Errorf("%d times %s: %d bytes, want %d", n, letter, len(text), len(want))
			}
		}
	}
}

// TestDecodeFlowMapping: what begins like JSON may be YAML.
func TestDecodeFlowMapping(t *testing.T) {
	path, _ := facts.Lookup("clipboard.text")
	for text, want := range map[string]string{
		`{"clipboard": {"text": +1}}`: "1", `{"clipboard": {"text": .5}}`: "0.5", `{"clipboard": {"text": 0x10}}`: "16", `{clipboard: {text: 7}}`: "7",
		`{"clipboard": {"text": 7,}}`: "7", `{"clipboard": {"text": 1.}}`: "1",
	} {
		if v := decoded(t, text).At(path); v.Kind() != facts.Number || v.Decimal() != want {
			t.Errorf("%s: %s %s, want %s", text, v.Kind(), v.Decimal(), want)
		}
	}
	for text, want := range map[string]facts.Value{`{"clipboard": {"text": }}`: {}, `{"clipboard": {"text": tru}}`: facts.Text("tru"), `{"clipboard": {"text": true}}`: facts.Flag(true)} {
		if v := decoded(t, text).At(path); !v.Equal(want) {
			t.Errorf("%s: %s %s", text, v.Kind(), v.Text())
		}
	}
}

func TestLate(t *testing.T) {
	s := facts.NewSnapshot(facts.Parts{Absent: map[string]facts.Absence{
		"visual": {Code: diag.ExtraProviderTimeout}, "clipboard.text": {Code: diag.ExtraProviderFailed}, "extra.browser": {Code: diag.ExtraProviderTimeout}, "extra.workspace": {},
	}})
	if diff := cmp.Diff([]string{"extra.browser", "visual"}, s.Late()); diff != "" {
		t.Error(diff)
	}
	if late := facts.NewSnapshot(facts.Parts{}).Late(); late != nil {
		t.Error(late)
	}
}

// TestTypesWithNames: the types that queries treat apart have their numbers.
func TestTypesWithNames(t *testing.T) {
	for _, c := range []struct {
		kind facts.ElementType
		want string
	}{{facts.UnknownType, "Unknown"}, {facts.TopLevelType, "TopLevel"}, {facts.ScreenType, "Screen"}, {34, "Unknown"}, {255, "Unknown"}} {
		if c.kind.String() != c.want {
			t.Errorf("type %d is %s, want %s", c.kind, c.kind, c.want)
		}
	}
	for i, name := range facts.ElementTypes() {
		if kind, ok := facts.ParseElementType(strings.ToUpper(name)); !ok || int(kind) != i || kind.String() != name {
			t.Errorf("%s is type %d, want %d", name, kind, i)
		}
	}
}

// TestPrimaryIsAnID: a number is none, whatever its digits.
func TestPrimaryIsAnID(t *testing.T) {
	const id = "12345678901234567890"
	for text, want := range map[string]bool{`"` + id + `"`: true, id: false, `"other"`: false, `null`: false, `["` + id + `"]`: false} {
		s := decoded(t, `{"attachments": {"visual": {"primary": `+text+`}}, "visual": {"roots": [{"type": "Button"}, {"type": "Label", "id": "`+id+`"}]}}`)
		if at, ok := s.Primary(); ok != want || ok && at != 1 {
			t.Errorf("%s: element %d, %v", text, at, ok)
		}
	}
	if _, ok := decoded(t, `{"attachments": {"visual": {"primary": "x"}}}`).Primary(); ok {
		t.Error("there is a primary element without any")
	}
}
