package collect

import "strings"

// complete asks for what only some elements have to be asked for: the words of
// labels, which are no titles, whether a field can be typed into, and which tab
// is the selected one.
func (w *axWalk) complete() {
	for i := range w.nodes {
		e := &w.nodes[i]
		if !e.known || e.offscreen {
			continue
		}
		switch {
		case e.secure():
		case w.isTab(e):
			if v, ok := w.value(i); ok {
				e.selected = v.kind == axNumber && v.a != 0 || v.kind == axFlag && v.flag
			}
		case e.role == "AXStaticText" && e.title == "" && e.description == "":
			e.name = w.valueText(i)
		case e.typed() && w.inRow(e):
			// A file's name in a list is a field that can be edited.
			w.nameRow(e, w.valueText(i))
		case e.typed():
			if limit := w.left(); limit > 0 && w.silent < axMaxSilence {
				e.readOnly = !w.system.settable(e.ref, axValueOf, limit)
			} else {
				w.lack(e.parent, w.reason())
			}
		}
	}
	w.name()
}

// value reads the value of an element, of texts no more than a name may have.
func (w *axWalk) value(i int) (axValue, bool) {
	limit := w.left()
	if limit <= 0 || w.silent >= axMaxSilence {
		w.lack(w.nodes[i].parent, w.reason())
		return axValue{}, false
	}
	answer, status := axRead(w.system, w.nodes[i].ref, axOfValue, axMaxName, limit)
	defer answer.close()
	switch status {
	case axSuccess:
		w.silent = 0
	case axCannotComplete:
		w.silent++
		w.lack(w.nodes[i].parent, axSilence)
	}
	return *answer.at(axValueOf), status == axSuccess
}

// valueText is the value of an element that is a text.
func (w *axWalk) valueText(i int) string {
	v, _ := w.value(i)
	return strings.TrimSpace(strings.ToValidUTF8(v.text, ""))
}

// inRow tells whether an element is in a row of a table.
func (w *axWalk) inRow(e *axNode) bool {
	_, ok := w.row(e)
	return ok
}

func (w *axWalk) row(e *axNode) (*axNode, bool) {
	for p := e.parent; p >= 0; p = w.nodes[p].parent {
		if w.nodes[p].role == "AXRow" {
			return &w.nodes[p], true
		}
	}
	return nil, false
}

// nameRow gives a row the name that its first column has.
func (w *axWalk) nameRow(e *axNode, name string) {
	if row, ok := w.row(e); ok && row.name == "" {
		row.name = name
	}
}

// name settles what elements are called. A row without a name has that of the
// first label in it.
func (w *axWalk) name() {
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
func (e *axNode) call() {
	switch {
	case e.title != "":
		e.name = e.title
	case e.description != "":
		e.name = e.description
	case e.name == "":
		e.name = e.placeholder
	}
}
