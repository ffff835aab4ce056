package visual

import (
	"strconv"
	"strings"

	"github.com/pertain-dev/pertain/facts"
)

// What people know from XPath and try here is refused by its name, with what to
// write instead; this file is all of those messages.

const (
	anyHint   = "write two conditions under `any:`"
	caseHint  = "case is ignored unless the condition has `caseSensitive: true`"
	indexHint = "positions change from one moment to the next; filter by an attribute, such as `[@selected=true]`"
)

// described names the current token for a message.
func (p *parser) described() string {
	switch t := p.tok; t.kind {
	case atEnd:
		return "end of the query"
	case quoted:
		return "text in quotes"
	case stray:
		if s := strconv.Quote(t.text); s != `"`+t.text+`"` {
			return s
		}
		return code(t.text)
	default:
		return code(t.text)
	}
}

// refuseStart is for what a query cannot start with.
func (p *parser) refuseStart() {
	const message = "a query starts with `//`, `/` or `.`"
	first, second := p.tok, p.peek()
	switch {
	case first.kind == atEnd:
		p.fail(first, "the query is empty", "write "+code("//Button")+", for example")
	case first.kind == twoDots:
		p.refuseParent()
	case first.kind == word && second.kind == axisMark:
		p.refuseAxis(first)
	case first.kind == word && second.kind == colon:
		p.refuseNamespace(first)
	case first.kind == word && second.kind == openParen:
		p.refuseFunction(first, "")
	case first.kind == word || first.kind == star:
		p.fail(first, message, "write "+code("//"+first.text)+" to look everywhere, "+code("./"+first.text)+" for children of the primary element")
	case first.kind == at && second.kind == word:
		p.fail(first, message, "write "+code("./@"+second.text)+" for the primary element, or name one: "+code("//TopLevel/@"+second.text))
	case first.kind == openParen:
		p.fail(first, "grouping with parentheses is not supported", "")
	case first.is("$"):
		p.fail(first, "variables such as "+code("$"+second.text)+" are not supported", "")
	default:
		p.fail(first, message+", not with "+p.described(), "")
	}
}

// refuseStep is for what cannot follow / or //.
func (p *parser) refuseStep(link token) {
	const hint = "write a type such as `Button`, or `*` for any"
	switch p.tok.kind {
	case atEnd:
		p.fail(link, "a step is missing behind "+code(link.text), hint)
	case slash, twoSlashes:
		p.fail(p.tok, "a step is missing before this "+code(p.tok.text), "`/` leads to children, `//` to everything below")
	case twoDots:
		p.refuseParent()
	case dot:
		p.fail(p.tok, "`.` can only stand at the start of a query", hint)
	case open:
		p.fail(p.tok, "a type or `*` is missing before this filter", "write "+code(link.text+"*[...]"))
	case number:
		p.fail(p.tok, "index selectors are not supported", indexHint)
	case openParen:
		p.fail(p.tok, "grouping with parentheses is not supported", "")
	default:
		p.fail(p.tok, "unexpected "+p.described()+" where a step belongs", hint)
	}
}

// refuseRest is for what cannot follow a whole path.
func (p *parser) refuseRest(attribute bool) {
	switch t := p.tok; {
	case t.is("|"):
		p.fail(t, "unions with `|` are not supported", anyHint)
	case t.kind == word && (t.text == "and" || t.text == "or"):
		p.refuseLogic()
	case p.isArithmetic() && !attribute || t.is("+") || t.is("-"):
		p.refuseArithmetic()
	case t.kind == equals || t.kind == operator:
		hint := "write " + code("//Button[@name='Save']")
		if attribute {
			hint = "put it in a filter, as in " + code("//Button[@name='Save']") + ", or let `visual.match` compare"
		}
		p.fail(t, "a comparison can only stand in a filter `[...]`", hint)
	case t.kind == shut:
		p.fail(t, "this `]` closes nothing", "")
	case t.kind == twoDots:
		p.refuseParent()
	case t.kind == at:
		p.fail(t, "an attribute needs a `/` before it", "write "+code("/@"+p.peek().text))
	default:
		p.fail(t, "unexpected "+p.described()+" behind the query", "")
	}
}

// refuseFilter is for what cannot follow [.
func (p *parser) refuseFilter() {
	t, second := p.tok, p.peek()
	switch {
	case t.kind == shut:
		p.fail(t, "the filter is empty", "write "+code("[@selected=true]")+", for example")
	case t.kind == number && second.kind == shut:
		p.fail(t, "index selectors such as "+code("["+t.text+"]")+" are not supported", indexHint)
	case t.kind == number && second.kind != equals && second.kind != atEnd:
		p.advance() // what stands behind it is refused
	case p.isArithmetic() && t.kind == operator:
		p.refuseArithmetic()
	case t.kind == number || t.kind == quoted || t.text == "true" || t.text == "false":
		p.fail(t, "a filter starts with an attribute", "put the attribute on the left, as in "+code("[@name='Save']"))
	case t.kind == word && second.kind == axisMark:
		p.refuseAxis(t)
	case t.kind == word && second.kind == colon:
		p.refuseNamespace(t)
	case attributeByName(t.text) != NoAttribute:
		p.fail(t, "an attribute is written with `@`", "did you mean "+code("@"+attributeByName(t.text).String())+"?")
	case t.text == "not":
		p.fail(t, "`not` is not supported", p.negation(t))
	case t.kind == twoDots:
		p.refuseParent()
	case t.kind == word || t.kind == dot || t.kind == slash || t.kind == twoSlashes || t.kind == star:
		p.fail(t, "a path inside a filter is not supported", "a filter is one of `[@attribute=value]`, `[contains(@name,'...')]`, `[matches(@name,'...')]`")
	case t.kind == openParen:
		p.fail(t, "grouping with parentheses is not supported", "")
	case t.is("$"):
		p.fail(t, "variables such as "+code("$"+second.text)+" are not supported", "")
	default:
		p.fail(t, "unexpected "+p.described()+" in a filter", "")
	}
}

// refuseAfterFilter is for what stands where ] belongs.
func (p *parser) refuseAfterFilter() {
	switch t := p.tok; {
	case t.kind == word && (t.text == "and" || t.text == "or"):
		p.refuseLogic()
	case p.isArithmetic():
		p.refuseArithmetic()
	case t.is("|"):
		p.fail(t, "unions with `|` are not supported", anyHint)
	case t.kind == operator || t.kind == equals:
		p.fail(t, "a filter holds one comparison", "close it with `]`")
	default:
		p.fail(t, "unexpected "+p.described()+" where `]` belongs", "")
	}
}

// refuseOperator is for what stands where = belongs.
func (p *parser) refuseOperator(a Attribute) {
	t := p.tok
	hint := "write " + code("["+a.example()+"]")
	switch {
	case t.is("=="):
		p.fail(t, "`==` is not supported", "equality is written `=`")
	case t.is("!=") && a.Kind() == facts.Bool:
		p.fail(t, "the operator `!=` is not supported", "write "+code("[@"+a.String()+"=false]")+" or "+code("[@"+a.String()+"=true]"))
	case t.is("!="):
		p.fail(t, "the operator `!=` is not supported", otherwise(a, "equals"))
	case t.is("<") || t.is("<=") || t.is(">") || t.is(">="):
		p.fail(t, "the operator "+code(t.text)+" is not supported", "let `visual.match` compare the attribute with `min` and `max`")
	case t.kind == word && (t.text == "and" || t.text == "or"):
		p.fail(t, code(t.text)+" is not supported, and a filter compares with something", hint)
	case p.isArithmetic():
		p.refuseArithmetic()
	case t.is("|"):
		p.fail(t, "unions with `|` are not supported", anyHint)
	default:
		p.fail(t, "unexpected "+p.described()+" where `=` belongs", hint)
	}
}

// refuseValue is for what follows = and is no value.
func (p *parser) refuseValue(a Attribute) {
	t, second := p.tok, p.peek()
	hint := "write " + code("["+a.example()+"]")
	switch {
	case t.kind == word && second.kind == openParen:
		p.refuseFunction(t, "")
	case strings.EqualFold(t.text, "true") || strings.EqualFold(t.text, "false"):
		p.fail(t, "unknown value "+code(t.text), "did you mean "+code(strings.ToLower(t.text))+"?")
	case t.kind == word && a.Kind() == facts.String:
		p.fail(t, "a text stands in quotes", "write "+code("[@"+a.String()+"='"+t.text+"']"))
	case t.kind == at:
		p.fail(t, "an attribute can only be compared with a value", hint)
	case p.isArithmetic():
		p.refuseArithmetic()
	case t.is("$"):
		p.fail(t, "variables such as "+code("$"+second.text)+" are not supported", "")
	case strings.ContainsAny(t.text, "‘’“”„«»`"):
		p.fail(t, "unexpected "+strconv.Quote(t.text), "texts stand in straight quotes, ' or \"")
	default:
		p.fail(t, "unexpected "+p.described()+" where a value belongs", hint)
	}
}

// refuseArgument is for what stands where a function's attribute belongs.
func (p *parser) refuseArgument(function string, paren token) {
	t, second := p.tok, p.peek()
	hint := "write " + code(function+"(@name,'...')")
	switch {
	case t.kind == atEnd:
		p.failOpen(paren)
	case t.kind == word && second.kind == openParen:
		p.refuseFunction(t, hint)
	case t.kind == word && attributeByName(t.text) != NoAttribute:
		p.fail(t, "an attribute is written with `@`", "did you mean "+code("@"+attributeByName(t.text).String())+"?")
	case t.kind == dot:
		p.fail(t, "the first argument of "+function+"() is an attribute", "did you mean `@text`?")
	case t.kind == twoDots:
		p.refuseParent()
	default:
		p.fail(t, "the first argument of "+function+"() is an attribute", hint)
	}
}

// failKind is for a value of a kind that the attribute does not have; written is
// the value without quotes.
func (p *parser) failKind(where token, written string, a Attribute, got facts.Kind) {
	example := a.example()
	switch lower := strings.ToLower(written); {
	case a.Kind() == facts.String:
		example = "@" + a.String() + "='" + written + "'"
	case a.Kind() == facts.Number && isNumber(written), a.Kind() == facts.Bool && lower == "false":
		example = "@" + a.String() + "=" + lower
	}
	p.fail(where, code("@"+a.String())+" is "+a.Kind().String()+", not "+got.String(), "write "+code("["+example+"]"))
}

// isNumber is true for what the language reads as one number.
func isNumber(s string) bool {
	l := lexer{src: strings.TrimPrefix(s, "-")}
	return l.next().kind == number && l.pos == len(l.src)
}

func (p *parser) failQuote(text token) {
	quote, other := p.lexer.src[text.offset:text.offset+1], `"`
	if quote == other {
		other = "'"
	}
	p.fail(token{offset: text.end - 1, end: text.end}, "the text ends at this quote, but more follows", "a text that holds "+quote+" stands in "+other)
}
