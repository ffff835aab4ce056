package preprocess

import (
	"context"
	"errors"
	"io"
	"reflect"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// What parsing a page may make.
const (
	maxPageNodes   = 1_000_000  // elements, texts and their attributes, two of which count as one; a real page has some ten thousand
	maxPageSteps   = 20_000_000 // of elements looked through, and of texts copied, of which 16 bytes are a step
	nodesPerTag    = 2          // a tag, and the text before it
	worstReopened  = 512        // elements that one tag opens again at most: the parser has no more open at a time
	clonesPerMixup = 32         // elements that the parser copies at most where formatting ends inside of something else: eight rounds of four
)

// Why a page is given up.
var (
	errManyNodes = errors.New("the page would become more than a million elements and texts")
	errManySteps = errors.New("the page is built so that reading it would take too long")
)

// pageParser parses pages that belong together within one bound.
type pageParser struct {
	ctx   context.Context
	nodes int // that may still be made
	steps int // that may still be taken
}

func newPageParser(ctx context.Context) *pageParser {
	return &pageParser{ctx: ctx, nodes: maxPageNodes, steps: maxPageSteps}
}

// take counts what a piece of a page leads to.
func (p *pageParser) take(nodes, steps int) error {
	p.nodes -= nodes
	p.steps -= steps
	switch {
	case p.nodes < 0:
		return errManyNodes
	case p.steps < 0:
		return errManySteps
	}
	return p.ctx.Err()
}

// parse is [html.Parse], ended with its context and by the bounds. Few bytes can become
// many nodes: every paragraph opens all formatting again that was left open before it.
func (p *pageParser) parse(page string) (*html.Node, error) {
	r := &pageReader{parser: p, page: page}
	return html.ParseWithOptions(r, r.watch())
}

// pageReader gives a page to the parser tag by tag. Whenever more is wanted, all
// that was given has been put into the tree, so that it is known what the next tag
// can lead to.
type pageReader struct {
	parser *pageParser
	page   string
	next   int // offset of what was not given yet
	state  parserState
}

// parserState is what the parser knows. It tells nobody, so it is read from its own
// fields; TestParserState holds that they are there.
type parserState struct {
	open       reflect.Value // []*html.Node, the elements that are open
	formatting reflect.Value // []*html.Node, the formatting that goes on until it is ended
	tag        reflect.Value // string, the element whose text is not markup
	from, to   reflect.Value // int, the offsets of the token under way
}

// watch is an option that shows the parser.
func (r *pageReader) watch() html.ParseOption {
	of := reflect.TypeFor[html.ParseOption]()
	option := reflect.MakeFunc(of, func(args []reflect.Value) []reflect.Value {
		r.state = stateOf(args[0].Elem())
		return nil
	})
	return option.Interface().(html.ParseOption)
}

func stateOf(parser reflect.Value) parserState {
	var s parserState
	s.open, s.formatting = field(parser, "oe", reflect.Slice), field(parser, "afe", reflect.Slice)
	tokens := field(parser, "tokenizer", reflect.Pointer)
	if !tokens.IsValid() {
		return s
	}
	s.tag = field(tokens.Elem(), "rawTag", reflect.String)
	raw := field(tokens.Elem(), "raw", reflect.Struct)
	s.from, s.to = field(raw, "start", reflect.Int), field(raw, "end", reflect.Int)
	return s
}

// field is a field of a struct; none, if it is another one than is known here.
func field(of reflect.Value, name string, kind reflect.Kind) reflect.Value {
	if !of.IsValid() {
		return reflect.Value{}
	}
	if f := of.FieldByName(name); f.IsValid() && f.Kind() == kind {
		return f
	}
	return reflect.Value{}
}

// known tells whether the parser is the one that is known here.
func (s parserState) known() bool {
	return s.open.IsValid() && s.formatting.IsValid() && s.tag.IsValid() && s.from.IsValid() && s.to.IsValid()
}

// Read gives what ends with the next tag.
func (r *pageReader) Read(p []byte) (int, error) {
	if r.next == len(r.page) {
		return 0, io.EOF
	}
	piece := r.page[r.next:r.end(min(r.next+len(p), len(r.page)))]
	if err := r.parser.take(nodesPerTag+r.added(piece), r.walked(piece)); err != nil {
		return 0, err
	}
	r.next += len(piece)
	return copy(p, piece), nil
}

// end is up to where the parser gets no more than a text and a tag; limit, if that is
// farther away. It copies what it has of a token each time it gets more of it, so
// that scripts and comments are not given in pieces.
func (r *pageReader) end(limit int) int {
	from := r.next
	if r.state.known() {
		start := r.next - r.begun()
		if tag := r.state.tag.String(); tag != "" {
			from = endOfRaw(r.page[:limit], max(start, r.next-len(tag)-len("</")), tag)
		} else if strings.HasPrefix(r.page[start:r.next], "<!--") {
			from = endOfComment(r.page[:limit], max(start+len("<!"), r.next-len("--!")))
		}
	}
	from = max(from, r.next)
	if i := strings.IndexByte(r.page[from:limit], '>'); i >= 0 {
		return from + i + 1
	}
	return limit
}

// endOfRaw is where the end tag of an element begins whose text is not markup.
func endOfRaw(page string, from int, tag string) int {
	for {
		i := strings.Index(page[from:], "</")
		if i < 0 {
			return len(page)
		}
		from += i
		name := page[from+len("</"):]
		if len(name) >= len(tag) && strings.EqualFold(name[:len(tag)], tag) {
			return from
		}
		from++
	}
}

// endOfComment is where the dashes at the end of a comment are.
func endOfComment(page string, from int) int {
	for {
		i := strings.Index(page[from:], "--")
		if i < 0 {
			return len(page)
		}
		from += i
		if rest := page[from+len("--"):]; strings.HasPrefix(rest, ">") || strings.HasPrefix(rest, "!>") {
			return from
		}
		from++
	}
}

// begun is how many bytes the parser has of a token that is not over.
func (r *pageReader) begun() int {
	return min(max(int(r.state.to.Int()-r.state.from.Int()), 0), r.next)
}

// added is what a piece can lead to beside itself.
func (r *pageReader) added(piece string) int {
	if !r.state.known() {
		return worstReopened
	}
	formatting := r.state.formatting
	n := formatting.Len()
	if n == 0 {
		return 0
	}
	if open := r.state.open.Len(); open > 0 && formatting.Index(n-1).Pointer() == r.state.open.Index(open-1).Pointer() {
		return 0 // what was formatted last is what is open
	}
	nodes := r.reopened()
	if endsInFormatting(piece) {
		nodes += clonesPerMixup * r.heaviest()
	}
	return nodes
}

// walked is how many steps the parser takes for a piece: through what is open, for the
// element that a tag ends, and through a text that goes on, which is copied for it.
func (r *pageReader) walked(piece string) int {
	if !r.state.known() || r.state.open.Len() == 0 {
		return worstReopened
	}
	steps := r.state.open.Len()
	last := r.state.open.Index(steps - 1).Elem().FieldByName("LastChild")
	if piece[0] != '<' && !last.IsNil() && html.NodeType(last.Elem().FieldByName("Type").Uint()) == html.TextNode {
		steps += last.Elem().FieldByName("Data").Len() / 16
	}
	return steps
}

// reopened is how many nodes the parser makes before it goes on with text or formatting.
func (r *pageReader) reopened() (nodes int) {
	open := make(map[uintptr]bool, r.state.open.Len())
	for i := range r.state.open.Len() {
		open[r.state.open.Index(i).Pointer()] = true
	}
	for i := r.state.formatting.Len() - 1; i >= 0; i-- {
		n := r.state.formatting.Index(i)
		if open[n.Pointer()] || html.NodeType(n.Elem().FieldByName("Type").Uint()) != html.ElementNode {
			break // the latter is where a cell or an object begins
		}
		nodes += weight(n)
	}
	return nodes
}

// heaviest is the weight of the formatting element that has the most attributes.
func (r *pageReader) heaviest() int {
	most := 1
	for i := range r.state.formatting.Len() {
		most = max(most, weight(r.state.formatting.Index(i)))
	}
	return most
}

// weight is what a copy of an element counts.
func weight(n reflect.Value) int { return 1 + n.Elem().FieldByName("Attr").Len()/2 }

// endsInFormatting tells whether the last tag of a piece begins or ends formatting.
func endsInFormatting(piece string) bool {
	name := strings.TrimPrefix(piece[strings.LastIndexByte(piece, '<')+1:], "/")
	if i := strings.IndexAny(name, " \t\r\n\f/>"); i >= 0 {
		name = name[:i]
	}
	switch atom.Lookup([]byte(strings.ToLower(name))) {
	case atom.A, atom.B, atom.Big, atom.Code, atom.Em, atom.Font, atom.I, atom.Nobr, atom.S, atom.Small, atom.Strike, atom.Strong, atom.Tt, atom.U:
		return true
	}
	return false
}
