package document

// Keys such as `clipboard.text.contains` say in one scalar what could stand in
// several maps. Who takes them apart makes nodes of the parts, which know where
// they stand in the file like all others.

// Part is a piece of a scalar's decoded text as a node of its own, from one byte
// up to another.
func (n *Node) Part(from, to int) *Node {
	if from == 0 && to == len(n.Text) {
		return n
	}
	return &Node{Kind: String, Text: n.Text[from:to], style: portion, start: from, doc: n.doc, Items: []*Node{n}}
}

// Named is the scalar with another text in place of its own, at the same position.
func (n *Node) Named(text string) *Node {
	if text == n.Text {
		return n
	}
	return &Node{Kind: n.Kind, Text: text, style: renamed, doc: n.doc, Items: []*Node{n}}
}

// MapOf makes a map of entries, of which there is at least one. Keys may be in it
// more than once.
func MapOf(entries ...Entry) *Node {
	first := entries[0].Key
	start, _ := first.extent()
	return &Node{Kind: Mapping, Entries: entries, style: derived, start: start, doc: first.doc}
}

// Derived tells whether a map was made by [MapOf].
func (n *Node) Derived() bool { return n.style == derived }

// original returns the scalar that a derived one stands in, and the bytes of its
// text that it covers; nil for others.
func (n *Node) original() (of *Node, from, to int) {
	switch n.style {
	case portion:
		return n.Items[0], n.start, n.start + len(n.Text)
	case renamed:
		return n.Items[0], 0, len(n.Items[0].Text)
	}
	return nil, 0, 0
}

// derivedExtent is extent for a derived scalar.
func (n *Node) derivedExtent() (start, end int) {
	of, from, to := n.original()
	if n.style == renamed {
		return of.extent()
	}
	for of.style == portion { // a part of a part
		from, to, of = of.start+from, of.start+to, of.Items[0]
	}
	marks, _ := of.marks()
	end = marks[to]
	if to > from {
		end = max(end, marks[to-1]+1)
	}
	return marks[from], end
}
