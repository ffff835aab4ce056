package plan

import (
	"context"
	"strings"

	"github.com/pertain-dev/pertain/facts"
)

// maxPrompt is how many bytes a rendered prompt may have, and a rendered system
// prompt (docs/reference/templates.md): little text with many placeholders must not make much.
const maxPrompt = 8 << 20

// maxLooks is how many items of arrays all placeholders of a plan may look at (docs/reference/templates.md): what is absent
// comes to no text, so that slices of a long array would have no limit by that. A prompt that is full of the shortest items
// there are needs half of it.
const maxLooks = 16_000_000

// writer collects text up to a limit.
type writer struct {
	ctx   context.Context
	b     strings.Builder
	left  int  // bytes that may still be written
	over  bool // it would be too long, or nobody waits any more: what was written is of no use
	items int  // values so far
	looks *int // items that may still be looked at; below 0: it were more
}

// itemsPerLook is how many values are written between two looks at whether
// somebody still waits for them.
const itemsPerLook = 1024

// write adds text, whose lines but the first are moved by two blanks for each
// level, so that what follows on them still belongs to its item.
func (w *writer) write(text string, level int) {
	for level > 0 && !w.over {
		line, rest, more := strings.Cut(text, "\n")
		if !more {
			break
		}
		w.add(line)
		w.newLine(level, rest != "" && rest[0] != '\n')
		text = rest
	}
	w.add(text)
}

// newLine begins a line, which is moved unless it stays empty.
func (w *writer) newLine(level int, move bool) {
	w.add("\n")
	for ; level > 0 && move; level-- {
		w.add("  ")
	}
}

func (w *writer) add(text string) {
	if w.over || len(text) > w.left {
		w.over = true
		return
	}
	w.left -= len(text)
	w.b.WriteString(text)
}

// look takes items off what may still be looked at; false: there is not so much left.
func (w *writer) look(items int) bool {
	if *w.looks -= items; *w.looks < 0 {
		w.over = true
	}
	return !w.over
}

// value adds a value at a level of items and fields.
func (w *writer) value(v facts.Value, level int) {
	if w.items++; w.items%itemsPerLook == 0 && w.ctx.Err() != nil {
		w.over = true
	}
	switch v.Kind() {
	case facts.String:
		w.write(v.Text(), level)
	case facts.Number:
		w.add(v.Decimal())
	case facts.Bool:
		if v.Bool() {
			w.add("true")
		} else {
			w.add("false")
		}
	case facts.Array:
		w.array(v, level)
	case facts.Object:
		w.object(v, level)
	}
}

func (w *writer) array(v facts.Value, level int) {
	if !w.look(len(v.Items())) {
		return
	}
	first := true
	for _, item := range v.Items() {
		if w.over {
			return
		}
		if item.IsAbsent() {
			continue
		}
		if !first {
			w.newLine(level, true)
		}
		first = false
		w.add("-")
		if !wordless(item) {
			w.add(" ")
			w.value(item, level+1)
		}
	}
}

func (w *writer) object(v facts.Value, level int) {
	first := true
	for _, field := range v.Fields() {
		if w.over {
			return
		}
		if field.Value.IsAbsent() {
			continue
		}
		if !first {
			w.newLine(level, true)
		}
		first = false
		w.add(field.Name + ":")
		switch {
		case wordless(field.Value): // nothing follows
		case field.Value.Kind() == facts.Array || field.Value.Kind() == facts.Object:
			w.newLine(level+1, true)
		default:
			w.add(" ")
		}
		w.value(field.Value, level+1)
	}
}

// wordless tells whether there is nothing to write for a value.
func wordless(v facts.Value) bool {
	switch v.Kind() {
	case facts.String:
		return v.Text() == ""
	case facts.Array:
		for _, item := range v.Items() {
			if !item.IsAbsent() {
				return false
			}
		}
		return true
	case facts.Object:
		for _, field := range v.Fields() {
			if !field.Value.IsAbsent() {
				return false
			}
		}
		return true
	}
	return v.IsAbsent()
}
