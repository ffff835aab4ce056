package cases

import (
	"slices"
	"strings"

	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/document"
)

func (f *File) readCase(node *document.Node) *testCase {
	c := &testCase{node: node, line: f.line(node)}
	if node.Kind != document.Mapping {
		c.wrong(c.line, "a case is a map with a `name`")
		return c
	}
	if name := node.Get("name"); name != nil && name.IsScalar() && name.Kind != document.Null {
		c.name = strings.TrimSpace(name.Text)
	}
	for _, e := range node.Entries {
		f.readKey(c, e)
	}
	if c.fails != "" && c.wantsPrompt {
		c.wrong(f.line(c.failsAt), "`fails` stands instead of `prompt` and `systemPrompt`: where there is no prompt, there is none to look at")
	}
	return c
}

// readKey reads one key of a case.
func (f *File) readKey(c *testCase, e document.Entry) {
	line, null := f.line(e.Key), e.Value.Kind == document.Null
	text := func() *string {
		if !e.Value.IsScalar() || null {
			c.wrong(line, "`"+e.Key.Text+"` must be a text, not "+e.Value.Kind.String())
			return nil
		}
		return &e.Value.Text
	}
	switch e.Key.Text {
	case "name":
		text()
	case "context":
		if e.Value.Kind != document.Mapping && e.Value.Kind != document.String && !null {
			c.wrong(line, "`context` must be a context, or the path of one, not "+e.Value.Kind.String())
		}
		c.context = e.Value
	case "selection":
		c.selection = text()
	case "text":
		c.text = text()
	case "input":
		if t := text(); t != nil {
			c.input = *t
		}
	case "attach":
		for _, l := range f.texts(c, e) {
			c.attach = append(c.attach, l.text)
		}
	case "result":
		if _, ok := e.Value.Bool(); !ok && !null {
			c.wrong(line, "`result` must be true, false or null, not "+e.Value.Kind.String())
		}
		c.result = e.Value
	case "prompt":
		c.prompt, c.wantsPrompt = f.expectation(c, e), true
	case "systemPrompt":
		c.systemPrompt, c.wantsPrompt = f.expectation(c, e), true
	case "diagnostics":
		c.diagnosticsAt, c.hasCodes = e.Key, true
		for _, l := range f.texts(c, e) {
			f.checkCode(c, l)
			c.diagnostics = append(c.diagnostics, l.text)
		}
	case "fails":
		if t := text(); t != nil {
			c.fails, c.failsAt = *t, e.Value
			f.checkCode(c, literal{*t, line})
		}
	default:
		c.wrong(line, unknownKey(e.Key.Text, caseKeys))
	}
}

// checkCode refuses a code that there is not: nothing could ever be told by it.
func (f *File) checkCode(c *testCase, l literal) {
	if c.mistake != "" {
		return // one is told
	}
	var codes []string
	for _, info := range diag.Codes() {
		codes = append(codes, string(info.Code))
	}
	if slices.Contains(codes, l.text) {
		return
	}
	message := "there is no diagnostic `" + diag.Short(l.text) + "`"
	if near := diag.Nearest(l.text, codes); near != "" {
		message += "; did you mean `" + near + "`?"
	}
	c.wrong(l.line, message)
}

// texts reads a text or a list of texts.
func (f *File) texts(c *testCase, e document.Entry) []literal {
	items := []*document.Node{e.Value}
	if e.Value.Kind == document.Sequence {
		items = e.Value.Items
	}
	var out []literal
	for _, item := range items {
		if !item.IsScalar() || item.Kind == document.Null {
			c.wrong(f.line(e.Key), "`"+e.Key.Text+"` must be a text or a list of texts, not "+item.Kind.String())
			continue
		}
		out = append(out, literal{item.Text, f.line(item)})
	}
	return out
}

func (f *File) expectation(c *testCase, e document.Entry) *expectation {
	x := &expectation{}
	if e.Value.Kind != document.Mapping || len(e.Value.Entries) == 0 {
		c.wrong(f.line(e.Key), "`"+e.Key.Text+"` must be a map of `contains`, `lacks` and `equals`")
		return x
	}
	for _, part := range e.Value.Entries {
		switch part.Key.Text {
		case "contains":
			x.contains = f.texts(c, part)
		case "lacks":
			x.lacks = f.texts(c, part)
		case "equals":
			if part.Value.Kind == document.Sequence {
				c.wrong(f.line(part.Key), "`equals` takes one text, the whole")
			} else if l := f.texts(c, part); len(l) == 1 {
				x.equals = &l[0]
			}
		default:
			c.wrong(f.line(part.Key), unknownKey(part.Key.Text, promptKeys))
		}
	}
	return x
}
