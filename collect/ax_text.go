package collect

import (
	"context"
	"runtime"
	"strings"
	"time"

	"github.com/pertain-dev/pertain/facts"
)

// axTextTime is how long reading the text of one element may take where whoever
// asks sets no limit: the program may hang.
const axTextTime = 60 * time.Millisecond

// axMaxSelection is how much selected text is read, in UTF-16 units.
const axMaxSelection = 1 << 20

// axTextSource is what the texts of a tree are read from. It keeps nothing of a
// walk but the elements, which it owns.
type axTextSource struct {
	own    *axRefs
	ways   []axTextWay // by the tree's index
	ref    []int       // from the tree's index to that of own
	ends   []int       // behind the last element of a subtree
	labels []string    // words of labels
}

// axTextWay is how the text of an element is had.
type axTextWay uint8

const (
	axNoText axTextWay = iota
	axAsked            // from the application
	axLabel            // it is known already
	axWithin           // that of the labels in it
)

// textReader reads texts when a query asks for them. The elements of the walk
// are owned by it from now on.
func (s *axScene) textReader(tree []facts.Element, inDocument []bool) facts.TextReader {
	source := &axTextSource{
		own: ownRefs(s.walk), ways: make([]axTextWay, len(tree)), ref: s.order,
		ends: make([]int, len(tree)), labels: make([]string, len(tree)),
	}
	for i := range tree {
		e := &s.walk.nodes[s.order[i]]
		source.ways[i] = s.way(e, s.types[i], inDocument[i])
		if source.ways[i] == axLabel {
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
func (s *axScene) way(e *axNode, kind facts.ElementType, inDocument bool) axTextWay {
	switch {
	case e.secure():
		return axNoText
	case e.role == "AXStaticText" && e.name != "" && len(e.name) < axMaxName:
		return axLabel
	case e.typed() || e.role == "AXStaticText":
		return axAsked
	case kind == s.kinds.document, kind == s.kinds.item, kind == s.kinds.treeItem, kind == s.kinds.tableRow, kind == s.kinds.cell, kind == s.kinds.label:
		return axWithin
	case inDocument && (kind == s.kinds.panel || kind == s.kinds.hyperlink || kind == s.kinds.table || kind == s.kinds.listView):
		return axWithin
	}
	return axNoText
}

// text is a facts.TextReader.
func (t *axTextSource) text(ctx context.Context, i int) (string, bool) {
	if _, limited := ctx.Deadline(); !limited {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, axTextTime)
		defer cancel()
	}
	left := axTimeLeft(ctx, 0)
	defer runtime.KeepAlive(t.own) // else its elements might go while they are asked
	if t.ways[i] != axWithin {
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
func (t *axTextSource) single(i int, left func() time.Duration) (string, bool) {
	switch t.ways[i] {
	case axLabel:
		return t.labels[i], true
	case axAsked:
		return axTextOf(t.own.system, t.own.refs[t.ref[i]], left)
	}
	return "", false
}

// axTextOf asks an application for the text of an element, and for no more of it
// than is used.
func axTextOf(s axSystem, element axRef, left func() time.Duration) (string, bool) {
	limit := left()
	if limit <= 0 {
		return "", false
	}
	answer, status := axRead(s, element, axOfCharacters, 0, limit)
	count := answer.at(axCharacters)
	answer.close()
	if status != axSuccess {
		return "", false
	}
	if count.kind == axNumber && count.a > 0 {
		// Two units make one character outside of the basic plane.
		if text, ok := axSpan(s, element, int(min(count.a, 2*facts.MaxText)), left); ok {
			return text, true
		}
		if count.a > 2*facts.MaxText {
			return "", false
		}
	}
	if limit = left(); limit <= 0 {
		return "", false
	}
	answer, status = axRead(s, element, axOfValue, 2*facts.MaxText, limit)
	defer answer.close()
	v := answer.at(axValueOf)
	if status != axSuccess || v.kind != axText {
		return "", false
	}
	return strings.ToValidUTF8(v.text, ""), true
}

// axSpan is the beginning of an element's text.
func axSpan(s axSystem, element axRef, units int, left func() time.Duration) (string, bool) {
	limit := left()
	if limit <= 0 {
		return "", false
	}
	value, status := s.copyText(element, units, limit)
	if status != axSuccess || value == 0 {
		return "", false
	}
	defer s.release(value)
	if s.kind(value) != axText {
		return "", false
	}
	return strings.ToValidUTF8(s.text(value, units), ""), true
}

// axSelectionOf is the selected text of the element with the keyboard; "" if
// there is none. A password is never read.
func axSelectionOf(s axSystem, focus axRef, left func() time.Duration) (string, axStatus) {
	limit := left()
	if limit <= 0 {
		return "", axCannotComplete
	}
	answer, status := axRead(s, focus, axOfFocus, axMaxName, limit)
	defer answer.close()
	if status != axSuccess {
		return "", status
	}
	e := axNode{role: answer.text(axRole), subrole: answer.text(axSubrole)}
	e.protected, _ = answer.truth(axProtected)
	span := answer.at(axSelectedRange)
	if e.secure() || span.kind == axRange && (span.b > axMaxSelection || span.b <= 0 && e.typed()) {
		return "", axSuccess
	}
	if limit = left(); limit <= 0 {
		return "", axCannotComplete
	}
	chosen, status := axRead(s, focus, axOfSelection, axMaxSelection, limit)
	defer chosen.close()
	if status != axSuccess {
		return "", status
	}
	return strings.ToValidUTF8(chosen.at(axSelectedText).text, ""), axSuccess
}
