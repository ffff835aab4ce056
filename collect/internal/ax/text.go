package ax

import (
	"context"
	"runtime"
	"strings"
	"time"

	"github.com/pertain-dev/pertain/facts"
)

// TextTime is how long reading the text of one element may take where whoever
// asks sets no limit: the program may hang.
const TextTime = 60 * time.Millisecond

// MaxSelection is how much selected text is read, in UTF-16 units.
const MaxSelection = 1 << 20

// TextSource is what the texts of a tree are read from. It keeps nothing of a
// walk but the elements, which it owns.
type TextSource struct {
	own    *Refs
	ways   []TextWay // by the tree's index
	ref    []int     // from the tree's index to that of own
	ends   []int     // after the last element of a subtree
	labels []string  // words of labels
}

// TextWay is how the text of an element is had.
type TextWay uint8

const (
	NoText TextWay = iota
	Asked          // from the application
	Label          // it is known already
	Within         // that of the labels in it
)

// textReader reads texts when a query asks for them. The elements of the walk
// are owned by it from now on.
func (s *Reading) textReader(tree []facts.Element, inDocument []bool) facts.TextReader {
	source := &TextSource{
		own: ownRefs(s.walk), ways: make([]TextWay, len(tree)), ref: s.order,
		ends: make([]int, len(tree)), labels: make([]string, len(tree)),
	}
	for i := range tree {
		e := &s.walk.nodes[s.order[i]]
		source.ways[i] = s.way(e, s.types[i], inDocument[i])
		if source.ways[i] == Label {
			source.labels[i] = e.name
		}
		source.ends[i] = i + 1
	}
	for i := len(tree) - 1; i > 0; i-- {
		p := tree[i].Parent
		source.ends[p] = max(source.ends[p], source.ends[i])
	}
	return source.text
}

// way says how the text of an element is had: a password is never read.
func (s *Reading) way(e *Node, kind facts.ElementType, inDocument bool) TextWay {
	switch {
	case e.secure():
		return NoText
	case e.role == "AXStaticText" && e.name != "" && len(e.name) < MaxName:
		return Label
	case e.typed() || e.role == "AXStaticText":
		return Asked
	case kind == s.kinds.document, kind == s.kinds.item, kind == s.kinds.treeItem, kind == s.kinds.tableRow, kind == s.kinds.cell, kind == s.kinds.label:
		return Within
	case inDocument && (kind == s.kinds.panel || kind == s.kinds.hyperlink || kind == s.kinds.table || kind == s.kinds.listView):
		return Within
	}
	return NoText
}

// text is a facts.TextReader.
func (t *TextSource) text(ctx context.Context, i int) (string, bool) {
	if _, limited := ctx.Deadline(); !limited {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, TextTime)
		defer cancel()
	}
	left := TimeLeft(ctx, 0)
	defer runtime.KeepAlive(t.own) // else its elements might go while they are asked
	if t.ways[i] != Within {
		return t.single(i, left)
	}
	var b strings.Builder
	found := false
	for at := i + 1; at < t.ends[i] && b.Len() < 4*facts.MaxText; at++ {
		if text, ok := t.single(at, left); ok {
			if b.Len() > 0 && text != "" {
				b.WriteByte('\n')
			}
			b.WriteString(text)
			found = true
		}
	}
	return b.String(), found
}

// single is the text of one element without what is in it.
func (t *TextSource) single(i int, left func() time.Duration) (string, bool) {
	switch t.ways[i] {
	case Label:
		return t.labels[i], true
	case Asked:
		return TextOf(t.own.system, t.own.refs[t.ref[i]], left)
	}
	return "", false
}

// TextOf asks an application for the text of an element, and for no more of it
// than is used.
func TextOf(s System, element Ref, left func() time.Duration) (string, bool) {
	limit := left()
	if limit <= 0 {
		return "", false
	}
	answer, status := Read(s, element, ListOfCharacters, 0, limit)
	count := answer.at(AttributeCharacters)
	answer.close()
	if status != StatusSuccess {
		return "", false
	}
	if count.kind == KindNumber && count.a > 0 {
		// Two units make one character outside of the basic plane.
		if text, ok := Span(s, element, int(min(count.a, 2*facts.MaxText)), left); ok {
			return text, true
		}
		if count.a > 2*facts.MaxText {
			return "", false
		}
	}
	if limit = left(); limit <= 0 {
		return "", false
	}
	answer, status = Read(s, element, ListOfValue, 2*facts.MaxText, limit)
	defer answer.close()
	v := answer.at(AttributeValue)
	if status != StatusSuccess || v.kind != KindText {
		return "", false
	}
	return strings.ToValidUTF8(v.text, ""), true
}

// Span is the beginning of an element's text.
func Span(s System, element Ref, units int, left func() time.Duration) (string, bool) {
	limit := left()
	if limit <= 0 {
		return "", false
	}
	value, status := s.CopyText(element, units, limit)
	if status != StatusSuccess || value == 0 {
		return "", false
	}
	defer s.Release(value)
	if s.Kind(value) != KindText {
		return "", false
	}
	return strings.ToValidUTF8(s.Text(value, units), ""), true
}

// SelectionOf is the selected text of the element with the keyboard; "" if
// there is none. A password is never read.
func SelectionOf(s System, focus Ref, left func() time.Duration) (string, Status) {
	limit := left()
	if limit <= 0 {
		return "", StatusCannotComplete
	}
	answer, status := Read(s, focus, ListOfFocus, MaxName, limit)
	defer answer.close()
	if status != StatusSuccess {
		return "", status
	}
	e := Node{role: answer.text(AttributeRole), subrole: answer.text(AttributeSubrole)}
	e.protected, _ = answer.truth(AttributeProtected)
	span := answer.at(AttributeSelectedRange)
	if e.secure() || span.kind == KindRange && (span.b > MaxSelection || span.b <= 0 && e.typed()) {
		return "", StatusSuccess
	}
	if limit = left(); limit <= 0 {
		return "", StatusCannotComplete
	}
	chosen, status := Read(s, focus, ListOfSelection, MaxSelection, limit)
	defer chosen.close()
	if status != StatusSuccess {
		return "", status
	}
	return strings.ToValidUTF8(chosen.at(AttributeSelectedText).text, ""), StatusSuccess
}
