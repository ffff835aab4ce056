package gateway

import (
	"maps"
	"strings"

	"github.com/pertain-dev/pertain/gateway/internal/jsontext"
)

// responseItems reads the items of one answer, in pieces or whole. What an item is said
// to be when it is done counts: agents go by that, too.
type responseItems struct {
	items map[int64]*responseItem
}

// responseItem is what has come of an item in pieces.
type responseItem struct {
	call  bool
	texts map[int64]*strings.Builder // by key
	other map[string]bool            // texts that are something else than what has come in pieces
	done  bool
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
		item = &responseItem{texts: map[int64]*strings.Builder{}, other: map[string]bool{}}
		r.items[index] = item
	}
	return item
}

// fork gives those that read on from here by themselves.
func (r *responseItems) fork() responseItems {
	out := responseItems{make(map[int64]*responseItem, len(r.items))}
	for index, item := range r.items {
		again := &responseItem{call: item.call, texts: map[int64]*strings.Builder{}, other: maps.Clone(item.other), done: item.done}
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
	item := r.of(index)
	name, _, call := responseCall(v)
	switch {
	case !call:
		return r.contents(index, v)
	case item.call:
		return nil
	}
	item.call = true
	return []said{{what: callBegin, key: r.key(index, 0), tool: name, id: v.Get("call_id").Text()}}
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
	case ok && rest != "":
		return r.piece(what, index, part, rest)
	case ok || item.other[text]:
		return nil
	}
	item.other[text] = true
	if what == callPiece {
		return []said{{what: callPiece, key: r.key(index, 0), text: "\n" + text}} // watched as it stands
	}
	key := r.key(index, part) | int64(min(len(item.other), 1<<14))<<48
	return []said{{what: what, key: key, text: text}, {what: streamEnd, key: key}}
}

// done reads an item that is whole.
func (r *responseItems) done(index int64, v jsontext.Value) []said {
	item := r.of(index)
	if item.done {
		return nil
	}
	item.done = true
	if _, arguments, call := responseCall(v); call {
		out := append(r.added(index, v), r.all(callPiece, index, 0, arguments)...)
		return append(out, said{what: streamEnd, key: r.key(index, 0)})
	}
	out := r.contents(index, v)
	for _, key := range sortedKeys(item.texts) {
		out = append(out, said{what: streamEnd, key: key})
	}
	if v.Get("type").Is("reasoning") { // however many texts it has, it is sent back as one
		key := r.key(index, thinkingItem)
		out = append(out, said{what: thinkingProof, key: key, text: reasoningText(v), raw: append([]byte(nil), v.Raw()...)}, said{what: streamEnd, key: key})
	}
	return out
}
