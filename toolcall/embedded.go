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

// An agent may take what it writes from an argument that is not known here. Of a tool that is known to write or to run something, and
// whose call has nothing of the kind, all other texts count: they are held back until the call has ended.

// held is a text of an argument that is not known.
type held struct {
	scope *scope
	text  *strings.Builder
}

// settingNames are arguments that say how something is done.
var settingNames = names("command mode type kind action operation op encoding language range viewrange")

// holds tells whether a text that says nothing by its name is held back.
func (a *arguments) holds(name string) bool {
	plain := Plain(name)
	return a.kind != Other && !a.seen && (a.embedded == nil || !a.embedded.busy) && !remarkNames[plain] && !settingNames[plain]
}

// hold begins to hold one back. Beyond some, they are one.
func (a *arguments) hold(scope *scope) {
	a.holding = true
	if last := len(a.held) - 1; last >= maxSegments {
		a.held[last].text.WriteByte('\n')
		return
	}
	a.held = append(a.held, held{scope, &strings.Builder{}})
}

// release reads what was held back, if nothing else has come.
func (a *arguments) release() {
	if a.seen {
		return
	}
	r, role := (*Reader)(a), contentRole
	switch a.kind {
	case Patch:
		role = patchRole
	case Shell:
		role = commandRole
	case Other, Look, Write, Edit:
	}
	for _, h := range a.held {
		if h.text.Len() == 0 {
			continue
		}
		r.begin(role, h.scope)
		if role == contentRole {
			r.segments[r.current.segment].unnamed = true
		}
		r.write(h.text.String())
		a.end()
	}
}
