package cases

import (
	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/document"
	"github.com/pertain-dev/pertain/facts"
)

// maxKept is how many bytes of context files a run keeps parsed; what does not fit is parsed for each test file.
const maxKept = 16 << 20

// kept are the context files of a run, by name and text: one may be the context of thousands of cases. It is the text that
// counts, and not the path, since what a test file may read is decided for each.
type kept struct {
	layers map[contextKey]*layer
	bytes  int
}

type contextKey struct{ name, text string }

// contextFiles are the contexts of one test file.
type contextFiles struct {
	open  func(path string) ([]byte, error)
	kept  *kept
	named map[string]*layer // by path, as it is written

	under, over *layer          // laid over each other last; nil: none were
	facts       *facts.Snapshot // of those
	size        int             // bytes that facts was made of

	matchedIn *facts.Snapshot // nil: nothing was matched yet
	match     match           // what that came to
}

// contexts are those of a test file of the run.
func (b *Budget) contexts(open func(path string) ([]byte, error)) *contextFiles {
	return &contextFiles{open: open, kept: &b.kept, named: map[string]*layer{}}
}

// layer is a context of the test file; the message says why there is none.
func (c *contextFiles) layer(node *document.Node) (l *layer, message string) {
	if node == nil || node.Kind == document.Null {
		return &layer{}, ""
	}
	if node.Kind != document.String {
		return &layer{node: node}, ""
	}
	if l := c.named[node.Text]; l != nil {
		return l, ""
	}
	data, err := c.open(node.Text)
	if err != nil {
		return nil, "the context `" + diag.Short(node.Text) + "` cannot be read: " + err.Error()
	}
	l = c.kept.layer(node.Text, data)
	if l.kept {
		c.named[node.Text] = l
	}
	return l, ""
}

// layer finds or makes that of a file.
func (k *kept) layer(name string, data []byte) *layer {
	if l := k.layers[contextKey{name, string(data)}]; l != nil {
		return l
	}
	l := &layer{file: data, name: name}
	if k.bytes+len(data) > maxKept {
		return l
	}
	if k.layers == nil {
		k.layers = map[contextKey]*layer{}
	}
	k.bytes += len(data)
	l.kept = true
	k.layers[contextKey{name, string(data)}] = l
	return l
}
