package document

import (
	"fmt"

	yaml "go.yaml.in/yaml/v4"

	"github.com/pertain-dev/pertain/diag"
)

// conversion turns the library's nodes into ours.
type conversion struct {
	doc       *yamlText
	paired    bool // see [restorePairs]
	positions positions
	problems  []Problem
	told      int                  // keys that are wrong in themselves
	done      map[*yaml.Node]*Node // anchored nodes, which aliases share
	sizes     map[*yaml.Node]size  // of anchored nodes
	read      size                 // so far, each alias counted with all it stands for
	aliased   int                  // bytes that aliases stand for so far
	stopped   bool                 // a limit was hit; nothing more is read
	aliases   []string             // see refersTo; nil: not looked for yet
}

func (c *conversion) convert(in *yaml.Node, depth int) *Node {
	n := &Node{doc: c.doc, start: c.positions.offset(in.Line, in.Column)}
	if c.stopped {
		return n
	}
	before := c.read
	c.read.add(size{values: 1, bytes: 1})
	switch {
	case depth >= maxDepth:
		c.stop(n, fmt.Sprintf("the nesting is deeper than %d levels", maxDepth), simpler)
		return n
	case c.read.values > maxNodes:
		c.stop(n, fmt.Sprintf("there are more than %d values, aliases counted with what they stand for", maxNodes), simpler)
		return n
	}
	if in.Anchor != "" && in.Kind != yaml.AliasNode {
		if c.done == nil {
			c.done, c.sizes = map[*yaml.Node]*Node{}, map[*yaml.Node]size{}
		}
		c.done[in] = nil // being converted: an alias to it now would be a cycle
	}
	switch in.Kind {
	case yaml.AliasNode:
		return c.alias(in, n)
	case yaml.ScalarNode:
		c.scalar(in, n)
		c.read.bytes += len(n.Text)
		c.noteLost(n)
	case yaml.SequenceNode:
		n.Kind, n.style = Sequence, collectionStyle(in)
		n.Items = make([]*Node, 0, len(in.Content))
		for _, item := range in.Content {
			n.Items = append(n.Items, c.convert(item, depth+1))
		}
	case yaml.MappingNode:
		n.Kind, n.style = Mapping, collectionStyle(in)
		c.mapping(in, n, depth)
	}
	if in.Anchor != "" {
		c.done[in], c.sizes[in] = n, size{c.read.values - before.values, c.read.bytes - before.bytes}
	}
	return n
}

func (c *conversion) alias(in *yaml.Node, n *Node) *Node {
	target, known := c.done[in.Alias]
	if !known || target == nil {
		c.problem(UnsupportedYAML, n.Span(), "the alias `*"+in.Value+"` stands for something that contains it", "write the value out")
		return n
	}
	stands := c.sizes[in.Alias]
	c.read.add(size{stands.values - 1, stands.bytes - 1})
	c.aliased += stands.bytes
	switch {
	case c.read.values > maxNodes:
		c.stop(n, fmt.Sprintf("the aliases stand for more than %d values", maxNodes), simpler)
		return n
	case c.aliased > maxAliased:
		c.stop(n, fmt.Sprintf("the aliases stand for more than %d bytes", maxAliased), "make what they stand for shorter, or name it less often")
		return n
	}
	return target
}

func (c *conversion) scalar(in *yaml.Node, n *Node) {
	n.Text = in.Value
	switch {
	case in.Style&yaml.DoubleQuotedStyle != 0:
		n.style = doubleQuoted
	case in.Style&yaml.SingleQuotedStyle != 0:
		n.style = singleQuoted
	case in.Style&yaml.LiteralStyle != 0:
		n.style = literal
	case in.Style&yaml.FoldedStyle != 0:
		n.style = folded
	}
	if c.paired {
		n.Text = restorePairs(n.Text, n.style == doubleQuoted)
	}
	switch tag := in.ShortTag(); tag {
	case "!!null":
		n.Kind = Null
	case "!!bool":
		n.Kind = Bool
	case "!!int":
		n.Kind = Int
	case "!!float":
		n.Kind = Float
	case "!!str", "!!timestamp", "!!merge":
		n.Kind = String
		if n.style == plain && in.Style&yaml.TaggedStyle == 0 {
			n.Kind = numberKind(n.Text) // the library takes large numbers for text
		}
	default:
		n.Kind = String
		c.problem(UnknownTag, c.tagSpan(in, n), "the tag `"+in.Tag+"` is not supported", "write the value without it, or in quotes")
	}
}

func (c *conversion) mapping(in *yaml.Node, n *Node, depth int) {
	n.Entries = make([]Entry, 0, len(in.Content)/2)
	var seen map[string]int
	if len(in.Content) > 16 {
		seen = make(map[string]int, len(in.Content)/2)
	}
	for i := 0; i+1 < len(in.Content); i += 2 {
		key := c.convert(in.Content[i], depth+1)
		value := c.convert(in.Content[i+1], depth+1)
		if c.stopped {
			return
		}
		if !key.IsScalar() {
			c.unsupported(key, "a key must be a plain word or a string, not "+key.Kind.String(), "if this is a value that begins with `{` or `[`, put it in quotes")
			continue
		}
		if in.Content[i].Kind == yaml.ScalarNode && in.Content[i].ShortTag() == "!!merge" {
			c.unsupported(key, "merge keys (`<<`) are not supported", "write the keys out")
			continue
		}
		at := n.index(key.Text, seen)
		if at >= 0 {
			if c.mayReport() {
				c.problems = append(c.problems, Problem{
					Kind: DuplicateKey, Span: key.Span(), First: n.Entries[at].Key.Span(),
					Message: "the key `" + diag.Short(key.Text) + "` stands here a second time", Hint: "keep one of the two",
				})
			}
			n.Entries[at] = Entry{key, value} // the last one counts
			continue
		}
		if seen != nil {
			seen[key.Text] = len(n.Entries)
		}
		n.Entries = append(n.Entries, Entry{key, value})
	}
}

func (c *conversion) problem(kind ProblemKind, span diag.Span, message, hint string) {
	c.problems = append(c.problems, Problem{Kind: kind, Span: span, Message: message, Hint: hint})
}

// mayReport tells whether one more problem is told. If not, it is counted.
func (c *conversion) mayReport() bool {
	if c.told++; c.told <= maxProblems {
		return true
	}
	c.problems[len(c.problems)-1].More++
	return false
}

func (c *conversion) unsupported(key *Node, message, hint string) {
	if c.mayReport() {
		c.problem(UnsupportedYAML, key.Span(), message, hint)
	}
}

func (c *conversion) stop(n *Node, message, hint string) {
	c.stopped = true
	at := c.doc.toSource(n.start)
	c.problem(TooMuchYAML, diag.Span{Start: at, End: at}, message, hint)
}

const simpler = "make it simpler" // the hint for what has too many values, or too many levels

// size is how much a part of a text is.
type size struct {
	values int
	bytes  int // decoded, and one for what parts each value from the next: as few as it could be written with
}

func (s *size) add(more size) { s.values, s.bytes = s.values+more.values, s.bytes+more.bytes }

// index finds a key among the entries so far; large maps have a hash, so that a
// hostile file does not cost the square of its length.
func (n *Node) index(key string, seen map[string]int) int {
	if seen != nil {
		if i, ok := seen[key]; ok {
			return i
		}
		return -1
	}
	for i := range n.Entries {
		if n.Entries[i].Key.Text == key {
			return i
		}
	}
	return -1
}

// maxProblems is how many keys that are wrong in themselves are told one by one;
// how many more there are is told by the last.
const maxProblems = 2 * diag.MaxPerFile

func collectionStyle(in *yaml.Node) style {
	if in.Style&yaml.FlowStyle != 0 {
		return flow
	}
	return block
}
