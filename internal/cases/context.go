package cases

import (
	"bytes"
	"encoding/json"
	"path/filepath"
	"slices"

	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/document"
	"github.com/pertain-dev/pertain/facts"
	"github.com/pertain-dev/pertain/internal/surface"
)

// opener reads a context file by its path, relative to the test file.
type opener func(path string) ([]byte, error)

// layer is a context as it is written, or a file's bytes.
type layer struct {
	node *document.Node // nil: there is none
	file []byte         // of a file that nothing was laid over yet
	name string
}

// layer is a context of the test file; the message says why there is none.
func (f *File) layer(node *document.Node, open opener) (l layer, message string) {
	if node == nil || node.Kind == document.Null {
		return layer{}, ""
	}
	if node.Kind != document.String {
		return layer{node: node}, ""
	}
	data, err := open(node.Text)
	if err != nil {
		return layer{}, "the context `" + diag.Short(node.Text) + "` cannot be read: " + err.Error()
	}
	return layer{file: data, name: node.Text}, ""
}

// snapshot is one context laid over another, as facts.
func snapshot(under, over layer) (*facts.Snapshot, string) {
	if over.node == nil && over.file == nil {
		under, over = over, under
	}
	data, name := over.file, over.name
	if under.node != nil || under.file != nil || data == nil {
		below, message := under.tree()
		if message != "" {
			return nil, message
		}
		above, message := over.tree()
		if message != "" {
			return nil, message
		}
		data, name = appendJSON(nil, laidOver(below, above)), "context"
	}
	s, err := facts.Decode(name, data)
	if err != nil {
		return nil, err.Error()
	}
	return s, ""
}

func (l layer) tree() (*document.Node, string) {
	if l.file == nil {
		return l.node, ""
	}
	node, problems := document.ParseYAML(diag.NewSource(l.name, string(bytes.TrimPrefix(l.file, []byte("\ufeff")))))
	if len(problems) > 0 {
		return nil, "the context `" + diag.Short(l.name) + "` is not valid: " + problems[0].Message
	}
	return node, ""
}

// laidOver joins maps part by part; everything else that stands above replaces what
// is below.
func laidOver(below, above *document.Node) *document.Node {
	if above == nil {
		return below
	}
	if below == nil || below.Kind != document.Mapping || above.Kind != document.Mapping {
		return above
	}
	entries := slices.Clone(below.Entries)
	for _, e := range above.Entries {
		at := slices.IndexFunc(entries, func(known document.Entry) bool { return known.Key.Text == e.Key.Text })
		if at < 0 {
			entries = append(entries, e)
			continue
		}
		entries[at].Value = laidOver(entries[at].Value, e.Value)
	}
	return document.MapOf(entries...)
}

// appendJSON writes a node in the form that contexts are read in.
func appendJSON(b []byte, n *document.Node) []byte {
	if n == nil {
		return append(b, "{}"...)
	}
	switch n.Kind {
	case document.Mapping:
		b = append(b, '{')
		for i, e := range n.Entries {
			if i > 0 {
				b = append(b, ',')
			}
			b = append(appendText(b, e.Key.Text), ':')
			b = appendJSON(b, e.Value)
		}
		return append(b, '}')
	case document.Sequence:
		b = append(b, '[')
		for i, item := range n.Items {
			if i > 0 {
				b = append(b, ',')
			}
			b = appendJSON(b, item)
		}
		return append(b, ']')
	case document.Null:
		return append(b, "null"...)
	case document.Bool:
		value, _ := n.Bool()
		if value {
			return append(b, "true"...)
		}
		return append(b, "false"...)
	case document.Int, document.Float:
		if v, ok := facts.ParseNumber(n.Decimal()); ok {
			return append(b, v.Decimal()...)
		}
		return append(b, "null"...)
	}
	return appendText(b, n.Text)
}

func appendText(b []byte, text string) []byte {
	quoted, _ := json.Marshal(text) // a text always has a form
	return append(b, quoted...)
}

// attached lays what a case attaches over its context.
func (c *testCase) attached(s *facts.Snapshot, folder string) *facts.Snapshot {
	if len(c.attach) > 0 {
		values := make([]facts.Value, len(c.attach))
		for i, path := range c.attach {
			if !filepath.IsAbs(path) {
				path = filepath.Join(folder, filepath.FromSlash(path))
			}
			values[i] = surface.Attachment(path)
		}
		s = s.With("attachments.files", facts.List(values...))
	}
	if c.text != nil {
		s = s.With("attachments.text", facts.Text(*c.text))
	}
	if c.selection != nil {
		s = s.With("attachments.selection.text", facts.Text(*c.selection))
	}
	return s
}
