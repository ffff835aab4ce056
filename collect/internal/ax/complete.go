package ax

import "strings"

// complete asks for what only some elements have to be asked for: the words of
// labels, which are no titles, whether a field can be typed into, and which tab
// is the selected one.
func (w *Walk) complete() {
	for i := range w.nodes {
		e := &w.nodes[i]
		if !e.known || e.offscreen {
			continue
		}
		switch {
		case e.secure():
		case w.isTab(e):
			if v, ok := w.value(i); ok {
				e.selected = v.kind == KindNumber && v.a != 0 || v.kind == KindFlag && v.flag
			}
		case e.role == "AXStaticText" && e.title == "" && e.description == "":
			e.name = w.valueText(i)
		case e.typed() && w.inRow(e):
			// A file's name in a list is a field that can be edited.
			w.nameRow(e, w.valueText(i))
		case e.typed():
			if limit := w.left(); limit > 0 && w.silent < MaxSilence {
				e.readOnly = !w.system.Settable(e.ref, AttributeValue, limit)
			} else {
				w.lack(e.parent, w.reason())
			}
		}
	}
	w.name()
}

// value reads the value of an element, of texts no more than a name may have.
func (w *Walk) value(i int) (Value, bool) {
	limit := w.left()
	if limit <= 0 || w.silent >= MaxSilence {
		w.lack(w.nodes[i].parent, w.reason())
		return Value{}, false
	}
	answer, status := Read(w.system, w.nodes[i].ref, ListOfValue, MaxName, limit)
	defer answer.close()
	switch status {
	case StatusSuccess:
		w.silent = 0
	case StatusCannotComplete:
		w.silent++
		w.lack(w.nodes[i].parent, Silence)
	}
	return *answer.at(AttributeValue), status == StatusSuccess
}

// valueText is the value of an element that is a text.
func (w *Walk) valueText(i int) string {
	v, _ := w.value(i)
	return strings.TrimSpace(strings.ToValidUTF8(v.text, ""))
}

// inRow tells whether an element is in a row of a table.
func (w *Walk) inRow(e *Node) bool {
	_, ok := w.row(e)
	return ok
}

func (w *Walk) row(e *Node) (*Node, bool) {
	for p := e.parent; p >= 0; p = w.nodes[p].parent {
		if w.nodes[p].role == "AXRow" {
			return &w.nodes[p], true
		}
	}
	return nil, false
}

// nameRow gives a row the name that its first column has.
func (w *Walk) nameRow(e *Node, name string) {
	if row, ok := w.row(e); ok && row.name == "" {
		row.name = name
	}
}

// name settles what elements are called. A row without a name has that of the
// first label in it.
func (w *Walk) name() {
	for i := range w.nodes {
		e := &w.nodes[i]
		e.call()
		if e.role == "AXStaticText" && e.name != "" {
			w.nameRow(e, e.name)
		}
	}
}

// call names an element by its title, else by its description, else by its
// value, else by what stands in a field while it is empty.
func (e *Node) call() {
	switch {
	case e.title != "":
		e.name = e.title
	case e.description != "":
		e.name = e.description
	case e.name == "":
		e.name = e.placeholder
	}
}
