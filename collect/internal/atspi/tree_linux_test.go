package atspi

import "testing"

// TestOnlyFocused: one element has the keyboard, whatever others say; those around it may
// say so, too.
func TestOnlyFocused(t *testing.T) {
	const focused, editable = States(1 << StateFocused), States(1 << StateEditable)
	elements := []Element{
		{Parent: -1, States: focused},
		{Parent: 0, depth: 1, States: focused},            // the tab
		{Parent: 1, depth: 2, States: focused | editable}, // the text in it
		{Parent: 0, depth: 1},                             // the status bar
		{Parent: 3, depth: 2, States: focused},            // a button there
	}
	onlyFocused(elements)
	for i, want := range []bool{true, true, true, false, false} {
		if got := elements[i].States.Has(StateFocused); got != want {
			t.Errorf("element %d: %v", i, got)
		}
	}
	alone := []Element{{Parent: -1}, {Parent: 0, depth: 1}}
	onlyFocused(alone)
	if alone[1].States != 0 {
		t.Error("where none has it, none gets it")
	}
}

// TestMaybeTyped: the editable state decides about what else would be a label or a panel.
func TestMaybeTyped(t *testing.T) {
	types := NewTypes()
	for role, want := range map[uint32]bool{RoleParagraph: true, RoleSection: true, RolePanel: true, RoleStatic: false, RolePushButton: false, RoleTableCell: false, RoleDocumentWeb: false} {
		if got := types.maybeTyped(role, types.typeOf(role, false, true, 0)); got != want {
			t.Errorf("role %d: %v", role, got)
		}
	}
}
