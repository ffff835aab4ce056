package document

import (
	"errors"
	"fmt"
	"strings"
	"sync"
	"unicode/utf8"

	yaml "go.yaml.in/yaml/v4"

	"github.com/pertain-dev/pertain/diag"
)

// MaxYAML is how many bytes of YAML are read; more is a problem, never a long wait.
const MaxYAML = 1 << 20

// More limits of what is read.
const (
	maxDepth   = 100       // levels of nesting
	maxRead    = 128       // levels up to which a text is read at all
	maxNodes   = 100_000   // values, each alias counted with all it stands for
	maxAliased = 256 << 10 // bytes that aliases stand for: whoever reads a value that stands in a hundred places reads it a hundred times
)

// ProblemKind tells syntax errors, which end the reading, from the others.
type ProblemKind uint8

const (
	SyntaxError     ProblemKind = iota // the library could not read on
	DuplicateKey                       // a key that the same map has already
	UnsupportedYAML                    // valid YAML that this tree cannot hold
	TooMuchYAML                        // too large, too deep, too many aliases
	UnknownTag                         // a tag that means nothing here: most likely a value that begins with `!`
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
func parseBlock(source *diag.Source, span diag.Span, spent *reading) (*Node, []Problem) {
	return parseYAML(&yamlText{source: source, text: source.Text()[span.Start:span.End], base: span.Start}, spent)
}

// ParseYAML reads a YAML text that is a file of its own.
func ParseYAML(source *diag.Source) (*Node, []Problem) {
	node, problems, _ := ParseYAMLCounted(source)
	return node, problems
}

// ParseYAMLCounted reads as [ParseYAML] does; effort is what [Document.Effort] says of documents.
func ParseYAMLCounted(source *diag.Source) (_ *Node, _ []Problem, effort int) {
	var spent reading
	node, problems := parseYAML(&yamlText{source: source, text: source.Text()}, &spent)
	return node, problems, spent.effort
}

// huge is held while a text is read that is longer than hugeText: the library keeps up to a thousand bytes for each of a list in a
// list.
var huge sync.Mutex

func parseYAML(doc *yamlText, spent *reading) (*Node, []Problem) {
	if len(doc.text) > MaxYAML {
		at := doc.toSource(0)
		return nil, []Problem{{
			Kind: TooMuchYAML, Span: diag.Span{Start: at, End: at},
			Message: fmt.Sprintf("the YAML text has %d bytes, more than the %d that are read", len(doc.text), MaxYAML),
		}}
	}
	spent.add(doc.text)
	if len(doc.text) > hugeText {
		huge.Lock()
		defer huge.Unlock()
	}
	var root yaml.Node
	paired, err := load(doc.text, &root)
	if err != nil {
		return nil, syntaxProblem(doc, err)
	}
	if root.Kind != yaml.DocumentNode || len(root.Content) == 0 {
		return nil, nil
	}
	c := conversion{doc: doc, paired: paired, positions: positions{text: doc.text, lines: lineStarts(doc.text)}, aliased: spent.kept}
	node := c.convert(root.Content[0], 0)
	spent.addAliased(c.aliased)
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
