package gateway

import (
	"slices"
	"strings"
	"unicode"

	"github.com/pertain-dev/pertain/gateway/internal/jsontext"
)

// putBack gives a request with the reminders that the model has got in their places, and
// without what the agent got of answers that were broken off; nil: nothing is to change.
// Everything before the first of them stays as it was, so that the provider still knows
// it.
func (a *asked) putBack(api api, text []byte, splices []Splice, real string, end *ending) []byte {
	edits := a.goOn(api, splices, real, end)
	for from := 0; from < len(a.entries); {
		if a.entries[from].who != model {
			from++
			continue
		}
		to := from
		for to < len(a.entries) && a.entries[to].who == model {
			to++
		}
		run := a.entries[from:to]
		next := to
		for next < len(a.entries) && a.entries[next].who != model {
			next++
		}
		for i := range splices {
			s := &splices[i]
			switch {
			case !s.matches(run):
			case s.After:
				edits = append(edits, a.insert(next, s.reminders(api)))
			default:
				edits = append(edits, s.restore(api, run))
			}
		}
		from = to
	}
	if len(edits) == 0 {
		return nil
	}
	return jsontext.Apply(text, edits...)
}

// goOn changes a request that goes on from an answer by its id: real is the id that the
// model has of it, "" if that is the same, and end what was said up to it, where the
// provider does not know the answer: by its id, or as the last of a conversation that the provider keeps. Reminders stand after
// what is said to it.
func (a *asked) goOn(api api, splices []Splice, real string, end *ending) (edits []jsontext.Edit) {
	id := a.before.Text()
	if id == "" && end != nil {
		id = end.answer
	}
	if id == "" {
		return nil
	}
	var front, reminders [][]byte
	switch {
	case end != nil:
		front = end.said
		if a.before.Exists() {
			edits = append(edits, a.before.Replace(end.before))
		}
	case real != "" && real != id:
		edits = append(edits, a.before.Replace(jsontext.Quote(real)))
	}
	at := slices.IndexFunc(a.entries, func(e entry) bool { return e.who == model })
	if at < 0 {
		at = len(a.entries)
	}
	for i := range splices {
		if s := &splices[i]; s.After && s.Answer == id {
			reminders = append(reminders, s.reminders(api)...)
		}
	}
	switch {
	case len(front)+len(reminders) == 0:
	case a.list.Kind() == '"':
		edits = append(edits, a.list.Replace(array(slices.Concat(front, [][]byte{a.saidOnce()}, reminders))))
	case a.list.Kind() != '[':
		edits = append(edits, a.root.Set(a.key, array(slices.Concat(front, reminders))))
	case at == 0:
		edits = append(edits, a.insert(0, slices.Concat(front, reminders)))
	default:
		if len(front) > 0 {
			edits = append(edits, a.insert(0, front))
		}
		if len(reminders) > 0 {
			edits = append(edits, a.insert(at, reminders))
		}
	}
	return edits
}

// insert puts entries before one of the list, or at its end.
func (a *asked) insert(at int, entries [][]byte) jsontext.Edit {
	for at == len(a.entries) && at > 0 && a.entries[at-1].closes {
		at--
	}
	if at >= len(a.entries) {
		return a.list.Append(entries...)
	}
	from := a.entries[at].value.From()
	return jsontext.Edit{From: from, To: from, Text: append(joined(entries), ',')}
}

// joined are JSON texts with commas between them.
func joined(items [][]byte) []byte {
	text := array(items)
	return text[1 : len(text)-1]
}

// reminders are the entries that remind the model.
func (s *Splice) reminders(api api) [][]byte {
	var out [][]byte
	for _, step := range s.Steps {
		out = append(out, api.reminder(step.Reminder))
	}
	return out
}

// matches tells whether entries of the model are the answer that is meant.
func (s *Splice) matches(run []entry) bool {
	var text strings.Builder
	for i := range run {
		for _, b := range run[i].blocks {
			if b.kind == textBlock {
				text.WriteString(b.text)
			}
			for _, name := range b.calls {
				if name != "" && slices.Contains(s.Calls, name) {
					return true
				}
			}
		}
	}
	return s.Text != "" && len(s.Calls) == 0 && s.Text == textHash(text.String())
}

// restore makes of an answer as the agent has it what the model has said and was told.
func (s *Splice) restore(api api, run []entry) jsontext.Edit {
	first, last := run[0].value.From(), run[len(run)-1].value.To()
	c := &cutter{run: run}
	var out [][]byte
	found := true
	for _, step := range s.Steps {
		kept, ok := c.cut(step.Released)
		if found = found && ok; !found {
			break
		}
		if s.Keep {
			out = append(out, api.said(kept)...)
		}
		out = append(out, api.reminder(step.Reminder))
	}
	untouched := c.entry == 0 && c.block == 0 && c.rest == nil
	if !found || untouched && !remembers(api, run[0].value.Raw(), c.left) { // as it is, with the reminders before it
		return jsontext.Edit{From: first, To: first, Text: append(joined(s.reminders(api)), ',')}
	}
	if c.entry < len(run) {
		e := &run[c.entry]
		text := e.value.Raw()
		if c.block > 0 || c.rest != nil { // else nothing of it was taken
			text = api.without(e, c.block, c.rest)
		}
		if text != nil {
			out = append(out, forgets(api, text, c.left))
		}
		for i := range run[c.entry+1:] {
			out = append(out, run[c.entry+1+i].value.Raw())
		}
	}
	return jsontext.Edit{From: first, To: last, Text: joined(out)}
}

// newPart is how a text is remembered that the client got.
func newPart(b *block) Part {
	p := Part{Thinking: b.kind == thinkingBlock, Partial: b.partial, Hash: hash(b.text), Size: size(b.text)}
	if p.Thinking { // taken as it is, or not at all
		return p
	}
	rest := strings.TrimLeftFunc(b.text, unicode.IsSpace)
	p.Before = b.text[:len(b.text)-len(rest)]
	p.After = rest[len(strings.TrimRightFunc(rest, unicode.IsSpace)):]
	return p
}

// with is a text with the white space that was at its ends.
func (p *Part) with(text string) string { return p.Before + text + p.After }

// cutter goes over what the model has said, in the order of a request.
type cutter struct {
	run   []entry
	entry int
	block int     // of the entry: those before it were taken
	rest  *string // what is left of a text that was taken in part; nil: all of it
	left  []Part  // thinking that is no block of its own
}

// now is the next block; nil at the end.
func (c *cutter) now() *block {
	for c.entry < len(c.run) && c.block >= len(c.run[c.entry].blocks) {
		c.entry, c.block = c.entry+1, 0
	}
	if c.entry >= len(c.run) {
		return nil
	}
	return &c.run[c.entry].blocks[c.block]
}

// thought takes away what was thought, which may stand in several blocks, and gives it where it is sent back; nothing
// changes if it is not there.
func (c *cutter) thought(part *Part) (taken []block) {
	before := *c
	var text strings.Builder
	for b := c.now(); b != nil && b.kind == thinkingBlock && c.rest == nil; b = c.now() {
		text.WriteString(b.text)
		taken = append(taken, *b)
		c.block++
		switch {
		case hash(text.String()) != part.Hash:
		case part.Partial:
			return nil
		default:
			return taken
		}
	}
	*c = before
	return nil
}

// cut takes away what the client got of an answer, and gives it; ok is false if it is
// not there. Agents may leave out what was thought, and join texts.
func (c *cutter) cut(parts []Part) (taken []block, ok bool) {
	for _, part := range parts {
		if part.Thinking {
			blocks := c.thought(&part)
			if taken = append(taken, blocks...); len(blocks) == 0 {
				c.left = append(c.left, part)
			}
			continue
		}
		b := c.now()
		if part.Size == 0 { // agents may have left it out
			taken = append(taken, block{kind: textBlock, text: part.with("")})
			if b != nil && b.kind == textBlock && c.rest == nil && size(b.text) == 0 {
				c.block++
			}
			continue
		}
		for b != nil && b.kind == textBlock && size(b.text) == 0 {
			c.block++
			b = c.now()
		}
		if b == nil || b.kind != textBlock {
			return nil, false
		}
		text := b.text
		if c.rest != nil {
			text = *c.rest
		}
		begin, ok := prefix(text, part.Size)
		if !ok || hash(begin) != part.Hash {
			return nil, false
		}
		taken = append(taken, block{kind: textBlock, text: part.with(strings.TrimSpace(begin))})
		if rest := strings.TrimLeftFunc(text[len(begin):], unicode.IsSpace); rest != "" {
			c.rest = &rest
		} else {
			c.rest = nil
			c.block++
		}
	}
	c.now()
	return taken, true
}
