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
	named  *deltaCall           // the last that has got a name
	byID   map[string]*deltaCall
	strays []*deltaCall // that have begun with neither name nor id: some take them for more of another
	count  int64        // of those that have begun
	text   bool
	denial bool
	over   bool // it has a reason for its end
	said   []said

	wrote, denied bool // it has a text, and a refusal
	refused       bool // the refusal came first

	thought [len(thoughtKeys) + 1]bool // in which fields, the last of them the content
}

// Keys of a choice: its text, what it thinks, and its calls from chatCall on.
const (
	chatText = iota
	chatThinking
	chatCall
	chatRefusal  = 1 << 30     // no call has such a number
	chatThoughts = chatRefusal // and so many more: what is thought in other fields
)

// choice reads what an event or a document has of the choice. Servers write one for the other, and agents read both.
func (d *deltas) choice(v jsontext.Value) {
	var top [3]jsontext.Value
	v.Pick(top[:], "delta", "message", "text")
	d.read(top[0])
	d.read(top[1])
	d.write(top[2].Text())
}

// again reads a choice as the only one.
func (d *deltas) again(v jsontext.Value) []said {
	d.said = nil
	d.choice(v)
	if v.Get("finish_reason").Exists() {
		d.end()
	}
	return onSide(d.said, flatSide)
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
	d.refuse(top[3].Text())
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
		d.text, d.wrote = true, true
		d.mixes(text)
		d.said = append(d.said, said{what: textPiece, key: d.base + chatText, text: text})
	}
}

// refuse takes a piece of the refusal.
func (d *deltas) refuse(text string) {
	if text == "" {
		return
	}
	d.denial, d.denied, d.refused = true, true, d.refused || !d.wrote
	d.mixes(text)
	d.said = append(d.said, said{what: textPiece, key: d.base + chatRefusal, text: text})
}

// mixes takes a piece of a text or a refusal, where there are both: some show them as one.
func (d *deltas) mixes(text string) {
	if !d.wrote || !d.denied {
		return
	}
	key := d.base + chatText
	if d.refused {
		key = d.base + chatRefusal
	}
	d.said = append(d.said, said{what: textPiece, key: key, text: text, side: ownerSide})
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
	also      []*deltaCall // as others read it; mostly none do
	bare      bool         // its arguments are no JSON, and nothing tells where they end
	stray     bool
	text      string // of a stray one, what nobody was told of as more of another
	arguments nesting
}

// onlyCall is the index of the call of a choice that has no list of them.
const onlyCall = math.MinInt64

// fork gives one that reads on from here by itself.
func (d *deltas) fork() *deltas {
	out := *d
	out.calls, out.byID, out.said = make(map[int64]*deltaCall, len(d.calls)), make(map[string]*deltaCall, len(d.byID)), nil
	copies := make(map[*deltaCall]*deltaCall, len(d.calls))
	var copied func(c *deltaCall) *deltaCall
	all := func(list []*deltaCall) (out []*deltaCall) {
		for _, c := range list {
			out = append(out, copied(c))
		}
		return out
	}
	copied = func(c *deltaCall) *deltaCall {
		if c != nil && copies[c] == nil {
			again := *c
			copies[c] = &again
			again.also = all(c.also)
		}
		return copies[c]
	}
	for index, c := range d.calls {
		out.calls[index] = copied(c)
	}
	for id, c := range d.byID {
		out.byID[id] = copied(c)
	}
	out.open, out.strays = all(d.open), all(d.strays)
	out.last, out.named = copied(d.last), copied(d.named)
	return &out
}

// call takes a piece of a call. One is whole when the next begins, if its arguments are: servers that write several calls
// at a time go on with an earlier one, and agents put pieces together by their index. Servers that know of no index begin
// the next call with another id; agents that go by the index alone take it for more of the one before. Others go by the id alone, or
// take what has an index of its own and neither name nor id for more of the call before.
func (d *deltas) call(index int64, now deltaCall, name, arguments string) {
	c := d.calls[index]
	if c == nil || now.id != "" && c.id != "" && now.id != c.id {
		now.name = name
		c = d.begin(index, &now, c)
	} else {
		d.rename(c, name)
	}
	for _, other := range c.also {
		d.rename(other, name)
	}
	if arguments == "" {
		return
	}
	d.add(c, arguments)
	for _, other := range c.also {
		d.add(other, arguments)
	}
	if c.stray {
		c.text += arguments
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
	d.goesOn(c, d.owner(c, before), ownerSide)
	if before == nil {
		return c
	}
	if c.name == "" {
		d.rename(c, before.name)
	}
	d.goesOn(c, before, joinedSide)
	return c
}

// owner is the call that one which has begun is more of for those who do not go by the index; nil: there is none.
func (d *deltas) owner(c, before *deltaCall) *deltaCall {
	owner := d.byID[c.id]
	switch {
	case c.name != "":
		d.named = c
	case c.id == "" && before == nil:
		c.stray, d.strays, owner = true, append(d.strays, c), d.named
	}
	if c.id != "" && owner == nil {
		if d.byID == nil {
			d.byID = make(map[string]*deltaCall)
		}
		d.byID[c.id] = c
	}
	return owner
}

// goesOn says that some take a call for more of another, unless that is whole, so that nothing can follow; nil: of none.
func (d *deltas) goesOn(c, owner *deltaCall, way side) *deltaCall {
	if owner == nil {
		return nil
	}
	var other *deltaCall
	for _, o := range owner.also {
		if o.side == way {
			other = o
		}
	}
	known := other != nil
	if !known {
		again := *owner
		other = &again
		other.side, other.also, other.stray = way, nil, false
	}
	if other.arguments.whole() && !other.bare {
		return nil
	}
	if !known {
		d.open, owner.also = append(d.open, other), append(owner.also, other)
	}
	if c != owner {
		c.also = append(c.also, other)
	}
	return other
}

// late reads what has neither name nor id as those do who wait for either, and at the end take it for more of the last call.
func (d *deltas) late() {
	for _, c := range d.strays {
		if c.name != "" || c.text == "" {
			continue
		}
		if other := d.goesOn(d.named, d.named, lateSide); other != nil {
			d.add(other, c.text)
			c.text = ""
		}
	}
}

// rename takes a name of a call that has begun; mostly there is none, or the same.
func (d *deltas) rename(c *deltaCall, name string) {
	if name != "" && name != c.name {
		if c.name = name; c.side == plainSide {
			d.named = c
		}
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
	for _, other := range c.also {
		d.endCall(other)
	}
	if c.bare || !c.arguments.whole() { // asked first: there may be many that are not
		return
	}
	at := slices.Index(d.open, c)
	if at < 0 {
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
	d.late()
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
