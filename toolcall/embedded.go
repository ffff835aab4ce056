package toolcall

import "strings"

// embedded is an object or a list that stands in the arguments as a text with JSON in it, such as `"edits": "[{…}]"`: some models
// write it so, and agents read it. What is in it counts as if it stood there itself.
type embedded struct {
	decoder decoder
	scopes  int  // that were open before it
	begun   bool // its first character has come
	busy    bool // what the sink is told is of it
}

// embeds tells whether an argument that is a text, and says nothing by its name, may be such a one. One in another is none.
func (a *arguments) embeds(name string) bool {
	return a.embedded == nil && (a.kind == Write || a.kind == Edit || a.kind == Patch) && !remarkNames[Plain(name)]
}

// feed takes a part of the text, and tells whether it may be JSON.
func (e *embedded) feed(text string) bool {
	if !e.begun {
		if text = strings.TrimLeft(text, " \t\r\n"); text == "" {
			return true
		}
		if text[0] != '{' && text[0] != '[' {
			return false
		}
		e.begun = true
	}
	e.busy = true
	e.decoder.feed(text)
	e.busy = false
	return true
}

// end ends it, complete or not.
func (e *embedded) end(a *arguments) {
	e.busy = true
	e.decoder.finish()
	for len(a.scopes) > e.scopes {
		a.shut(true)
	}
	a.embedded, a.current = nil, value{}
}
