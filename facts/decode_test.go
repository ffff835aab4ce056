package facts_test

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pertain-dev/pertain/facts"
)

// context3 is the example of docs/context.md, filled in.
const context3 = `{
  "attachments": {
    "files": [{"path": "/w/a.pdf", "mimeType": "application/pdf", "extension": ".pdf"}, {"path": "/w/b"}],
    "selection": {"text": ""},
    "text": null,
    "visual": {"primary": "e12", "items": ["e12"]}
  },
  "visual": {"roots": [{"id": "s", "type": "screen", "process": "wm", "children": [
    {"id": "w", "type": "TopLevel", "name": "Editor", "process": "mousepad", "children": [
      {"id": "e12", "type": "Button", "name": "Save", "text": "hello", "states": ["focused", "SELECTED", "nonsense"], "bounds": {"x": 1, "y": 2, "width": 10.5, "height": 3}},
      {"id": "e12", "type": "Unknown", "name": ""}
    ]}
  ]}]},
  "clipboard": {"text": "t", "hasText": true, "hasImage": false, "files": []},
  "assistant": {"model": {"modalities": ["text", "image"], "supportsToolCall": true}},
  "environment": {"os": "linux"},
  "extra": {"file_manager": {"selection": {"items": [{"path": "/w/a.pdf", "kind": "file", "size": 1024}]}}, "mail": {"unread": 3}},
  "unknown": {"a": [1, 2]}
}`

func at(t *testing.T, s *facts.Snapshot, name string) facts.Value {
	t.Helper()
	p, ok := facts.Lookup(name)
	if !ok {
		t.Fatalf("there is no path %s", name)
	}
	return s.At(p)
}

func TestDecode(t *testing.T) {
	s, err := facts.Decode("context.json", []byte("\xef\xbb\xbf"+context3))
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{
		"attachments.files[].path":                  `["/w/a.pdf","/w/b"]`,
		"attachments.files[].extension":             `[".pdf"]`, // items that lack it are left out
		"attachments.selection.text":                `""`,       // empty is a value
		"attachments.text":                          `null`,
		"attachments.visual.primary":                `"e12"`,
		"clipboard.hasText":                         `true`,
		"clipboard.files":                           `[]`,
		"clipboard.files[].path":                    `[]`,
		"assistant.id":                              `null`,
		"assistant.model.modalities":                `["text","image"]`,
		"environment.os":                            `"linux"`,
		"extra.file_manager.selection.items[].size": `[1024]`,
		"extra.browser.active_tab.url":              `null`,
		"extra.browser":                             `null`,
	} {
		data, err := json.Marshal(at(t, s, name))
		if err != nil || string(data) != want {
			t.Errorf("%s = %s, want %s", name, data, want)
		}
		if absent := at(t, s, name).IsAbsent(); absent != (want == "null") {
			t.Errorf("%s absent: %v", name, absent)
		}
	}
	tree := s.Tree()
	if tree.Len() != 4 || len(tree.Roots()) != 1 {
		t.Fatalf("%d elements, roots %v", tree.Len(), tree.Roots())
	}
	primary, ok := s.Primary()
	if !ok || primary != 2 {
		t.Errorf("primary = %d, %v: of several with one id the first counts", primary, ok)
	}
	e := tree.At(2)
	if e.Type.String() != "Button" || e.Process != "mousepad" || e.States != facts.Focused|facts.Selected || !e.HasBounds || e.Bounds != (facts.Bounds{X: 1, Y: 2, Width: 10.5, Height: 3}) || e.Parent != 1 {
		t.Errorf("%+v", e)
	}
	if text, ok := tree.Text(t.Context(), 2); text != "hello" || !ok {
		t.Errorf("text = %q, %v", text, ok)
	}
	if _, ok := tree.Text(t.Context(), 3); ok {
		t.Error("an element without text has one")
	}
	if !tree.At(3).HasName || tree.At(0).HasName {
		t.Error("an empty name is a name, none is none")
	}
	if tree.Path(2) != "/Screen/TopLevel/Button" {
		t.Errorf("path = %s", tree.Path(2))
	}
	if diff := cmp.Diff([]string{"focused", "selected"}, e.States.Names()); diff != "" {
		t.Error(diff)
	}
	known := s.Known()
	if len(known) == 0 || !slices.IsSorted(known) {
		t.Errorf("known = %v", known)
	}
}

func TestDecodeYAML(t *testing.T) {
	s, err := facts.Decode("context.yaml", []byte("clipboard:\n  text: |\n    two\n    lines\n  hasText: yes\n  hasImage: true\nenvironment: {currentDate: 2026-11-15}\nextra: {workspace: {name: 5}}\n"))
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]facts.Value{
		"clipboard.text": facts.Text("two\nlines\n"), "clipboard.hasText": facts.Text("yes"), "clipboard.hasImage": facts.Flag(true),
		"environment.currentDate": facts.Text("2026-11-15"), "extra.workspace.name": facts.Num(5), // as it is, whatever the schema says
	} {
		if got := at(t, s, name); !got.Equal(want) {
			t.Errorf("%s = %v, want %v", name, got, want)
		}
	}
	for _, text := range []string{"", "\n", "{}", "null", "# nothing\n", "visual: {}\n", "visual: null\n", "{visual: {roots: null}}"} {
		s, err := facts.Decode("x", []byte(text))
		if err != nil || s.Tree() != nil || len(s.Known()) != 0 {
			t.Errorf("%q: %v, known %v", text, err, s.Known())
		}
	}
	if s, err := facts.Decode("x", []byte(`{"visual": {"roots": []}}`)); err != nil || s.Tree() == nil {
		t.Errorf("an empty tree is a tree: %v", err)
	}
}

func TestDecodeMistakes(t *testing.T) {
	const secret = "s3cret"
	for text, says := range map[string]string{
		"[1]":                    "must be an object",
		"\"s3cret\"":             "must be an object",
		"s3cret":                 "must be an object",
		`{"a": s3cret, "b": [}`:  "not valid JSON",
		`{"a": 1} {"s3cret": 2}`: "not valid JSON: more than one value",
		`{"s3cret": `:            "it ends too early",
		"a: s3cret\na: s3cret\n": "2:1: the context is not valid YAML: a key stands here a second time",
		"a: !s3cret b\n":         "not valid YAML",
		"a: *s3cret\n":           "not valid YAML",
		"a: \"s3cret\n":          "1:4: the context is not valid YAML: the quoted text is never closed",
		"? [s3cret]\n: x\n":      "not valid YAML",
		"a: \xff s3cret":         "not valid UTF-8",
		strings.Repeat(`{"a":`, 6000) + "1" + strings.Repeat("}", 6000): "nested deeper than 5000 levels",
	} {
		_, err := facts.Decode("x", []byte(text))
		if err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%.60s: %v, want %q", text, err, says)
			continue
		}
		if strings.Contains(err.Error(), secret) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%.60s: %q tells what the file holds, or has several lines", text, err)
		}
	}
}

func TestDecodeDeepTree(t *testing.T) {
	depth := 2000
	text := `{"visual": {"roots": [` + strings.Repeat(`{"type": "Panel", "children": [`, depth) + `{"type": "Button"}` + strings.Repeat(`]}`, depth) + `]}}`
	s, err := facts.Decode("x", []byte(text))
	if err != nil || s.Tree().Len() != depth+1 || s.Tree().At(0).End != depth+1 {
		t.Errorf("%v", err)
	}
	wrong := strings.Replace(text, `"Button"`, `"Nonsense"`, 1)
	s, err = facts.Decode("x", []byte(wrong))
	if err != nil || s.Tree().Len() != depth+1 || len(s.Diagnostics()) != 1 {
		t.Fatalf("%v, %v", err, s.Diagnostics())
	}
	if path := s.Diagnostics()[0].Path; !strings.HasPrefix(path, "visual.roots[0].children[0]") || !strings.HasSuffix(path, ".children[0].type") || len(path) > 1000 {
		t.Errorf("the mistake is told at %.100s… of %d bytes", path, len(path))
	}
}

func FuzzDecode(f *testing.F) {
	f.Add([]byte(context3))
	f.Add([]byte("clipboard:\n  text: a\nvisual: {roots: [{type: Button, states: [focused], bounds: {x: 1}}]}\n"))
	f.Add([]byte(`{"visual": {"roots": [{"type": "Panel", "children": [5]}]}}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		s, err := facts.Decode("x", data)
		if err != nil {
			if strings.Contains(err.Error(), "\n") {
				t.Fatalf("%q", err)
			}
			return
		}
		if _, err := json.Marshal(s.Values()); err != nil {
			t.Fatalf("what was read cannot be written: %v", err)
		}
		if tree := s.Tree(); tree != nil {
			for i := range tree.Len() {
				if e := tree.At(i); e.Parent >= i || e.End <= i || e.End > tree.Len() {
					t.Fatalf("element %d: %+v", i, e)
				}
				tree.Text(t.Context(), i)
				_ = tree.Path(i)
			}
		}
		s.Primary()
	})
}

func TestFormatErrorIsOneLine(t *testing.T) {
	if got := (&facts.FormatError{Problem: "p"}).Error(); got != "p" {
		t.Error(got)
	}
	if got := fmt.Sprint(&facts.FormatError{Where: "1:2", Problem: "p"}); got != "1:2: p" {
		t.Error(got)
	}
}

// TestNumbersAsWritten: a number keeps the digits that a float64 would round away, and there is one zero.
func TestNumbersAsWritten(t *testing.T) {
	for text, want := range map[string]string{
		"12345678901234567890": "12345678901234567890", "9007199254740993": "9007199254740993", "9007199254740992": "9007199254740992",
		"-9007199254740993": "-9007199254740993", "42": "42", "1.50": "1.5", "1e3": "1000", "-0": "0", "-0.0": "0",
		"0.1": "0.1", "3.14159265358979323846264338327950288": "3.14159265358979323846264338327950288",
	} {
		for name, data := range map[string]string{"c.json": `{"clipboard": {"text": ` + text + `}}`, "c.yaml": "clipboard:\n  text: " + text + "\n"} {
			s, err := facts.Decode(name, []byte(data))
			if err != nil {
				t.Fatal(err)
			}
			path, _ := facts.Lookup("clipboard.text")
			v := s.At(path)
			if v.Kind() != facts.Number || v.Decimal() != want || v.Text() != "" {
				t.Errorf("%s: %s reads as %s %q", name, text, v.Decimal(), v.Text())
			}
			if written, _ := v.MarshalJSON(); string(written) != want {
				t.Errorf("%s: %s is written as %s", name, text, written)
			}
		}
	}
	if got := facts.Num(math.Copysign(0, -1)).Decimal(); got != "0" {
		t.Errorf("-0 is written as %s", got)
	}
}

// TestDecodeKeyTwice: of a key that stands twice nobody knows which value was meant, in JSON as in YAML.
func TestDecodeKeyTwice(t *testing.T) {
	many := ""
	for i := range 20 {
		many += fmt.Sprintf(`"k%d": 1, `, i)
	}
	for _, text := range []string{
		`{"clipboard": {"text": "a", "text": "secret"}}`,
		`{"clipboard": {}, "extra": {"a": [{"b": 1, "c": 2, "b": "secret"}]}}`,
		`{"clipboard": {}, "clipboard": {"text": "secret"}} `,
		`{"extra": {` + many + `"k3": "secret"}}`,
		"clipboard: {text: a, text: secret}",
	} {
		if _, err := facts.Decode("x", []byte(text)); err == nil || strings.Contains(err.Error(), "secret") {
			t.Errorf("%s: %v", text, err)
		}
	}
	if _, err := facts.Decode("x", []byte(`{"extra": {`+many+`"k": {"k": {"k1": 1}}}}`)); err != nil {
		t.Error(err)
	}
}
