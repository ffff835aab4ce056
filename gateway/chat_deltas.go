package gateway

import (
	"math"
	"slices"

	"github.com/pertain-dev/pertain/gateway/internal/jsontext"
)

// deltas reads what one choice says, in pieces or whole.
type deltas struct {
	base   int64                // of the keys
	calls  map[int64]*deltaCall // those that pieces belong to, by their index
	open   []*deltaCall         // that have not ended, in order
	last   *deltaCall           // that has begun
	count  int64                // of those that have
	text   bool
	denial bool
	over   bool // it has a reason for its end
	said   []said

	thought [len(thoughtKeys) + 1]bool // in which places, the last of them the content
}

// Keys of a choice: its text, what it thinks, and its calls from chatCall on.
const (
	chatText = iota
	chatThinking
	chatCall
	chatRefusal  = 1 << 30     // no call has such a number
	chatThoughts = chatRefusal // and so many more: what is thought in other places
)

// choice reads what an event or a document has of the choice. Servers write one for the other, and agents read both.
func (d *deltas) choice(v jsontext.Value) {
	var top [3]jsontext.Value
	v.Pick(top[:], "delta", "message", "text")
	d.read(top[0])
	d.read(top[1])
	d.write(top[2].Text())
}

// read reads a message, or a piece of one.
func (d *deltas) read(delta jsontext.Value) {
	if delta.Kind() != '{' {
		return
	}
	var top [4 + len(thoughtKeys)]jsontext.Value
	delta.Pick(top[:], deltaKeys[:]...)
	for i, thinks := range top[4:] {
		if thinks.Exists() {
			d.thinks(i, thoughts(thinks, maxNesting))
		}
	}
	if top[0].Kind() == '[' {
		d.thinks(len(thoughtKeys), partThoughts(top[0]))
	}
	d.write(allText(top[0]))
	if text := top[3].Text(); text != "" {
		d.denial = true
		d.said = append(d.said, said{what: textPiece, key: d.base + chatRefusal, text: text})
	}
	at := int64(0)
	for call := range top[1].Items() {
		if index := call.Get("index"); index.Kind() == '0' {
			at = index.Int()
		}
		function := call.Get("function")
		arguments := function.Get("arguments")
		now := deltaCall{id: call.Get("id").Text()}
		if custom := call.Get("custom"); custom.Kind() == '{' {
			function, arguments, now.bare = custom, custom.Get("input"), true
		}
		d.call(at, now, function.Get("name").Text(), written(arguments))
		at++
	}
	if call := top[2]; call.Kind() == '{' {
		d.call(onlyCall, deltaCall{}, call.Get("name").Text(), written(call.Get("arguments")))
	}
}

// write takes a piece of the text.
func (d *deltas) write(text string) {
	if text != "" {
		d.text = true
		d.said = append(d.said, said{what: textPiece, key: d.base + chatText, text: text})
	}
}

// saysText tells whether all that an event says is this piece of the text.
func (d *deltas) saysText(text string) bool {
	return len(d.said) == 1 && d.said[0].what == textPiece && d.said[0].key == d.base+chatText && text != "" && d.said[0].text == text
}

// deltaCall is a call that arrives in pieces.
type deltaCall struct {
	key       int64
	id        string
	name      string
	side      side
	joined    *deltaCall // as those read it who go by the index alone; nil: it is the same
	bare      bool       // its arguments are no JSON, and nothing tells where they end
	arguments nesting
}

// onlyCall is the index of the call of a choice that has no list of them.
const onlyCall = math.MinInt64

// fork gives one that reads on from here by itself.
func (d *deltas) fork() *deltas {
	out := *d
	out.calls, out.open, out.last, out.said = make(map[int64]*deltaCall, len(d.calls)), nil, nil, nil
	copies := make(map[*deltaCall]*deltaCall, len(d.calls))
	copied := func(c *deltaCall) *deltaCall {
		if c != nil && copies[c] == nil {
			again := *c
			copies[c] = &again
		}
		return copies[c]
	}
	defer func() {
		for _, c := range copies {
			if c.joined != nil {
				c.joined = copies[c.joined]
			}
		}
	}()
	for index, c := range d.calls {
		out.calls[index] = copied(c)
	}
	for _, c := range d.open {
		out.open = append(out.open, copied(c))
	}
	out.last = copied(d.last)
	return &out
}

// call takes a piece of a call. One is whole when the next begins, if its arguments are: servers that write several calls
// at a time go on with an earlier one, and agents put pieces together by their index. Servers that know of no index begin
// the next call with another id; agents that go by the index alone take it for more of the one before.
func (d *deltas) call(index int64, now deltaCall, name, arguments string) {
	c := d.calls[index]
	if c == nil || now.id != "" && c.id != "" && now.id != c.id {
		now.name = name
		c = d.begin(index, &now, c)
	} else {
		d.rename(c, name)
	}
	if c.joined != nil {
		d.rename(c.joined, name)
	}
	if arguments == "" {
		return
	}
	d.add(c, arguments)
	if c.joined != nil {
		d.add(c.joined, arguments)
	}
	if c != d.last {
		d.endCall(c)
	}
}

// begin begins a call, where another may have begun before it under one index; nil: none.
func (d *deltas) begin(index int64, c, before *deltaCall) *deltaCall {
	if d.calls == nil {
		d.calls = make(map[int64]*deltaCall)
	}
	if d.last != nil {
		d.endCall(d.last)
	}
	c.key = d.base + chatCall + d.count
	d.count++
	d.calls[index], d.last, d.open = c, c, append(d.open, c)
	d.said = append(d.said, said{what: callBegin, key: c.key, tool: c.name, id: c.id})
	if before == nil {
		return c
	}
	if c.name == "" {
		d.rename(c, before.name)
	}
	if c.joined = before.together(); c.joined != nil && c.joined != before.joined {
		d.open = append(d.open, c.joined)
	}
	return c
}

// together is a call of which those who go by the index alone take the next for more; nil: nothing can follow, since it is whole.
func (c *deltaCall) together() *deltaCall {
	joined := c.joined
	if joined == nil {
		again := *c
		joined = &again
		joined.side = joinedSide
	}
	if joined.arguments.whole() && !joined.bare {
		return nil
	}
	return joined
}

// rename takes a name of a call that has begun; mostly there is none, or the same.
func (d *deltas) rename(c *deltaCall, name string) {
	if name != "" && name != c.name {
		c.name = name
		d.said = append(d.said, said{what: callName, key: c.key, tool: name, side: c.side})
	}
}

// add takes a piece of the arguments.
func (d *deltas) add(c *deltaCall, arguments string) {
	c.arguments.take(arguments)
	d.said = append(d.said, said{what: callPiece, key: c.key, text: arguments, side: c.side})
}

// endCall ends a call if it is whole. What is not ends with the answer.
func (d *deltas) endCall(c *deltaCall) {
	if c.joined != nil {
		d.endCall(c.joined)
	}
	at := slices.Index(d.open, c)
	if at < 0 || c.bare || !c.arguments.whole() {
		return
	}
	d.open = slices.Delete(d.open, at, at+1)
	d.said = append(d.said, said{what: streamEnd, key: c.key, side: c.side})
}

// end ends everything that has begun.
func (d *deltas) end() {
	for i, thought := range d.thought {
		if thought {
			d.said = append(d.said, said{what: streamEnd, key: d.thinkingKey(i)})
		}
	}
	d.thought = [len(d.thought)]bool{}
	if d.text {
		d.text = false
		d.said = append(d.said, said{what: streamEnd, key: d.base + chatText})
	}
	if d.denial {
		d.denial = false
		d.said = append(d.said, said{what: streamEnd, key: d.base + chatRefusal})
	}
	for _, c := range slices.Clone(d.open) {
		d.endCall(c)
	}
}

// nesting tells of a JSON object or list that arrives in pieces whether it has come to its end.
type nesting struct {
	depth   int
	quoted  bool
	escaped bool
	over    bool
}

func (n *nesting) take(piece string) {
	for i := range len(piece) {
		c := piece[i]
		switch {
		case n.escaped:
			n.escaped = false
		case n.quoted:
			n.escaped, n.quoted = c == '\\', c != '"'
		case c == '"':
			n.quoted = true
		case c == '{' || c == '[':
			n.depth++
		case c == '}' || c == ']':
			n.depth--
			n.over = n.over || n.depth <= 0
		}
	}
}

// whole tells whether nothing more is to come.
func (n *nesting) whole() bool { return n.over && n.depth <= 0 && !n.quoted }
