package gateway

import (
	"slices"
	"strconv"
	"strings"

	"github.com/pertain-dev/pertain/gateway/internal/jsontext"
)

// partialCall is a call of Gemini whose arguments arrive in pieces, each for a place in them. It is watched when it is
// whole, as the agent reads it: pieces of one text may have others between them.
type partialCall struct {
	key       int64
	id, tool  string
	arguments argument
	size      int  // bytes of arguments
	parted    bool // they are too large to be put together
}

// argument is a value of the arguments of a call, put together of pieces.
type argument struct {
	text  strings.Builder
	other []byte   // a number or a word; nil: a text
	names []string // of what is below it, in the order in which they came
	below map[string]*argument
	list  bool
}

// Bounds of what is put together.
const (
	maxArguments = 64 << 20 // bytes
	maxNesting   = 64
)

// fork gives one that goes on from here by itself.
func (p *partialCall) fork() *partialCall {
	out := &partialCall{key: p.key, id: p.id, tool: p.tool, size: p.size, parted: p.parted}
	p.arguments.copyTo(&out.arguments)
	return out
}

func (a *argument) copyTo(out *argument) {
	out.other, out.names, out.list = slices.Clone(a.other), slices.Clone(a.names), a.list
	out.text.WriteString(a.text.String())
	for name, below := range a.below {
		if out.below == nil {
			out.below = make(map[string]*argument, len(a.below))
		}
		out.below[name] = &argument{}
		below.copyTo(out.below[name])
	}
}

// take takes the pieces of an event, and gives those that cannot be put together.
func (p *partialCall) take(call jsontext.Value) []said {
	var out []said
	for piece := range call.Get("partialArgs").Items() {
		text := piece.Get("stringValue").Text()
		if p.size += len(text) + len(piece.Get("jsonPath").Raw()); p.parted || p.size > maxArguments {
			if !p.parted {
				p.parted = true
				out = append(out, said{what: callPiece, key: p.key, text: string(p.arguments.json())})
				p.arguments = argument{}
			}
			out = append(out, said{what: callPiece, key: p.key, text: text})
			continue
		}
		at := p.arguments.at(piece.Get("jsonPath").Text())
		for _, kind := range []string{"numberValue", "boolValue"} {
			if v := piece.Get(kind); v.Exists() {
				at.other = append([]byte(nil), v.Raw()...)
			}
		}
		at.text.WriteString(text)
	}
	return out
}

// end gives what is watched of a call that is whole.
func (p *partialCall) end() []said {
	if p.parted {
		return []said{{what: streamEnd, key: p.key}}
	}
	text := p.arguments.json()
	return []said{{what: callPiece, key: p.key, text: string(text)}, {what: streamEnd, key: p.key, id: strings.Join(callNames(p.id, p.tool, text), " ")}}
}

// at is the value at a JSON path such as $.edits[0].text or $['a b'].
func (a *argument) at(path string) *argument {
	rest := strings.TrimPrefix(path, "$")
	for range maxNesting {
		if rest == "" {
			break
		}
		var name string
		if inside, ok := strings.CutPrefix(rest, "["); ok {
			name, rest, _ = strings.Cut(inside, "]")
			if _, err := strconv.ParseUint(name, 10, 32); err == nil {
				a.list = true
			}
			name = strings.Trim(name, `'"`)
		} else {
			rest = strings.TrimPrefix(rest, ".")
			end := strings.IndexAny(rest, ".[")
			if end < 0 {
				end = len(rest)
			}
			name, rest = rest[:end], rest[end:]
		}
		next := a.below[name]
		if next == nil {
			if a.below == nil {
				a.below = make(map[string]*argument)
			}
			next = &argument{}
			a.below[name], a.names = next, append(a.names, name)
		}
		a = next
	}
	return a
}

// json is the value as the agent reads it.
func (a *argument) json() []byte {
	switch {
	case len(a.names) == 0 && a.other != nil:
		return a.other
	case len(a.names) == 0:
		return jsontext.Quote(a.text.String())
	}
	var items [][]byte
	for _, name := range a.names {
		text := a.below[name].json()
		if !a.list {
			text = append(append(jsontext.Quote(name), ':'), text...)
		}
		items = append(items, text)
	}
	if a.list {
		return array(items)
	}
	return append(append([]byte{'{'}, joined(items)...), '}')
}
