package visual

import (
	"strings"

	"github.com/pertain-dev/pertain/facts"
)

// Options say how a query is read. The zero value compares strings without case.
type Options struct {
	CaseSensitive bool
}

// SyntaxError says what is wrong with a query, and where. It is meant for the
// author of the query and quotes nothing but the query.
type SyntaxError struct {
	Offset  int    // byte offset into the query
	Length  int    // in bytes, 0 at the end of the query
	Message string // what is wrong
	Hint    string // what would be right, "" if nothing is near
}

// Parse reads a query. The error is nil if the query is valid.
func Parse(query string, options Options) (*Query, *SyntaxError) {
	p := &parser{lexer: lexer{src: query}, options: options}
	p.advance()
	q := p.query()
	if p.err != nil {
		return nil, p.err
	}
	q.compile()
	return q, nil
}

// parser reads tokens one ahead. After a failure it sees nothing but the end,
// so that loops over tokens stop; the first failure stays.
type parser struct {
	lexer   lexer
	options Options
	tok     token
	err     *SyntaxError
}

func (p *parser) advance() {
	p.tok = p.lexer.next()
	if p.tok.kind == unclosed {
		p.fail(token{offset: p.tok.offset, end: p.tok.offset + 1}, "this quote is never closed", "close it with "+code(p.tok.text[:1]))
	}
}

// peek is the token after the current one.
func (p *parser) peek() token {
	ahead := p.lexer
	return ahead.next()
}

func (p *parser) fail(where token, message, hint string) {
	if p.err != nil {
		return
	}
	p.err = &SyntaxError{Offset: where.offset, Length: where.end - where.offset, Message: message, Hint: hint}
	p.tok = token{kind: atEnd, offset: len(p.lexer.src), end: len(p.lexer.src)}
	p.lexer.pos = len(p.lexer.src)
}

func (p *parser) query() *Query {
	q := &Query{caseSensitive: p.options.CaseSensitive}
	switch p.tok.kind {
	case dot:
		q.fromPrimary = true
		p.advance()
		q.self.predicates = p.filters()
		if p.tok.kind == slash && p.peek().kind == at {
			p.advance()
			q.attribute = p.attributeStep()
		}
	case slash, twoSlashes:
	default:
		p.refuseStart()
		return q
	}
	for p.tok.kind == slash || p.tok.kind == twoSlashes {
		link := p.tok
		p.advance()
		if p.tok.kind != at {
			q.steps = append(q.steps, p.step(link))
			continue
		}
		if link.kind == twoSlashes {
			p.fail(p.tok, "an attribute belongs to an element, so `//` needs a type or `*` before it", "write "+code("//*/@name")+" for the names of all elements")
		} else if len(q.steps) == 0 {
			p.fail(p.tok, "an attribute belongs to an element, and there is none before it", "write "+code("//TopLevel/@name")+", or "+code("./@name")+" for the primary element")
		}
		q.attribute = p.attributeStep()
	}
	if p.tok.kind != atEnd {
		p.refuseRest(q.attribute != NoAttribute)
	}
	return q
}

// attributeStep reads @name at the end of a path.
func (p *parser) attributeStep() Attribute {
	attribute := p.attribute()
	switch p.tok.kind {
	case slash, twoSlashes:
		p.fail(p.tok, "an attribute ends the query; nothing can follow it", "move the attribute to the end")
	case open:
		p.fail(p.tok, "a filter cannot follow an attribute", "put the filter before it: "+code("//Button[@selected=true]/@name"))
	}
	return attribute
}

// step reads a type or * and its filters; link is the / or // before it.
func (p *parser) step(link token) step {
	s := step{below: link.kind == twoSlashes}
	switch name := p.tok; name.kind {
	case star:
		p.advance()
		if p.tok.kind == colon {
			p.refuseNamespace(name)
		}
		s.any = true
	case word:
		p.advance()
		switch p.tok.kind {
		case axisMark:
			p.refuseAxis(name)
		case colon:
			p.refuseNamespace(name)
		case openParen:
			p.refuseFunction(name, "")
		default:
			s.kind = p.elementType(name)
		}
	default:
		p.refuseStep(link)
	}
	s.predicates = p.filters()
	return s
}

func (p *parser) elementType(name token) facts.ElementType {
	kind, ok := facts.ParseElementType(name.text)
	if !ok {
		p.fail(name, "unknown element type "+code(name.text), nearestType(name.text))
	}
	return kind
}

// attribute reads @name.
func (p *parser) attribute() Attribute {
	mark := p.tok
	p.advance()
	name := p.tok
	switch name.kind {
	case word:
		p.advance()
	case star:
		p.fail(span(mark, name), "the wildcard attribute `@*` is not supported", "name one attribute, such as "+code("@name"))
		return NoAttribute
	default:
		p.fail(mark, "the name of an attribute is missing behind `@`", attributeList)
		return NoAttribute
	}
	switch p.tok.kind {
	case axisMark:
		p.refuseAxis(name)
	case colon:
		p.refuseNamespace(name)
	}
	attribute := attributeByName(name.text)
	if attribute == NoAttribute {
		p.refuseAttribute(span(mark, name), name.text)
	}
	return attribute
}

func (p *parser) filters() []predicate {
	var all []predicate
	for p.tok.kind == open {
		all = append(all, p.filter())
	}
	return all
}

// span reaches from the start of one token to the end of another.
func span(from, to token) token { return token{offset: from.offset, end: to.end} }

// code quotes a piece of a query in a message.
func code(s string) string {
	const most = 80 // nobody reads more
	if len(s) > most {
		s = strings.ToValidUTF8(s[:most], "") + "…"
	}
	return "`" + s + "`"
}
