package visual

import (
	"strings"
	"unicode"

	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/facts"
)

// refuseFunction is for a function that the language does not have.
func (p *parser) refuseFunction(name token, hint string) {
	message := "the function " + code(name.text+"()") + " is not supported"
	switch name.text {
	case "position", "last":
		p.fail(name, "index selectors such as "+code(name.text+"()")+" are not supported", indexHint)
		return
	case "contains", "matches":
		p.fail(name, "the function "+code(name.text+"()")+" can only stand alone in a filter", "write "+code("//Button["+name.text+"(@name,'...')]"))
		return
	case "not":
		hint = p.negation(name)
	case "count":
		hint = "use `visual.count`"
	case "text", "string":
		hint = "the text is `@text`, the name `@name`"
	case "name", "local-name":
		hint = "a type is a step of its own: " + code("//Button")
	case "node", "element":
		hint = "any element is `*`"
	case "true", "false":
		hint = "write " + code(name.text) + " without parentheses"
	case "starts-with":
		hint = "write " + code("matches(@name,'^...')")
	case "ends-with":
		hint = "write " + code("matches(@name,'...$')")
	case "lower-case", "upper-case", "translate":
		hint = caseHint
	default:
		if near := diag.Nearest(name.text, functions[doesContain:]); near != "" {
			hint = "did you mean " + code(near) + "?"
		} else if hint == "" {
			hint = "there are `contains(@name,'...')` and `matches(@name,'...')`"
		}
	}
	p.fail(name, message, hint)
}

// negation says what to write in the place of not(): for a filter, what an element may
// be otherwise; before it, that there is none.
func (p *parser) negation(not token) string {
	const none = "put the whole condition under `not:`"
	src := p.lexer.src
	if strings.LastIndexByte(src[:not.offset], '[') <= strings.LastIndexByte(src[:not.offset], ']') {
		return none
	}
	inside, _, _ := strings.Cut(src[not.end:], "]")
	_, name, found := strings.Cut(inside, "@")
	if end := strings.IndexFunc(name, func(r rune) bool { return !strings.ContainsRune("abcdefghijklmnopqrstuvwxyz.", unicode.ToLower(r)) }); end >= 0 {
		name = name[:end]
	}
	a := attributeByName(name)
	switch {
	case !found || a == NoAttribute:
		return none
	case a.Kind() == facts.Bool && strings.Contains(inside, "false"):
		return "write " + code("[@"+a.String()+"=true]")
	case a.Kind() == facts.Bool:
		return "write " + code("[@"+a.String()+"=false]")
	case strings.Contains(inside, "contains"):
		return otherwise(a, "contains")
	case strings.Contains(inside, "matches"):
		return otherwise(a, "regex")
	}
	return otherwise(a, "equals")
}

// otherwise says how to ask for an element whose attribute does not meet an operator.
func otherwise(a Attribute, operator string) string {
	return "for an element with another one let `visual.match` compare " + code("//Button/@"+a.String()) + " with `not: { " + operator + ": … }`; for no such element put the whole condition under `not:`"
}

// refuseAxis is for name::, where the current token is one of the two.
func (p *parser) refuseAxis(name token) {
	mark := p.tok
	if mark.kind != axisMark {
		mark = p.peek()
	}
	hint := ""
	switch name.text {
	case "child":
		hint = "a child is written `/Type`"
	case "descendant", "descendant-or-self":
		hint = "everything below is written `//Type`"
	case "attribute":
		hint = "an attribute is written `@name`"
	case "self":
		hint = "the primary element is written `.`"
	case "parent", "ancestor", "ancestor-or-self":
		hint = "start further up, as in `//TopLevel//Button`"
	}
	p.fail(span(name, mark), "the axis "+code(name.text+"::")+" is not supported", hint)
}

func (p *parser) refuseParent() {
	p.fail(p.tok, "the parent axis `..` is not supported", "start further up, as in `//TopLevel//Button`")
}

func (p *parser) refuseNamespace(prefix token) {
	p.fail(prefix, "the namespace prefix "+code(prefix.text+":")+" is not supported", "leave the prefix out")
}

func (p *parser) refuseLogic() {
	hint := "several filters must all hold: `[...][...]`"
	if p.tok.text == "or" {
		hint = anyHint
	}
	p.fail(p.tok, code(p.tok.text)+" is not supported", hint)
}

// isArithmetic is true where a value is followed by an arithmetic operator.
func (p *parser) isArithmetic() bool {
	switch p.tok.kind {
	case star:
		return true
	case word:
		return p.tok.text == "div" || p.tok.text == "mod"
	default:
		return p.tok.is("+") || p.tok.is("-")
	}
}

func (p *parser) refuseArithmetic() {
	p.fail(p.tok, "arithmetic with "+code(p.tok.text)+" is not supported", "write the result")
}
