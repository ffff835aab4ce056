package document

import (
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	yaml "go.yaml.in/yaml/v4"

	"github.com/pertain-dev/pertain/diag"
)

// MaxYAML is how many bytes of YAML are read; more is a problem, never a long wait.
const MaxYAML = 1 << 20

// More limits of what is read.
const (
	maxDepth = 100     // levels of nesting
	maxNodes = 100_000 // values, each alias counted with all it stands for
)

// ProblemKind tells syntax errors, which end the reading, from the others.
type ProblemKind uint8

const (
	SyntaxError     ProblemKind = iota // the library could not read on
	DuplicateKey                       // a key that the same map has already
	UnsupportedYAML                    // valid YAML that this tree cannot hold
	TooMuchYAML                        // too large, too deep, too many aliases
	UnknownTag                         // a tag of nobody's: most likely a value that begins with `!`
)

// Problem is something wrong with the YAML; the caller knows which code it has.
type Problem struct {
	Kind    ProblemKind
	Span    diag.Span
	Message string
	Hint    string
	First   diag.Span // of a duplicate: where the key stood before
	More    int       // others like it that are not in the list
}

// parseBlock reads the part of the source that the span covers. The node is nil if
// the text is empty or cannot be read; after a problem of another kind than
// SyntaxError it holds what could be read: of duplicate keys the last.
func parseBlock(source *diag.Source, span diag.Span) (*Node, []Problem) {
	text := source.Text()[span.Start:span.End]
	return parseYAML(&yamlText{source: source, text: text, base: span.Start})
}

// ParseYAML reads a YAML text that is a file of its own.
func ParseYAML(source *diag.Source) (*Node, []Problem) {
	return parseBlock(source, diag.Span{Start: 0, End: len(source.Text())})
}

func parseYAML(doc *yamlText) (*Node, []Problem) {
	if len(doc.text) > MaxYAML {
		at := doc.toSource(0)
		return nil, []Problem{{
			Kind: TooMuchYAML, Span: diag.Span{Start: at, End: at},
			Message: fmt.Sprintf("the YAML text has %d bytes, more than the %d that are read", len(doc.text), MaxYAML),
		}}
	}
	var root yaml.Node
	paired, err := load(doc.text, &root)
	if err != nil {
		return nil, syntaxProblem(doc, err)
	}
	if root.Kind != yaml.DocumentNode || len(root.Content) == 0 {
		return nil, nil
	}
	c := conversion{doc: doc, paired: paired, positions: positions{text: doc.text, lines: lineStarts(doc.text)}}
	node := c.convert(root.Content[0], 0)
	return node, c.problems
}

// syntaxProblem words what the library said. An empty document is no problem.
func syntaxProblem(doc *yamlText, err error) []Problem {
	var one *yaml.LoadError
	var many *yaml.LoadErrors
	if errors.As(err, &many) && len(many.Errors) > 0 {
		one = many.Errors[0]
	} else if !errors.As(err, &one) {
		one = &yaml.LoadError{Message: err.Error()}
	}
	if strings.Contains(one.Message, "no documents in stream") {
		return nil
	}
	at := len(doc.text)
	offset := func(m yaml.Mark) int {
		return (&positions{text: doc.text, lines: lineStarts(doc.text)}).offset(m.Line, m.Column)
	}
	inside := strings.Contains(one.ContextMsg, "flow") || strings.Contains(one.ContextMsg, "quoted")
	switch mark := one.Mark; {
	case mark.Line == 0 && strings.Contains(one.Message, "control characters"):
		at = min(mark.Index, len(doc.text)) // the reader counts bytes, not lines
	case mark.Line > 0 && !(inside && strings.TrimSpace(doc.text[offset(mark):]) == ""):
		at = offset(mark)
	case one.ContextMark.Line > 0: // what is never closed is shown where it opens
		at = offset(one.ContextMark)
	}
	message, hint, kind := explain(one.Message, one.ContextMsg)
	if start, end := bracketed(doc.text, at); inside && end > 0 {
		return []Problem{{
			Kind: kind, Span: diag.Span{Start: doc.toSource(start), End: doc.toSource(end)},
			Message: "a text with `[` must stand in quotes inside of `{...}` and `[...]`", Hint: "write `\"" + doc.text[start:end] + "\"`",
		}}
	}
	end := at
	if at < len(doc.text) && doc.text[at] != '\n' {
		_, size := utf8.DecodeRuneInString(doc.text[at:])
		end = at + size
	}
	return []Problem{{
		Kind: kind, Span: diag.Span{Start: doc.toSource(at), End: doc.toSource(end)},
		Message: message, Hint: hint,
	}}
}

// conversion turns the library's nodes into ours.
type conversion struct {
	doc       *yamlText
	paired    bool // see [restorePairs]
	positions positions
	problems  []Problem
	told      int                  // keys that are wrong in themselves
	done      map[*yaml.Node]*Node // anchored nodes, which aliases share
	sizes     map[*yaml.Node]int   // how many values an anchored node stands for
	count     int
	stopped   bool     // a limit was hit; nothing more is read
	aliases   []string // see refersTo; nil: not looked for yet
}

func (c *conversion) convert(in *yaml.Node, depth int) *Node {
	n := &Node{doc: c.doc, start: c.positions.offset(in.Line, in.Column)}
	if c.stopped {
		return n
	}
	c.count++
	before := c.count
	switch {
	case depth >= maxDepth:
		c.stop(n, fmt.Sprintf("the nesting is deeper than %d levels", maxDepth))
		return n
	case c.count > maxNodes:
		c.stop(n, fmt.Sprintf("there are more than %d values, aliases counted with what they stand for", maxNodes))
		return n
	}
	if in.Anchor != "" && in.Kind != yaml.AliasNode {
		if c.done == nil {
			c.done, c.sizes = map[*yaml.Node]*Node{}, map[*yaml.Node]int{}
		}
		c.done[in] = nil // being converted: an alias to it now would be a cycle
	}
	switch in.Kind {
	case yaml.AliasNode:
		return c.alias(in, n)
	case yaml.ScalarNode:
		c.scalar(in, n)
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
		c.done[in], c.sizes[in] = n, c.count-before+1
	}
	return n
}

func (c *conversion) alias(in *yaml.Node, n *Node) *Node {
	target, known := c.done[in.Alias]
	if !known || target == nil {
		c.problem(UnsupportedYAML, n.Span(), "the alias `*"+in.Value+"` stands for something that contains it", "write the value out")
		return n
	}
	c.count += c.sizes[in.Alias] - 1
	if c.count > maxNodes {
		c.stop(n, fmt.Sprintf("the aliases stand for more than %d values", maxNodes))
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

func (c *conversion) problem(kind ProblemKind, span diag.Span, message, hint string) {
	c.problems = append(c.problems, Problem{Kind: kind, Span: span, Message: message, Hint: hint})
}

// maxProblems is how many keys that are wrong in themselves are told one by one;
// how many more there are is told by the last.
const maxProblems = 2 * diag.MaxPerFile

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

func (c *conversion) stop(n *Node, message string) {
	c.stopped = true
	at := c.doc.toSource(n.start)
	c.problem(TooMuchYAML, diag.Span{Start: at, End: at}, message, "make it simpler")
}

func collectionStyle(in *yaml.Node) style {
	if in.Style&yaml.FlowStyle != 0 {
		return flow
	}
	return block
}

// lineStarts finds the lines as the library counts them: it also breaks at a
// lone CR, NEL, LS and PS.
func lineStarts(text string) []int {
	starts := make([]int, 1, 32)
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == '\n', c == '\r' && (i+1 >= len(text) || text[i+1] != '\n'):
			starts = append(starts, i+1)
		case c == 0xC2 && strings.HasPrefix(text[i:], "\u0085"):
			starts = append(starts, i+2)
		case c == 0xE2 && (strings.HasPrefix(text[i:], "\u2028") || strings.HasPrefix(text[i:], "\u2029")):
			starts = append(starts, i+3)
		}
	}
	return starts
}

// positions converts the library's lines and columns. It goes on from the last
// position on the same line, so that a long line does not cost its square.
type positions struct {
	text  string
	lines []int

	line, column, at int // the last position
}

// offset returns the byte offset of a line and column (1-based, in characters).
func (p *positions) offset(line, column int) int {
	if line < 1 {
		return 0
	}
	if line > len(p.lines) {
		return len(p.text)
	}
	if line != p.line || column < p.column {
		p.line, p.column, p.at = line, 1, p.lines[line-1]
	}
	for ; p.column < column && p.at < len(p.text); p.column++ {
		if p.text[p.at] < utf8.RuneSelf {
			p.at++
			continue
		}
		_, size := utf8.DecodeRuneInString(p.text[p.at:])
		p.at += size
	}
	return p.at
}
