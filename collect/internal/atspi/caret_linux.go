package atspi

import (
	"cmp"
	"context"
	"slices"
	"strings"
)

// maxGap is how many elements without text, such as pictures, may stand between two that
// are selected.
const maxGap = 16

// around is what is selected of an element that has the caret in it.
type around struct {
	*piece
	left, right bool // whether it may go on before and after the element: it reaches to that edge
}

// aroundCaret reads what is selected in an element of a Chromium's page. Which of the
// elements in a long page are selected takes Chromium half a second to tell; where the
// caret is, which ends each selection, no time at all. So the element with the caret is
// read, and those beside it as long as what is selected reaches to its edge.
func (s Window) aroundCaret(ctx context.Context, n Node, depth int) (around, error) {
	p := &piece{Node: n, inlined: true}
	caret, ok := s.caretIn(ctx, p)
	if !ok || depth > maxNesting {
		return s.atCaret(ctx, p)
	}
	at := min(caret, len(p.text)-1) // it may stand after all
	children := s.childrenAt(ctx, n, at, at+1)
	if len(children) != 1 {
		return around{piece: p}, ctx.Err()
	}
	middle, err := s.aroundCaret(ctx, children[0], depth+1)
	if err != nil {
		return around{}, err
	}
	var before, after []*piece
	if middle.left {
		if before, err = s.selectedBeside(ctx, p, at, -1); err != nil {
			return around{}, err
		}
	}
	if middle.right {
		if after, err = s.selectedBeside(ctx, p, at, 1); err != nil {
			return around{}, err
		}
	}
	slices.Reverse(before)
	p.inside = append(append(before, middle.piece), after...)
	p.first = at - len(before)
	end := p.first + len(p.inside)
	if len(p.inside) > 1 || len(middle.ranges) > 0 {
		p.ranges = [][2]int32{{int32(p.first), int32(end)}}
	}
	return around{p, middle.left && p.first == 0, middle.right && end == len(p.text)}, nil
}

// caretIn reads where the caret is in an element that has nothing but elements in it, so
// that each character of its text is one; false: it has another text, or no caret.
func (s Window) caretIn(ctx context.Context, p *piece) (int, bool) {
	count, length, caret := s.Property(ctx, p.Node, "Accessible", "ChildCount"), s.Property(ctx, p.Node, "Text", "CharacterCount"), s.Property(ctx, p.Node, "Text", "CaretOffset")
	kind := s.role(ctx, p.Node)
	children, err := Variant[int32](count)
	characters, failed := Variant[int32](length)
	at, none := Variant[int32](caret)
	role, unknown := Result[uint32](kind)
	if err != nil || failed != nil || none != nil || unknown != nil || children <= 0 || children != characters || at < 0 || at > characters {
		return 0, false
	}
	text, err := Result[string](s.Start(ctx, p.Node, Prefix+"Text.GetText", int32(0), characters))
	if err != nil || text != strings.Repeat(string(embedded), int(children)) {
		return 0, false
	}
	p.role, p.text = role, []rune(text)
	return int(at), true
}

// atCaret reads a piece that has text of its own. Where nothing is selected in it, the
// caret itself tells which edge it is at.
func (s Window) atCaret(ctx context.Context, p *piece) (around, error) {
	if err := s.fill(ctx, p); err != nil {
		return around{}, err
	}
	length, unknown := Variant[int32](s.Property(ctx, p.Node, "Text", "CharacterCount"))
	if len(p.ranges) > 0 {
		return around{p, p.ranges[0][0] == 0, unknown != nil || p.end() >= length}, nil //nolint:nilerr // what is not known is taken for the edge
	}
	caret, none := Variant[int32](s.Property(ctx, p.Node, "Text", "CaretOffset"))
	lost := none != nil || unknown != nil || caret < 0
	return around{p, lost || caret == 0, lost || caret >= length}, nil
}

// selectedBeside are the selected elements beside one in a row, outwards.
func (s Window) selectedBeside(ctx context.Context, row *piece, at, step int) ([]*piece, error) {
	var found []*piece
	last := 0 // how many of these end with one that is selected
	for ask := 2; ; ask = min(2*ask, InFlight/2) {
		begin, end := at+1+len(found), min(at+1+len(found)+ask, len(row.text))
		if step < 0 {
			begin, end = max(0, at-len(found)-ask), at-len(found)
		}
		if begin >= end {
			return found[:last], nil
		}
		children := s.childrenAt(ctx, row.Node, begin, end)
		if len(children) != end-begin {
			return found[:last], ctx.Err()
		}
		if step < 0 {
			slices.Reverse(children)
		}
		next := make([]*piece, len(children))
		for i, child := range children {
			next[i] = &piece{Node: child}
		}
		if err := s.fill(ctx, next...); err != nil {
			return nil, err
		}
		for _, p := range next {
			found = append(found, p)
			switch {
			case len(p.ranges) > 0:
				last = len(found)
			case !p.textless || len(found)-last > maxGap:
				return found[:last], nil
			}
		}
		if len(found) > maxPieces {
			return nil, errLongSelection
		}
	}
}

// selectedPages is the selected text of a document whose pages are elements: that of the
// page that has the keyboard, and of those beside it.
func (s Window) selectedPages(ctx context.Context, document Node) (text string, nested bool, err error) {
	hits, err := s.match(ctx, document, 1<<StateFocused, nil, 1)
	if err != nil || len(hits) == 0 {
		return "", false, err
	}
	page := &piece{Node: hits[0]}
	if err := s.fill(ctx, page); err != nil {
		return "", false, err
	}
	at, err := Result[int32](s.Start(ctx, page.Node, Prefix+"Accessible.GetIndexInParent"))
	count, failed := Variant[int32](s.Property(ctx, document, "Accessible", "ChildCount"))
	if err != nil || failed != nil {
		return "", false, cmp.Or(err, failed)
	}
	if at < 0 || at >= count { // it does not know where it stands
		pages := s.childrenAt(ctx, document, 0, min(int(count), maxPieces))
		at = int32(slices.Index(pages, page.Node))
	}
	if at < 0 {
		return "", false, errUnread
	}
	row := &piece{Node: document, text: make([]rune, min(int(count), maxPieces))}
	before, err := s.selectedBeside(ctx, row, int(at), -1)
	if err != nil {
		return "", false, err
	}
	after, err := s.selectedBeside(ctx, row, int(at), 1)
	if err != nil {
		return "", false, err
	}
	slices.Reverse(before)
	var b strings.Builder
	for _, p := range append(append(before, page), after...) {
		if b.Len() > 0 {
			b.WriteByte('\n')
		}
		p.write(&b)
	}
	return strings.ToValidUTF8(b.String(), ""), false, nil
}
