package visual

import (
	"strconv"
	"strings"
	"unicode"

	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/facts"
)

// What people know from XPath and try here is refused by its name, with what to
// write instead; this file is all of those messages.

const (
	anyHint   = "write two conditions under `any:`"
	caseHint  = "case is ignored unless the condition has `caseSensitive: true`"
	indexHint = "positions change from one moment to the next; filter by an attribute, such as `[@selected=true]`"
)

var attributeList = "attributes are @" + strings.Join(attributeNames(), ", @")

// words that people expect to be attributes, with what to write instead; those
// without a hint are fields of one platform.
var strangeAttributes = []struct{ name, hint string }{
	{"bounds", "write `@bounds.x`, `@bounds.y`, `@bounds.width` or `@bounds.height`"},
	{"x", "did you mean `@bounds.x`?"},
	{"y", "did you mean `@bounds.y`?"},
	{"width", "did you mean `@bounds.width`?"},
	{"height", "did you mean `@bounds.height`?"},
	{"type", "the type is the step's name, as in `//Button`"},
	{"title", "did you mean `@name`?"},
	{"label", "did you mean `@name`?"},
	{"value", "did you mean `@text`?"},
	{"content", "did you mean `@text`?"},
	{"enabled", "did you mean `@disabled`, as in `[@disabled=false]`?"},
	{"visible", "did you mean `@offscreen`, as in `[@offscreen=false]`?"},
	{"AutomationId", ""},
	{"ClassName", ""},
	{"ControlType", ""},
	{"LocalizedControlType", ""},
	{"FrameworkId", ""},
	{"RuntimeId", ""},
	{"ProcessId", ""},
	{"NativeWindowHandle", ""},
	{"HelpText", ""},
	{"AcceleratorKey", ""},
	{"AccessKey", ""},
	{"ItemType", ""},
	{"ItemStatus", ""},
	{"Hwnd", ""},
	{"AXRole", ""},
	{"AXSubrole", ""},
	{"AXIdentifier", ""},
	{"AXTitle", ""},
	{"AXValue", ""},
}

func (p *parser) refuseAttribute(where token, name string) {
	for _, s := range strangeAttributes {
		if !strings.EqualFold(s.name, name) {
			continue
		}
		if s.hint == "" {
			p.fail(where, "the platform-specific field "+code("@"+name)+" is not supported", attributeList)
		} else {
			p.fail(where, "unknown attribute "+code("@"+name), s.hint)
		}
		return
	}
	hint := attributeList
	if near := diag.Nearest(name, attributeNames()); near != "" {
		hint = "did you mean " + code("@"+near) + "?"
	}
	p.fail(where, "unknown attribute "+code("@"+name), hint)
}

// otherTypes are what other programs call a type.
var otherTypes = map[string]string{
	"window": "TopLevel", "dialog": "TopLevel", "frame": "TopLevel", "form": "TopLevel",
	"edit": "TextEdit", "textbox": "TextEdit", "textfield": "TextEdit", "textarea": "TextEdit", "input": "TextEdit", "entry": "TextEdit", "editor": "TextEdit",
	"text": "Label", "statictext": "Label", "textblock": "Label", "link": "Hyperlink", "anchor": "Hyperlink",
	"list": "ListView", "listbox": "ListView", "listitem": "ListViewItem", "tree": "TreeView", "treeitem": "TreeViewItem",
	"tab": "TabItem", "tabs": "TabControl", "tablist": "TabControl", "tabpanel": "Panel", "grid": "DataGrid", "dataitem": "DataGridItem", "row": "TableRow",
	"pane": "Panel", "group": "Panel", "div": "Panel", "container": "Panel", "picture": "Image", "img": "Image", "icon": "Image",
	"checkbutton": "CheckBox", "check": "CheckBox", "switch": "CheckBox", "toggle": "CheckBox", "radio": "RadioButton", "dropdown": "ComboBox", "select": "ComboBox",
	"menubar": "Menu", "page": "Document", "progress": "ProgressBar", "separator": "Splitter", "spinbutton": "Spinner", "display": "Screen", "monitor": "Screen", "pushbutton": "Button",
}

func nearestType(name string) string {
	if other := otherTypes[strings.ToLower(name)]; other != "" {
		return "did you mean " + code(other) + "?"
	}
	if hint := diag.DidYouMean(name, facts.ElementTypes()); hint != "" {
		return hint
	}
	return "types are " + strings.Join(facts.ElementTypes(), ", ")
}

// example is a filter on the attribute, for hints.
func (a Attribute) example() string {
	switch a.Kind() {
	case facts.Bool:
		return "@" + a.String() + "=true"
	case facts.Number:
		return "@" + a.String() + "=10"
	default:
		return "@" + a.String() + "='...'"
	}
}

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
		p.advance()
		p.refuseAfterFilter()
	case p.isArithmetic() && t.kind == operator:
		p.refuseArithmetic()
	case t.kind == number || t.kind == quoted || t.kind == word && (t.text == "true" || t.text == "false"):
		p.fail(t, "a filter starts with an attribute", "put the attribute on the left, as in "+code("[@name='Save']"))
	case t.kind == word && second.kind == axisMark:
		p.refuseAxis(t)
	case t.kind == word && second.kind == colon:
		p.refuseNamespace(t)
	case t.kind == word && attributeByName(t.text) != NoAttribute:
		p.fail(t, "an attribute is written with `@`", "did you mean "+code("@"+attributeByName(t.text).String())+"?")
	case t.kind == word && t.text == "not":
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
	case t.kind == word && (strings.EqualFold(t.text, "true") || strings.EqualFold(t.text, "false")):
		p.fail(t, "unknown value "+code(t.text), "did you mean "+code(strings.ToLower(t.text))+"?")
	case t.kind == word && a.Kind() == facts.String:
		p.fail(t, "a text stands in quotes", "write "+code("[@"+a.String()+"='"+t.text+"']"))
	case t.kind == at:
		p.fail(t, "an attribute can only be compared with a value", hint)
	case p.isArithmetic():
		p.refuseArithmetic()
	case t.is("$"):
		p.fail(t, "variables such as "+code("$"+second.text)+" are not supported", "")
	case t.kind == stray && strings.ContainsAny(t.text, "‘’“”„«»`"):
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
	case a.Kind() == facts.Number && isNumber(written), a.Kind() == facts.Bool && (lower == "true" || lower == "false"):
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
