package cases

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"maps"
	"path/filepath"

	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/document"
	"github.com/pertain-dev/pertain/facts"
	"github.com/pertain-dev/pertain/internal/surface"
)

// layer is a context as it is written, or a file's bytes.
type layer struct {
	node *document.Node // nil: there is none
	file []byte         // of a file that nothing was laid over yet
	name string
	kept bool // a file that is the context of more cases

	parsed any             // what tree gave; nil: nobody asked yet
	facts  *facts.Snapshot // of this layer alone; nil: nobody asked yet
	size   int             // bytes that facts was made of
}

func (l *layer) empty() bool { return l.node == nil && l.file == nil }

// snapshot is one context laid over another, as facts, and how many bytes they are. Nil: the budget is used up.
func (c *contextFiles) snapshot(under, over *layer, budget *Budget) (s *facts.Snapshot, size int, message string) {
	if under == c.under && over == c.over {
		if !budget.Spend(under.size) { // each case counts, however it is come by
			return nil, 0, ""
		}
		return c.facts, c.size, ""
	}
	if over.empty() {
		under, over = over, under
		if over.facts != nil {
			return over.facts, over.size, ""
		}
	}
	data, name := over.file, over.name
	alone := under.empty()
	if !alone || data == nil {
		if !budget.Spend(under.size) { // laying over costs as much as reading
			return nil, 0, ""
		}
		below, message := under.tree()
		if message != "" {
			return nil, 0, message
		}
		above, message := over.tree()
		if message != "" {
			return nil, 0, message
		}
		var err error
		if data, err = json.Marshal(laidOver(below, above)); err != nil {
			return nil, 0, "the context cannot be laid over the one above"
		}
		name = "context"
		if !alone {
			under.size = max(under.size, len(data))
		}
	}
	s, err := facts.Decode(name, data)
	if err != nil {
		return nil, 0, err.Error()
	}
	if alone {
		over.facts, over.size = s, len(data)
	} else {
		c.under, c.over, c.facts, c.size = under, over, s, len(data)
	}
	return s, len(data), ""
}

// tree is the context as JSON has it: maps, lists, texts, numbers as they are written.
func (l *layer) tree() (any, string) {
	if l.file == nil {
		return Plain(l.node), ""
	}
	if l.parsed == nil {
		value, message := l.parse()
		if message != "" {
			return nil, message
		}
		l.parsed = value
	}
	return l.parsed, ""
}

func (l *layer) parse() (any, string) {
	data := bytes.TrimPrefix(l.file, []byte("\ufeff"))
	var value any
	decoder := json.NewDecoder(bytes.NewReader(data)) // a screen may be nested deeper than YAML is read
	decoder.UseNumber()
	if err := decoder.Decode(&value); err == nil {
		if _, err := decoder.Token(); errors.Is(err, io.EOF) {
			return value, ""
		}
	}
	node, problems := document.ParseYAML(diag.NewSource(l.name, string(data)))
	if len(problems) > 0 {
		return nil, "the context `" + diag.Short(l.name) + "` is not valid: " + problems[0].Message
	}
	return Plain(node), ""
}

// laidOver joins maps part by part; everything else that stands above replaces what
// is below.
func laidOver(below, above any) any {
	under, ok := below.(map[string]any)
	over, also := above.(map[string]any)
	if above == nil && below == nil {
		return map[string]any{}
	}
	if !ok || !also {
		if above == nil {
			return below
		}
		return above
	}
	joined := maps.Clone(under)
	for key, value := range over {
		if _, known := joined[key]; known && value != nil {
			value = laidOver(joined[key], value)
		}
		joined[key] = value
	}
	return joined
}

// Plain is a node in the form of encoding/json.
func Plain(n *document.Node) any {
	if n == nil {
		return nil
	}
	switch n.Kind {
	case document.Mapping:
		out := make(map[string]any, len(n.Entries))
		for _, e := range n.Entries {
			out[e.Key.Text] = Plain(e.Value)
		}
		return out
	case document.Sequence:
		out := make([]any, len(n.Items))
		for i, item := range n.Items {
			out[i] = Plain(item)
		}
		return out
	case document.Null:
		return nil
	case document.Bool:
		value, _ := n.Bool()
		return value
	case document.Int, document.Float:
		if v, ok := facts.ParseNumber(n.Decimal()); ok {
			return json.Number(v.Decimal())
		}
		return nil
	}
	return n.Text
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
