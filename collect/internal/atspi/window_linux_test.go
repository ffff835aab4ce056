package atspi

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/godbus/dbus/v5"

	"github.com/pertain-dev/pertain/facts"
)

func TestTypeOf(t *testing.T) {
	p := NewTypes()
	for _, tt := range []struct {
		role            uint32
		top, inDocument bool
		want            string
	}{
		{RoleFrame, true, false, "TopLevel"},
		{RoleDialog, true, false, "TopLevel"},
		{RoleFrame, false, false, "Panel"}, // what Qt calls a frame inside a window
		{RoleText, false, false, "TextEdit"},
		{RolePasswordText, false, false, "TextEdit"},
		{RoleTableCell, false, false, "ListViewItem"},
		{RoleTableCell, false, true, "DataGridItem"},
		{RoleIcon, false, false, "ListViewItem"},
		{RoleIcon, false, true, "Image"},
		{RoleTable, false, false, "ListView"},
		{RoleTable, false, true, "Table"},
		{RoleDocumentWeb, false, false, "Document"},
		{67, false, false, "Unknown"},
		{9999, false, false, "Unknown"},
	} {
		if got := p.typeOf(tt.role, tt.top, tt.inDocument, p.listView); got.String() != tt.want {
			t.Errorf("%+v: %s", tt, got)
		}
	}
	if got := p.typeOf(RoleIcon, false, false, facts.UnknownType); got != p.image {
		t.Errorf("an icon outside of a list is %s", got)
	}
	for _, row := range roleTypes {
		if _, ok := facts.ParseElementType(row.name); !ok {
			t.Errorf("%s is no type", row.name)
		}
	}
}

func TestStatesFor(t *testing.T) {
	const usable = States(1<<StateSensitive | 1<<StateShowing)
	for _, tt := range []struct {
		role   uint32
		states States
		gtk4   bool
		want   string
	}{
		{RolePushButton, usable, false, "[]"},
		{RolePushButton, 1 << StateShowing, false, "[disabled]"},
		{RolePushButton, 1 << StateSensitive, false, "[offscreen]"},
		{RolePushButton, 1 << StateSensitive, true, "[]"},
		{RoleText, usable, false, "[readonly]"},
		{RoleText, usable | 1<<StateEditable, false, "[]"},
		{RoleText, usable | 1<<StateEditable | 1<<StateReadOnly, false, "[readonly]"},
		{RolePasswordText, usable | 1<<StateEditable | 1<<StateFocused, false, "[focused password]"},
		{RoleListItem, usable | 1<<StateSelected, false, "[selected]"},
	} {
		if got := fmt.Sprint(statesFor(tt.role, tt.states, tt.gtk4).Names()); got != tt.want {
			t.Errorf("%+v: %s", tt, got)
		}
	}
}

func TestRows(t *testing.T) {
	p := NewTypes()
	box := func(x, y float64) facts.Bounds { return facts.Bounds{X: x, Y: y, Width: 10, Height: 10} }
	item := func(parent int, name string, b facts.Bounds) facts.Element {
		return facts.Element{Type: p.item, Parent: parent, Name: name, HasName: name != "", Bounds: b, HasBounds: true}
	}
	elements := []facts.Element{
		{Type: p.listView, Parent: -1},
		{Type: p.header, Parent: 0},
		item(0, "", box(0, 0)),         // a row: its first cell is a picture and a name
		item(2, "", box(0, 0)),         //
		item(2, "a.txt", box(5, 0)),    //
		item(0, "2 bytes", box(20, 0)), // its second
		item(0, "b.txt", box(0, 10)),   // the next row
		item(0, "3 bytes", box(20, 10)),
	}
	p.rows(elements)
	got := ""
	for _, e := range elements[2:] {
		got += e.Type.String() + " " + e.Name + "; "
	}
	if want := "ListViewItem a.txt; Image ; Label a.txt; DataGridItem 2 bytes; ListViewItem b.txt; DataGridItem 3 bytes; "; got != want {
		t.Error(got)
	}
	icons := []facts.Element{{Type: p.listView, Parent: -1}, item(0, "a", box(0, 0)), item(0, "b", box(20, 0))}
	p.rows(icons)
	if icons[2].Type != p.item {
		t.Error("icons that stand in a row are items")
	}
}

func TestChoose(t *testing.T) {
	at := func(path dbus.ObjectPath, name string, s States) Toplevel {
		return Toplevel{Node: Node{":1", path}, Name: name, states: s}
	}
	const active, showing = States(1 << StateActive), States(1 << StateShowing)
	for _, tt := range []struct {
		name   string
		tops   []Toplevel
		dialog bool
		others []string
		want   string
	}{
		{"active and named", []Toplevel{at("1", "b", active), at("2", "a - Program", active)}, false, nil, "2"},
		{"named, not yet active", []Toplevel{at("1", "b", active), at("2", "a - Program", showing)}, false, []string{"b"}, "2"},
		{"named, and another active that is no other window", []Toplevel{at("1", "a - Audio playing - Program (Incognito)", active), at("2", "a - Program", showing)}, false, []string{"a - Program"}, ""},
		{"two named, one active", []Toplevel{at("1", "a - Program", showing), at("2", "a - Program (Incognito)", active)}, false, []string{"a - Program"}, "2"},
		{"two named, none active", []Toplevel{at("1", "a - Program", showing), at("2", "a - Program (Incognito)", showing)}, false, []string{"a - Program"}, ""},
		{"another title, the only window", []Toplevel{at("1", "x", 0), at("2", "y", active)}, false, nil, "2"},
		{"the only one that shows", []Toplevel{at("1", "", 0), at("2", "", showing)}, false, nil, "2"},
		{"a name that is late", []Toplevel{at("1", "b", showing), at("2", "y", showing)}, false, []string{"b"}, "2"},
		{"a name with more in it", []Toplevel{at("1", "b - Audio playing - Program", showing), at("2", "a - Audio playing - Program", active)}, false, []string{"b - Program"}, "2"},
		{"another's name with more in it", []Toplevel{at("1", "b - Audio playing - Program", active)}, false, []string{"b - Program"}, ""},
		{"another of the program's windows", []Toplevel{at("1", "b", active)}, false, []string{"b"}, ""},
		{"a dialog without a name", []Toplevel{at("1", "b", showing), at("2", "", active)}, true, []string{"b"}, "2"},
		{"a dialog that is not there", []Toplevel{at("1", "b", active)}, true, []string{"b"}, ""},
		{"a dialog that is not there, and a name that is late", []Toplevel{at("1", "y", active)}, true, []string{"b"}, ""},
		{"none", nil, false, nil, ""},
	} {
		w := Target{Title: "a - Program", Dialog: tt.dialog}
		got, ok := choose(tt.tops, w.Title)
		switch {
		case !ok:
			got, ok = remaining(tt.tops, w, tt.others)
		case !got.states.Has(StateActive) && !unrivalled(tt.tops, got, tt.others):
			got, ok = Toplevel{}, false
		}
		if string(got.Path) != tt.want || ok != (tt.want != "") {
			t.Errorf("%s: %q, want %q", tt.name, got.Path, tt.want)
		}
	}
}

// TestToplevelUnheard: a window that was not heard in time is none without a name and
// without states, for which another would be told, or none.
func TestToplevelUnheard(t *testing.T) {
	answer := func(err error, body ...any) *dbus.Call {
		call := &dbus.Call{Err: err, Body: body, Done: make(chan *dbus.Call, 1)}
		call.Done <- call
		return call
	}
	named, active := func() *dbus.Call { return answer(nil, dbus.MakeVariant("Letter")) }, func() *dbus.Call { return answer(nil, []uint32{1 << StateActive, 0}) }
	closed := dbus.Error{Name: "org.freedesktop.DBus.Error.UnknownObject"}
	for _, tt := range []struct {
		name, states *dbus.Call
		want         error
		text         string
		active       bool
	}{
		{named(), active(), nil, "Letter", true},
		{answer(closed), answer(closed), nil, "", false},
		{answer(context.DeadlineExceeded), active(), context.DeadlineExceeded, "", true},
		{named(), answer(context.DeadlineExceeded), context.DeadlineExceeded, "Letter", false},
		{named(), answer(context.Canceled), context.Canceled, "Letter", false},
	} {
		var top Toplevel
		if err := top.take(tt.name, tt.states); !errors.Is(err, tt.want) || top.Name != tt.text || top.states.Has(StateActive) != tt.active {
			t.Errorf("%q, active %v, %v", top.Name, top.states.Has(StateActive), err)
		}
	}
}
