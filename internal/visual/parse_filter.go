package visual

import (
	"github.com/pertain-dev/pertain/facts"
	"github.com/pertain-dev/pertain/internal/regex"
)

// comparison is how a predicate looks at its attribute.
type comparison uint8

const (
	isEqual comparison = iota
	doesContain
	doesMatch
)

// functions are the functions of the language, by the comparison they make.
var functions = []string{isEqual: "", doesContain: "contains", doesMatch: "matches"}

// predicate is one filter as it was written.
type predicate struct {
	attribute Attribute
	how       comparison
	text      string // of a string attribute
	number    float64
	truth     bool
	re        *regex.Regexp // of matches
}

// filter reads one [...].
func (p *parser) filter() predicate {
	bracket := p.tok
	p.advance()
	var f predicate
	switch name := p.tok; {
	case name.kind == at:
		f = p.equality()
	case name.kind == word && p.peek().kind == openParen:
		p.advance()
		f = p.call(name)
	case name.kind != atEnd:
		p.refuseFilter()
	}
	switch p.tok.kind {
	case shut:
		p.advance()
	case atEnd:
		p.failOpen(bracket)
	default:
		p.refuseAfterFilter()
	}
	return f
}

func (p *parser) failOpen(bracket token) {
	p.fail(bracket, "this "+code(p.lexer.src[bracket.offset:bracket.end])+" is never closed", "")
}

// equality reads @attribute = value. That the query ends there is for [parser.filter] to tell.
func (p *parser) equality() predicate {
	mark := p.tok
	f := predicate{attribute: p.attribute()}
	switch p.tok.kind {
	case equals:
		p.advance()
		p.value(&f)
	case shut:
		p.fail(token{offset: mark.offset, end: p.tok.offset}, "a filter compares "+code("@"+f.attribute.String())+" with something",
			"write "+code("["+f.attribute.example()+"]"))
	case atEnd:
	default:
		p.refuseOperator(f.attribute)
	}
	return f
}

// value reads what an attribute is compared with, and checks its kind.
func (p *parser) value(f *predicate) {
	v := p.tok
	want := f.attribute.Kind()
	switch {
	case v.kind == quoted:
		f.text = v.text
		p.advance()
		if want != facts.String {
			p.failKind(v, v.text, f.attribute, facts.String)
		} else if p.tok.offset == v.end && (p.tok.kind == word || p.tok.kind == quoted) {
			p.failQuote(v)
		}
	case v.kind == number, v.is("-") && p.peek().kind == number:
		whole := p.signedNumber(&f.number)
		if want != facts.Number {
			p.failKind(whole, facts.FormatNumber(f.number), f.attribute, facts.Number)
		}
	case (v.text == "true" || v.text == "false") && p.peek().kind != openParen:
		f.truth = v.text == "true"
		p.advance()
		if want != facts.Bool {
			p.failKind(v, v.text, f.attribute, facts.Bool)
		}
	case v.kind != atEnd:
		p.refuseValue(f.attribute)
	}
}

// signedNumber reads a number and gives its span, sign included.
func (p *parser) signedNumber(n *float64) token {
	first := p.tok
	if first.kind == operator {
		p.advance()
	}
	whole := span(first, p.tok)
	parsed, ok := facts.ParseNumber(p.tok.text)
	if !ok {
		p.fail(whole, "this number is too large", "")
		return whole
	}
	value := parsed.Double()
	if first.kind == operator && value != 0 { // there is one zero
		value = -value
	}
	*n = value
	p.advance()
	return whole
}

// call reads the rest of contains(@attribute, 'text') or matches(...); name is
// the function, the current token its parenthesis.
func (p *parser) call(name token) predicate {
	var f predicate
	switch name.text {
	case "contains":
		f.how = doesContain
	case "matches":
		f.how = doesMatch
	default:
		p.refuseFunction(name, "")
		return f
	}
	paren := p.tok
	p.advance()
	if p.tok.kind != at {
		p.refuseArgument(name.text, paren)
		return f
	}
	mark := p.tok
	f.attribute = p.attribute()
	if f.attribute.Kind() != facts.String {
		p.fail(token{offset: mark.offset, end: p.tok.offset}, name.text+"() is for strings, and "+code("@"+f.attribute.String())+" is "+f.attribute.Kind().String(),
			"write "+code("["+f.attribute.example()+"]"))
	}
	p.expect(comma, paren, name.text+"() takes an attribute and a text", "write "+code(name.text+"(@"+f.attribute.String()+",'...')"))
	text := p.tok
	if text.kind == quoted && p.peek().offset == text.end && (p.peek().kind == word || p.peek().kind == quoted) {
		p.failQuote(text)
	}
	p.expect(quoted, paren, "the second argument of "+name.text+"() is a text in quotes", "write "+code(name.text+"(@"+f.attribute.String()+",'...')"))
	if p.tok.kind == comma {
		p.fail(p.tok, name.text+"() takes two arguments", caseHint)
	}
	p.expect(shutParen, paren, "unexpected "+p.described()+" in "+name.text+"()", "close it with `)`")
	f.text = text.text
	if f.how == doesMatch {
		f.re = p.compileRegex(text)
	}
	return f
}

// expect reads a token of one kind inside the parenthesis paren.
func (p *parser) expect(kind tokenKind, paren token, message, hint string) {
	switch p.tok.kind {
	case kind:
		p.advance()
	case atEnd:
		p.failOpen(paren)
	default:
		p.fail(p.tok, message, hint)
	}
}

// compileRegex checks the expression in a string; strings have no escapes, so
// its offsets map byte by byte.
func (p *parser) compileRegex(text token) *regex.Regexp {
	re, err := regex.Compile(text.text, regex.Options{Dialect: regex.DotNet, IgnoreCase: !p.options.CaseSensitive})
	if err != nil {
		start := text.offset + 1 + min(err.Offset, len(text.text))
		p.fail(token{offset: start, end: min(start+1, text.end)}, "the regular expression is not valid: "+err.Message, err.Hint)
	}
	return re
}

// Functions are the names of the functions that a filter may call.
func Functions() []string { return functions[doesContain:] }
