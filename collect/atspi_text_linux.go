package collect

import (
	"context"
	"strings"
	"time"

	"github.com/pertain-dev/pertain/facts"
)

// textTime is how long reading the text of one element may take where whoever
// asks sets no limit: the program may hang.
const textTime = 60 * time.Millisecond

// maxNesting is how deep texts inside texts are read.
const maxNesting = 24

// textReader reads texts when a query asks for them.
func (s scene) textReader(elements []visited, order []int) facts.TextReader {
	return func(ctx context.Context, i int) (string, bool) {
		if _, limited := ctx.Deadline(); !limited {
			var cancel context.CancelFunc
			ctx, cancel = context.WithTimeout(ctx, textTime)
			defer cancel()
		}
		e := &elements[order[i]]
		var b strings.Builder
		ok := s.text(ctx, e.node, e.role, 0, &b)
		return b.String(), ok
	}
}

// embedded stands in a text for an element inside it.
const embedded = '\ufffc'

// text appends an element's text with those of the elements inside it. A
// password is never read.
func (s scene) text(ctx context.Context, n node, role uint32, depth int, b *strings.Builder) bool {
	if role == rolePassword || depth > maxNesting || b.Len() > 4*facts.MaxText {
		return false
	}
	if !hasText(s.interfaces(ctx, n)) {
		return false
	}
	// Firefox gives nothing when it is asked for more than there is.
	length, err := variant[int32](s.property(ctx, n, "Text", "CharacterCount"))
	if err != nil {
		return false
	}
	own, err := result[string](s.start(ctx, n, atspi+"Text.GetText", int32(0), min(length, facts.MaxText)))
	if err != nil {
		return false
	}
	if !strings.ContainsRune(own, embedded) {
		b.WriteString(strings.ToValidUTF8(own, ""))
		return true
	}
	children, _ := s.children(ctx, n)
	next := 0
	for _, c := range own {
		if c != embedded {
			b.WriteRune(c)
			continue
		}
		if next < len(children) {
			child := children[next]
			next++
			if childRole, err := result[uint32](s.role(ctx, child)); err == nil {
				if block(childRole) && b.Len() > 0 && !strings.HasSuffix(b.String(), "\n") {
					b.WriteByte('\n')
				}
				s.text(ctx, child, childRole, depth+1, b)
			}
		}
	}
	return true
}

// block tells whether a role begins a line of its own.
func block(role uint32) bool {
	switch role {
	case roleListItem, roleTable, roleTableRow, 73, 83, 85, 87, 99, 105, 109, 110, 39, roleList:
		return true
	}
	return false
}

// selection is the selected text of an element.
func (a *accessibility) selection(ctx context.Context, n node) (string, bool) {
	if !hasText(a.interfaces(ctx, n)) {
		return "", false
	}
	count, err := result[int32](a.start(ctx, n, atspi+"Text.GetNSelections"))
	if err != nil || count <= 0 {
		return "", false
	}
	var parts []string
	for i := range min(count, 16) {
		r, err := result2(a.start(ctx, n, atspi+"Text.GetSelection", i))
		if err != nil || r[1] <= r[0] {
			continue
		}
		part, err := result[string](a.start(ctx, n, atspi+"Text.GetText", r[0], r[1]))
		if err == nil && part != "" {
			parts = append(parts, strings.ToValidUTF8(part, ""))
		}
	}
	return strings.Join(parts, "\n"), len(parts) > 0
}
