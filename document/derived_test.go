package document_test

import (
	"testing"

	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/document"
)

// TestDerivedNodes: nodes that are made of parts of a scalar stand where those parts stand in the file.
func TestDerivedNodes(t *testing.T) {
	const text = "\"a\\x62c.def.ghi\": 1\nother: |\n\n  first\n  second\n"
	source := diag.NewSource("x", text)
	root, problems := document.ParseYAML(source)
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	key := root.Entries[0].Key
	written := func(n *document.Node) string { s := n.Span(); return text[s.Start:s.End] }
	whole, part := key.Part(0, len(key.Text)), key.Part(4, len(key.Text))
	if whole != key || part == key {
		t.Error("a part that is the whole is the node itself")
	}
	for _, c := range []struct {
		node          *document.Node
		text, written string
	}{
		{part, "def.ghi", "def.ghi"},
		{part.Part(0, 3), "def", "def"},
		{part.Part(4, 7), "ghi", "ghi"},
		{part.Part(4, 7).Part(1, 3), "hi", "hi"},
		{key.Part(0, 3), "abc", `a\x62c`},
		{key.Part(1, 2), "b", `\x62`},
		{key.Named("else"), "else", `"a\x62c.def.ghi"`},
		{root.Get("other").Part(1, 6), "first", "first"},
		{root.Get("other").Part(7, 13), "second", "second"},
	} {
		if c.node.Text != c.text || written(c.node) != c.written {
			t.Errorf("%q is written as %q, want %q as %q", c.node.Text, written(c.node), c.text, c.written)
		}
	}
	if start := root.Get("other").Part(0, 1).Span().Start; text[start-1:start+1] != "\n\n" {
		t.Errorf("the empty line begins at %d", start)
	}
	if key.Named(key.Text) != key {
		t.Error("a name that is the same is the node itself")
	}
	made := document.MapOf(document.Entry{Key: part, Value: root.Get("other")})
	if !made.Derived() || root.Derived() || made.Get("def.ghi") != root.Get("other") || made.Span().Start != part.Span().Start {
		t.Errorf("%+v", made)
	}
}
