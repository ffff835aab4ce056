package document

import (
	"strings"

	"github.com/pertain-dev/pertain/diag"
)

// anchorName is what somebody calls an anchor; another one is text, as in `&R&D`.
var anchorName = expression(`^&[\w-]+$`)

// lostValues tells the plain values of which valid YAML has dropped the beginning though
// it is surely text: a lone `!`, and an anchor that nobody would name like this.
// The node is what [Parse] gave; it may be nil.
func lostValues(root *Node) []Problem {
	if root == nil {
		return nil
	}
	return root.doc.lost
}

// noteLost looks at one value.
func (c *conversion) noteLost(n *Node) {
	text := c.doc.text[min(n.start, len(c.doc.text)):]
	if n.Kind != String || n.style != plain || text == "" || text[0] != '!' && text[0] != '&' {
		return
	}
	for _, word := range strings.Fields(c.doc.text[n.start:n.contentStart()]) {
		if word == "!" || word[0] == '&' && !anchorName().MatchString(word) {
			at := c.doc.toSource(n.start)
			c.doc.lost = append(c.doc.lost, Problem{
				Kind: UnknownTag, Span: diag.Span{Start: at, End: at + 1},
				Message: "YAML drops the beginning of a value that begins with `" + text[:1] + "`", Hint: "put the value in quotes",
			})
			return
		}
	}
}
