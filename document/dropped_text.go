package document

import (
	"slices"
	"strings"

	"github.com/pertain-dev/pertain/diag"
)

// anchorName is what somebody calls an anchor; another one is text, as in `&R&D`.
var anchorName = expression(`^&[\w-]+$`)

// lostValues tells the plain values of which valid YAML has dropped the beginning though
// it is surely text: a lone `!`, and an anchor that nobody would name like this, or that
// nothing refers to.
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
	if n.Kind != String && n.Kind != Null || n.style != plain || text == "" || text[0] != '!' && text[0] != '&' {
		return
	}
	marks := c.doc.text[n.start:n.contentStart()]
	if line, _, many := strings.Cut(marks, "\n"); many {
		marks = line // what follows in other lines is not the value's
	}
	for _, word := range strings.Fields(marks) {
		if word == "!" || word[0] == '&' && !c.refersTo(word) {
			at := c.doc.toSource(n.start)
			c.doc.lost = append(c.doc.lost, Problem{
				Kind: UnknownTag, Span: diag.Span{Start: at, End: at + 1},
				Message: "YAML drops the beginning of a value that begins with `" + text[:1] + "`", Hint: "put the value in quotes",
			})
			return
		}
	}
}

// refersTo tells whether an alias may stand for an anchor.
func (c *conversion) refersTo(anchor string) bool {
	if !anchorName().MatchString(anchor) {
		return false
	}
	name := anchor[1:]
	if len(name) > longAlias {
		return strings.Contains(c.doc.text, "*"+name)
	}
	if c.aliases == nil {
		c.aliases = aliasesIn(c.doc.text)
	}
	i, _ := slices.BinarySearch(c.aliases, name)
	return i < len(c.aliases) && strings.HasPrefix(c.aliases[i], name)
}

// longAlias is how much after an asterisk is kept to be compared with the names of anchors.
const longAlias = 64

// aliasesIn is what stands after each asterisk of a text, in order: thousands of anchors are each looked for among them.
func aliasesIn(text string) []string {
	out := []string{}
	for rest := text; ; {
		_, after, found := strings.Cut(rest, "*")
		if !found {
			slices.Sort(out)
			return out
		}
		out = append(out, after[:min(len(after), longAlias)])
		rest = after
	}
}
