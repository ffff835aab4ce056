package gateway

import (
	"maps"
	"slices"
	"strings"

	"github.com/pertain-dev/pertain/gateway/internal/jsontext"
)

// responseItems reads the items of one answer, in pieces or whole. What an item is said
// to be when it is done counts: agents go by that, too.
type responseItems struct {
	items map[int64]*responseItem
	known map[told]bool // what was watched whole
	other int64         // how many texts and calls were something else than what had come of them
	// closing says that the answer is told once more, all of it: what is known may stand in another place then.
	closing bool
}

// told is a text, or a call with its arguments.
type told struct {
	what       what
	tool, text string
}

// responseItem is what has come of an item in pieces.
type responseItem struct {
	call      bool
	name      string
	arguments strings.Builder            // of a call
	texts     map[int64]*strings.Builder // by key
	done      bool                       // its texts are whole
	called    bool                       // so is the call
}

// key tells the texts of items apart.
func (*responseItems) key(item, part int64) int64 { return item<<16 | part&0xffff }

// thinkingPart is added to the parts of what is thought.
const thinkingPart = 0x8000

// thinkingItem is the part that stands for all that is thought in an item.
const thinkingItem = 0xffff

func (r *responseItems) of(index int64) *responseItem {
	if r.items == nil {
		r.items = make(map[int64]*responseItem)
	}
	item := r.items[index]
	if item == nil {
		item = &responseItem{texts: map[int64]*strings.Builder{}}
		r.items[index] = item
	}
	return item
}

// fork gives those that read on from here by themselves.
func (r *responseItems) fork() responseItems {
	out := responseItems{items: make(map[int64]*responseItem, len(r.items)), known: maps.Clone(r.known), other: r.other, closing: r.closing}
	for index, item := range r.items {
		again := &responseItem{call: item.call, name: item.name, texts: map[int64]*strings.Builder{}, done: item.done, called: item.called}
		again.arguments.WriteString(item.arguments.String())
		for key, text := range item.texts {
			again.texts[key] = &strings.Builder{}
			again.texts[key].WriteString(text.String())
		}
		out.items[index] = again
	}
	return out
}

// added reads the beginning of an item, which may hold some of it.
func (r *responseItems) added(index int64, v jsontext.Value) []said {
	name, arguments, call := responseCall(v)
	if !call {
		return r.contents(index, v)
	}
	item := r.of(index)
	if item.call && item.name == name && item.arguments.String() == arguments || r.knows(told{callPiece, name, arguments}) {
		return nil
	}
	id := v.Get("call_id").Text()
	return append(r.begins(index, name, id), r.arguments(index, name, id, arguments)...)
}

// begins reads the name of a call, which may be another than before.
func (r *responseItems) begins(index int64, name, id string) []said {
	item := r.of(index)
	switch {
	case !item.call:
		item.call, item.name = true, name
		return []said{{what: callBegin, key: r.key(index, 0), tool: name, id: id}}
	case name != item.name:
		item.name = name
		return []said{{what: callName, key: r.key(index, 0), tool: name}}
	}
	return nil
}

// contents reads all texts that an item says it has.
func (r *responseItems) contents(index int64, v jsontext.Value) []said {
	var out []said
	if v.Get("type").Is("reasoning") {
		part := int64(0)
		for _, list := range []string{"summary", "content"} {
			for p := range v.Get(list).Items() {
				out = append(out, r.all(thinkingPiece, index, thinkingPart+part, p.Get("text").Text())...)
				part++
			}
		}
		return out
	}
	part := int64(0)
	for p := range v.Get("content").Items() {
		out = append(out, r.all(textPiece, index, part, partText(p))...)
		part++
	}
	return out
}

// partText is the text of a part of a message.
func partText(part jsontext.Value) string {
	return part.Get("text").Text() + part.Get("refusal").Text()
}

// piece takes a piece of an item.
func (r *responseItems) piece(what what, index, part int64, text string) []said {
	item := r.of(index)
	key := r.key(index, part)
	if what == callPiece {
		item.arguments.WriteString(text)
		return []said{{what: what, key: key, text: text}}
	}
	if item.texts[key] == nil {
		item.texts[key] = &strings.Builder{}
	}
	item.texts[key].WriteString(text)
	return []said{{what: what, key: key, text: text}}
}

// all takes all of a text, and gives what has not come in pieces: the rest, or all of it,
// if what has come is something else.
func (r *responseItems) all(what what, index, part int64, text string) []said {
	item := r.of(index)
	come := ""
	if b := item.texts[r.key(index, part)]; b != nil {
		come = b.String()
	}
	rest, ok := strings.CutPrefix(text, come)
	switch {
	case text == "" || ok && rest == "" || r.knows(told{what: what, text: text}):
		return nil
	case ok && !item.done:
		return r.piece(what, index, part, rest)
	}
	r.learn(told{what: what, text: text})
	r.other++
	key := r.key(index, part) | min(r.other, 1<<14)<<48
	return []said{{what: what, key: key, text: text}, {what: streamEnd, key: key}}
}

// arguments takes all arguments of a call, and gives what has not come in pieces, or the call with them, if something else has.
func (r *responseItems) arguments(index int64, name, id, text string) []said {
	item := r.of(index)
	rest, ok := strings.CutPrefix(text, item.arguments.String())
	switch {
	case text == "" || ok && rest == "" || r.knows(told{callPiece, name, text}):
		return nil
	case ok && !item.called:
		return r.piece(callPiece, index, 0, rest)
	}
	r.learn(told{callPiece, name, text})
	r.other++
	return []said{{what: callVersion, key: r.key(index, 0), tool: name, id: id, text: text}}
}

// knows tells whether something was watched whole, where it need not stand in its place, or is something else than what has come.
func (r *responseItems) knows(t told) bool { return (r.closing || r.other > 0) && r.known[t] }

// learn takes note of what was watched whole.
func (r *responseItems) learn(t told) {
	if r.known == nil {
		r.known = make(map[told]bool)
	}
	r.known[t] = true
}

// done reads an item that is whole.
func (r *responseItems) done(index int64, v jsontext.Value) []said {
	item := r.of(index)
	if _, _, call := responseCall(v); call {
		out := r.added(index, v)
		return append(out, r.callDone(index, item)...)
	}
	out := r.contents(index, v)
	if item.done {
		return out
	}
	item.done = true
	for _, key := range sortedKeys(item.texts) {
		out = append(out, said{what: streamEnd, key: key})
		r.whole(told{what: textOf(key), text: item.texts[key].String()})
	}
	if item.arguments.Len() > 0 { // pieces of a call that is none
		out = append(out, r.callDone(index, item)...)
	}
	if v.Get("type").Is("reasoning") { // however many texts it has, it is sent back as one
		key := r.key(index, thinkingItem)
		out = append(out, said{what: thinkingProof, key: key, text: reasoningText(v), raw: append([]byte(nil), v.Raw()...)}, said{what: streamEnd, key: key})
	}
	return out
}

// callDone ends a call, once.
func (r *responseItems) callDone(index int64, item *responseItem) []said {
	if item.called {
		return nil
	}
	item.called = true
	r.whole(told{callPiece, item.name, item.arguments.String()})
	return []said{{what: streamEnd, key: r.key(index, 0)}}
}

// whole takes note of what has come to its end. What is told only when the answer is, is in its place: two may be the same.
func (r *responseItems) whole(t told) {
	if !r.closing {
		r.learn(t)
	}
}

// textOf tells whether a key is that of a text, or of what is thought.
func textOf(key int64) what {
	if key&thinkingPart != 0 {
		return thinkingPiece
	}
	return textPiece
}

// itemOrder is the items of an answer as those read it who do not go by the index that each event tells. Some go by the id alone, and
// put all texts of an item into one; some take the index for the number of an item among those that were added, and likewise of a
// part. Of an answer that is written as it is documented, with one text in an item, all read the same.
type itemOrder struct {
	ids    map[string]int64 // under which index an id came first, or a number of its own
	owners map[int64]string // which id an index came with first
	items  int64            // that were added
	parts  map[int64]int64  // how many were added to an item
	apart  bool             // they do not read the same any more
	shared int64            // items that were added before
	index  int64            // of the last piece
	id     string           // of that; mostly the next has the same
}

// foreign is added to the keys of what had not come before readings came to differ.
const foreign = 1 << 47

func (o *itemOrder) fork() itemOrder {
	out := *o
	out.ids, out.owners, out.parts = maps.Clone(o.ids), maps.Clone(o.owners), maps.Clone(o.parts)
	return out
}

// departs says that readings differ from here on.
func (o *itemOrder) departs() {
	if !o.apart {
		o.apart, o.shared = true, o.items
	}
}

// owned gives the key under which those who go by the id know an item, and ok false if there is no id.
func (o *itemOrder) owned(index int64, id string) (item int64, ok bool) {
	if id == "" {
		return 0, false
	}
	item, known := o.ids[id]
	owner, taken := o.owners[index]
	if known && item != index || taken && owner != id {
		o.departs()
	}
	if !known {
		if o.ids == nil {
			o.ids, o.owners = make(map[string]int64), make(map[int64]string)
		}
		if item = index; o.apart {
			item = int64(len(o.ids)) | foreign>>16
		}
		o.ids[id] = item
	}
	if !taken {
		o.owners[index] = id
	}
	return item, true
}

// piece reads a piece of an item, which is all that an event says.
func (o *itemOrder) piece(index int64, v jsontext.Value, list []said) []said {
	if !v.Is(o.id) || index != o.index {
		o.id, o.index = v.Text(), index
		_, _ = o.owned(index, o.id)
	}
	s := list[0]
	if s.what == textPiece && s.key&(thinkingPart-1) != 0 {
		o.departs()
	}
	if !o.apart {
		return list
	}
	var out []said
	if item, ok := o.owned(index, o.id); ok {
		out = o.named(out, item, s)
	}
	if index < o.items {
		out = o.numbered(out, index, s.key&0xffff, s)
	}
	return append(out, list...)
}

// named adds something as those read it who go by the id.
func (o *itemOrder) named(out []said, item int64, s said) []said {
	part := s.key & 0xffff
	if s.what == textPiece {
		part = 0
	}
	s.key, s.side = item<<16|part, latestSide
	return append(out, s)
}

// numbered adds something as those read it who go by the number.
func (o *itemOrder) numbered(out []said, at, part int64, s said) []said {
	s.key, s.side = at<<16|part, orderSide
	if at >= o.shared {
		s.key |= foreign
	}
	return append(out, s)
}

// added reads the beginning of an item.
func (o *itemOrder) added(index int64, v jsontext.Value, list []said) []said {
	if index != o.items {
		o.departs()
	}
	item, ok := o.owned(index, v.Get("id").Text())
	at := o.items
	o.items++
	if o.parts == nil {
		o.parts = make(map[int64]int64)
	}
	o.parts[at] = int64(v.Get("content").Len())
	if o.parts[at] > 1 {
		o.departs()
	}
	if !o.apart {
		return list
	}
	var out []said
	for _, s := range beginning(v) {
		if ok {
			out = o.named(out, item, s)
		}
		out = o.numbered(out, at, s.key, s)
	}
	return append(out, list...)
}

// pushed reads the beginning of a part.
func (o *itemOrder) pushed(index, part int64, v jsontext.Value, list []said) []said {
	if part != o.parts[index] {
		o.departs()
	}
	if o.parts == nil {
		o.parts = make(map[int64]int64)
	}
	part = o.parts[index]
	o.parts[index]++
	if !o.apart || index >= o.items {
		return list
	}
	s := said{what: textPiece, text: partText(v)}
	if v.Get("type").Is("reasoning_text") {
		s.what, part = thinkingPiece, part+thinkingPart
	}
	return append(o.numbered(nil, index, part, s), list...)
}

// beginning is what an item says of itself when it is added, by the part.
func beginning(v jsontext.Value) (out []said) {
	if name, arguments, call := responseCall(v); call {
		out = append(out, said{what: callBegin, tool: name, id: v.Get("call_id").Text()})
		if arguments != "" {
			out = append(out, said{what: callPiece, text: arguments})
		}
		return out
	}
	items := responseItems{}
	return items.contents(0, v)
}

// repeated are the items of the present answer that the client has got, as a request
// has them. They are without their ids: the provider never kept them.
func (a *responsesAnswers) repeated() [][]byte {
	var out [][]byte
	for _, item := range a.output[a.past:] {
		v, ok := jsontext.Parse(item)
		if !ok {
			continue
		}
		out = append(out, repeatedItem(v)...)
	}
	if a.open != nil && a.open.message {
		out = append(out, responsesAPI{}.said([]block{{kind: textBlock, text: string(a.open.text)}})...)
	}
	return out
}

// repeatedItem is an item without what only an answer that is kept has; nil: it cannot
// be repeated.
func repeatedItem(v jsontext.Value) [][]byte {
	kind := v.Get("type").Text()
	switch {
	case kind == "message":
		var blocks []block
		for part := range v.Get("content").Items() {
			blocks = append(blocks, block{kind: textBlock, text: partText(part)})
		}
		return responsesAPI{}.said(blocks)
	case kind == "reasoning":
		if text := reasoningAgain(v.Raw()); text != nil {
			return [][]byte{text}
		}
	case kind == "function_call" || kind == "custom_tool_call":
		return [][]byte{withoutKeys(v, "id", "status")}
	case strings.HasSuffix(kind, "_call") && v.Get("call_id").Exists():
		return [][]byte{withoutKeys(v, "id")}
	}
	return nil // what the provider ran itself, or thought and keeps to itself
}

// withoutKeys is an object without some of its members.
func withoutKeys(v jsontext.Value, keys ...string) []byte {
	var members [][]byte
	for key, value := range v.Members() {
		if !slices.Contains(keys, key) {
			members = append(members, append(append(jsontext.Quote(key), ':'), value.Raw()...))
		}
	}
	return append(append([]byte{'{'}, joined(members)...), '}')
}
