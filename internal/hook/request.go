package hook

import (
	"bytes"
	"encoding/json"
	"strings"
)

// moment is what a hook is called for.
type moment uint8

const (
	unknown moment = iota
	begin          // a conversation begins, or is resumed, cleared, compacted
	prompt         // a person has spoken
	before         // a tool is about to be called
	after          // a tool was called
	compact        // the conversation is about to be compacted, and nothing tells when that is done
	said           // the model has said something, and nothing can be answered
	end            // a turn ends
	ignored        // nothing that rules have to do with
)

// start is how a conversation begins.
type start uint8

const (
	anew      start = iota // a new one
	compacted              // the model no longer has what was given
	resumed                // it still has
)

// request is one call of a hook, whatever the agent.
type request struct {
	moment       moment
	event        string // as the agent names it, for the answer
	start        start
	conversation string
	call         string // the id of the tool call; empty: the agent tells none
	dir          string // the working directory; empty: the agent tells none
	tool         string
	arguments    string // JSON, or the bare input of a tool
	message      string // what the model said last
	continued    *bool  // whether this turn was continued by a hook already; nil: the agent does not tell
}

// answer is what is decided. The zero value says nothing.
type answer struct {
	deny    bool
	reason  string // why it is denied or, at the end of a turn, why that goes on
	context string // what the model is told
}

// reply is what the process does.
type reply struct {
	output string // on standard output
	errors string // on standard error
	code   int
}

// dialect is how one agent speaks.
type dialect struct {
	read  func(object, string) request
	write func(request, answer) reply
	// silent are the moments at which nothing that is said reaches the model: it is said later.
	silent []moment
	// unable: the agent cannot be kept from a call, so that the model is told instead.
	unable bool
	// exits are the moments at which the exit code 2 denies, with the reason on standard error, for when nothing else can be said.
	exits []moment
	// late: no event tells that a conversation begins, or what is said then is lost.
	late bool
	// prompted: some versions tell of no beginning but that a person has spoken.
	prompted bool
	// speechless: only the reason of a denial reaches the model.
	speechless bool
}

// dialects are the agents whose hooks are known, by name.
func dialects() map[string]dialect {
	return map[string]dialect{
		"claude":   claude(),
		"cline":    cline(),
		"codex":    codex(),
		"copilot":  copilot(),
		"cursor":   cursor(),
		"droid":    droid(),
		"gemini":   gemini(),
		"opencode": plugin(),
		"pi":       plugin(),
		"qwen":     qwen(),
		"windsurf": windsurf(),
	}
}

// object is a JSON object that is read as far as it is what it should be: what is missing or of another type is empty.
type object map[string]json.RawMessage

// parse reads an object.
func parse(data []byte) (object, bool) {
	var o object
	if err := json.Unmarshal(bytes.TrimPrefix(data, []byte("\ufeff")), &o); err != nil || o == nil {
		return nil, false
	}
	return o, true
}

// text is the first of some fields that is a text with something in it.
func (o object) text(names ...string) string {
	for _, name := range names {
		var s string
		if starts(o[name], '"') && json.Unmarshal(o[name], &s) == nil && s != "" {
			return s
		}
	}
	return ""
}

// starts tells whether a value is of a kind, by its first character: arguments may be large, and are not read to find that out.
func starts(raw json.RawMessage, with byte) bool {
	raw = bytes.TrimLeft(raw, " \t\r\n")
	return len(raw) > 0 && raw[0] == with
}

// flag is a field that is true or false; nil: it is neither.
func (o object) flag(name string) *bool {
	var b *bool
	if json.Unmarshal(o[name], &b) != nil {
		return nil
	}
	return b
}

// object is a field that is an object.
func (o object) object(name string) object {
	var inner object
	if !starts(o[name], '{') || json.Unmarshal(o[name], &inner) != nil {
		return nil
	}
	return inner
}

// first is the first text of a field that is a list, or the text that it is.
func (o object) first(name string) string {
	var list []json.RawMessage
	if json.Unmarshal(o[name], &list) == nil && len(list) > 0 {
		return object{"": list[0]}.text("")
	}
	return o.text(name)
}

// arguments is a field that holds the arguments of a tool: an object, or a text that may be one.
func (o object) arguments(names ...string) string {
	for _, name := range names {
		raw := bytes.TrimSpace(o[name])
		if len(raw) == 0 || string(raw) == "null" {
			continue
		}
		if s := o.text(name); s != "" {
			return s
		}
		return string(raw)
	}
	return ""
}

// named finds what an event is by its name, whatever its case and whatever stands between its words.
func named(event string, moments map[string]moment) moment {
	plain := strings.ToLower(strings.NewReplacer("_", "", "-", "", " ", "").Replace(event))
	if m, ok := moments[plain]; ok {
		return m
	}
	return unknown
}

// started tells how a conversation begins by the word that agents have for it.
func started(source string) start {
	switch {
	case strings.EqualFold(source, "resume"):
		return resumed
	case strings.EqualFold(source, "compact"):
		return compacted
	}
	return anew
}

// encoded is a value as JSON, on a line of its own.
func encoded(value any) string {
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(value); err != nil {
		return nothing
	}
	return b.String()
}

// nothing is an answer that says nothing.
const nothing = "{}\n"
