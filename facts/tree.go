package facts

import (
	"context"
	"slices"
	"strings"
	"unicode/utf8"
)

// TextReader reads the text of an element on demand; ok is false when it has
// none or it cannot be read now. It returns soon after ctx has ended.
type TextReader func(ctx context.Context, element int) (text string, ok bool)

// Tree is the visible elements, immutable and safe for concurrent use. A nil
// Tree is one that is not available.
type Tree struct {
	elements []Element
	roots    []int
	byID     map[string]int
	read     TextReader

	postings [][]int32 // elements of each type, in document order

	partial string  // what was left out, in a few words; empty: nothing
	cut     []int32 // the elements that lack children, in document order

	fixed  []ElementText // texts that are at hand; nil when they are read on demand
	unread int           // how many of them are not known

	reading chan struct{} // holds one value while somebody has the texts below; a channel, so that who waits can be cancelled
	texts   map[int]ElementText
}

// ElementText is an element's text, if it has one.
type ElementText struct {
	Text   string
	OK     bool
	Unread bool // whether it has one is not known: there was no time to read it
}

// NewTreeWithTexts is [NewTree] for texts that are at hand: one for each
// element.
func NewTreeWithTexts(elements []Element, texts []ElementText) *Tree {
	for i := range texts {
		texts[i].Text = clip(texts[i].Text)
	}
	t := NewTree(elements, nil)
	t.fixed = texts
	for i := range texts {
		if texts[i].Unread {
			t.unread++
		}
	}
	return t
}

// NewTree makes a tree of elements in document order; Parent must be set, End
// is filled in, and an element without a process gets its parent's. read may be
// nil when no element has text. The slice belongs to the tree from now on.
func NewTree(elements []Element, read TextReader) *Tree {
	t := &Tree{elements: elements, read: read, byID: map[string]int{}}
	if read != nil {
		t.reading, t.texts = make(chan struct{}, 1), map[int]ElementText{}
	}
	for i := range elements {
		e := &elements[i]
		e.End = i + 1
		if int(e.Type) >= len(elementTypes) {
			e.Type = UnknownType
		}
		if e.Cut {
			t.cut = append(t.cut, int32(i))
		}
		e.HasProcess = e.HasProcess || e.Process != ""
		if e.Parent < 0 || e.Parent >= i {
			e.Parent = -1
			t.roots = append(t.roots, i)
		} else if !e.HasProcess {
			e.Process, e.HasProcess = elements[e.Parent].Process, elements[e.Parent].HasProcess
		}
		if _, taken := t.byID[e.ID]; e.ID != "" && !taken {
			t.byID[e.ID] = i
		}
	}
	for i := len(elements) - 1; i >= 0; i-- { // children close before their parents
		if p := elements[i].Parent; p >= 0 {
			elements[p].End = max(elements[p].End, elements[i].End)
		}
	}
	t.index()
	return t
}

// Unread is how many of the texts that the tree was made with are not known;
// see [ElementText]. A query may have missed what it looks for in these.
func (t *Tree) Unread() int { return t.unread }

func (t *Tree) index() {
	counts := make([]int, len(elementTypes))
	for i := range t.elements {
		counts[t.elements[i].Type]++
	}
	all := make([]int32, len(t.elements))
	t.postings = make([][]int32, len(elementTypes))
	at := 0
	for k, n := range counts {
		t.postings[k] = all[at : at : at+n]
		at += n
	}
	for i := range t.elements {
		k := t.elements[i].Type
		t.postings[k] = append(t.postings[k], int32(i))
	}
}

// Len is the number of elements.
func (t *Tree) Len() int { return len(t.elements) }

// At returns an element; it must not be changed.
func (t *Tree) At(i int) *Element { return &t.elements[i] }

// Roots are the indexes of the elements without a parent.
func (t *Tree) Roots() []int { return t.roots }

// OfType are the indexes of all elements of a type, in document order.
func (t *Tree) OfType(k ElementType) []int32 { return t.postings[k] }

// ByID finds an element by its id; of several with one id, the first.
func (t *Tree) ByID(id string) (int, bool) {
	i, ok := t.byID[id]
	return i, ok
}

// Text reads an element's text, at most once and at most [MaxText] code points.
// Where ctx ends first there is none, and the next call tries again.
func (t *Tree) Text(ctx context.Context, i int) (string, bool) {
	got := t.textWithin(ctx, i)
	return got.Text, got.OK
}

// textWithin is Text that tells a text which was not read from none.
func (t *Tree) textWithin(ctx context.Context, i int) ElementText {
	if t.fixed != nil {
		return t.fixed[i]
	}
	if t.read == nil {
		return ElementText{}
	}
	if ctx.Err() != nil {
		return ElementText{Unread: true}
	}
	select {
	case t.reading <- struct{}{}:
	case <-ctx.Done():
		return ElementText{Unread: true}
	}
	defer func() { <-t.reading }()
	if got, known := t.texts[i]; known {
		return got
	}
	text, ok := t.read(ctx, i)
	if !ok && ctx.Err() != nil {
		return ElementText{Unread: true}
	}
	got := ElementText{Text: clip(text), OK: ok}
	t.texts[i] = got
	return got
}

// ReadsTexts tells that texts are read on demand, which may take time.
func (t *Tree) ReadsTexts() bool { return t.read != nil && t.fixed == nil }

// MarkPartial says that elements are missing, because of a limit of time or
// size: what is not found in such a tree may be there nevertheless. what is a
// few words on what was left out, never text from the screen. Elements that lack
// children have Cut set; where none has, anything may be missing. It is for who
// makes the tree, before anybody else has it, and returns the tree.
func (t *Tree) MarkPartial(what string) *Tree {
	t.partial = what
	return t
}

// Partial is what was left out of the tree, in a few words; empty: nothing.
func (t *Tree) Partial() string { return t.partial }

// Cuts are the indexes of the elements that lack children, in document order;
// see [Tree.MarkPartial].
func (t *Tree) Cuts() []int32 { return t.cut }

// Path is where an element stands, as the types from its root down:
// /TopLevel/Panel/Button.
func (t *Tree) Path(i int) string {
	var types []string
	for ; i >= 0; i = t.elements[i].Parent {
		types = append(types, t.elements[i].Type.String())
	}
	slices.Reverse(types)
	return "/" + strings.Join(types, "/")
}

// clip cuts a text after its first MaxText code points.
func clip(text string) string {
	if len(text) <= MaxText {
		return text
	}
	n := 0
	for i := 0; i < len(text); {
		if n == MaxText {
			return text[:i]
		}
		_, size := utf8.DecodeRuneInString(text[i:])
		i += size
		n++
	}
	return text
}
