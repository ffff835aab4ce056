package atspi

import (
	"context"
	"slices"
	"strings"

	"github.com/godbus/dbus/v5"

	"github.com/pertain-dev/pertain/facts"
)

var errLongSelection = facts.Unavailable("the selected text has more parts than are read", "select less")

// maxPieces bounds the elements of which a selected text is put together.
const maxPieces = 8192

// piece is an element with selected text, and those inside it.
type piece struct {
	Node
	role     uint32
	text     []rune
	ranges   [][2]int32 // what is selected, in characters
	inside   []*piece   // for each embedded in text, but for those that stand in it themselves
	first    int        // how many before the first of these were left out, since they are before what is selected
	inlined  bool       // if it is plain text, that is part of the text around it
	textless bool       // it has no text, so that it cannot tell whether it is selected
	calls    pieceCalls
}

// pieceCalls is the calls under way for one piece.
type pieceCalls struct{ role, count, text, children *dbus.Call }

// pages tells whether the program shows pages, whose text is that of many
// elements inside each other.
func (t Toolkit) pages() bool {
	return t.Name == "Chromium" || t.Name == "Gecko" || strings.Contains(t.Name, "WebKit")
}

// selectedIn is the selected text of an element with that of the elements inside
// it, whose number nested tells to be more than none.
func (s Window) selectedIn(ctx context.Context, n Node) (text string, nested bool, err error) {
	if !HasText(s.Interfaces(ctx, n)) {
		return "", false, ctx.Err()
	}
	root := &piece{Node: n}
	if s.Toolkit.Name == "Chromium" {
		var found around
		found, err = s.aroundCaret(ctx, n, 0)
		root = found.piece
	} else {
		err = s.fill(ctx, root)
	}
	if err != nil {
		return "", false, err
	}
	var b strings.Builder
	root.write(&b)
	return strings.ToValidUTF8(b.String(), ""), len(root.inside) > 0, nil
}

// fill reads what is selected of pieces and of all that is inside them.
func (s Window) fill(ctx context.Context, level ...*piece) error {
	seen := len(level)
	for depth := 0; len(level) > 0; depth++ {
		var next []*piece
		for chunk := range slices.Chunk(level, InFlight/2) {
			for _, p := range chunk {
				p.calls = pieceCalls{
					role:  s.role(ctx, p.Node),
					count: s.Start(ctx, p.Node, Prefix+"Text.GetNSelections"),
				}
			}
			s.readPieces(ctx, chunk)
			if ctx.Err() != nil {
				return tooLong(ctx, seen)
			}
			for _, p := range chunk {
				next = append(next, p.inside...)
			}
		}
		seen += len(next)
		if depth >= maxNesting || seen > maxPieces {
			return errLongSelection
		}
		level = next
	}
	return nil
}

// tooLong says why a selection could not be read: a program that has answered for a
// while is not the one to blame.
func tooLong(ctx context.Context, seen int) error {
	if seen > InFlight {
		return errUnread
	}
	return ctx.Err()
}

// readPieces takes the answers about some pieces. What an element does not tell
// is not selected.
func (s Window) readPieces(ctx context.Context, pieces []*piece) {
	var chosen []*piece
	for _, p := range pieces {
		role, err := Result[uint32](p.calls.role)
		count, failed := Result[int32](p.calls.count)
		p.role, p.textless = role, failed != nil
		if err != nil || failed != nil || count <= 0 || role == RolePasswordText {
			continue
		}
		for at := range min(count, 16) {
			if r, err := resultPair(s.Start(ctx, p.Node, Prefix+"Text.GetSelection", at)); err == nil && r[0] >= 0 && r[1] > r[0] {
				p.ranges = append(p.ranges, r)
			}
		}
		if len(p.ranges) > 0 {
			chosen = append(chosen, p)
			p.calls.text = s.Start(ctx, p.Node, Prefix+"Text.GetText", int32(0), p.end())
		}
	}
	for _, p := range chosen {
		whole, err := Result[string](p.calls.text)
		if err != nil || s.conceals(ctx, p.Node, p.role, whole) {
			p.ranges = nil
			continue
		}
		p.text = []rune(whole)
		if slices.Contains(p.text, embedded) {
			p.calls.children = s.Start(ctx, p.Node, Prefix+"Accessible.GetChildren")
		}
	}
	for _, p := range chosen {
		if p.calls.children == nil {
			continue
		}
		children, _ := Result[[]Node](p.calls.children)
		for _, child := range children {
			p.inside = append(p.inside, &piece{Node: child, inlined: s.Toolkit.Name == "Chromium"})
		}
	}
}

// end is where the last of what is selected ends.
func (p *piece) end() int32 {
	end := int32(0)
	for _, r := range p.ranges {
		end = max(end, r[1])
	}
	return end
}

// write appends what is selected.
func (p *piece) write(b *strings.Builder) {
	for i, r := range p.ranges {
		if i > 0 {
			b.WriteByte('\n')
		}
		inside := slices.DeleteFunc(slices.Clone(p.inside), func(c *piece) bool { return c.inlined && c.role == RoleStatic })
		next := 0 // among those inside
		for at, c := range p.text {
			in := int32(at) >= r[0] && int32(at) < r[1]
			switch {
			case c != embedded && in:
				b.WriteRune(c)
			case c == embedded:
				if at := next - p.first; in && at >= 0 && at < len(inside) {
					child := inside[at]
					if block(child.role) && b.Len() > 0 && !strings.HasSuffix(b.String(), "\n") {
						b.WriteByte('\n')
					}
					child.write(b)
				}
				next++
			}
		}
	}
}
