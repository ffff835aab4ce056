package atspi

import (
	"testing"
)

// TestCutLevel: where a walk ends, those that have more below them are marked,
// and the parents of those that were not reached.
func TestCutLevel(t *testing.T) {
	elements := []Element{
		{Parent: -1, Role: RoleFrame, Count: 3, States: 1 << StateShowing},
		{Parent: 0, Role: RolePanel, Count: 2, States: 1 << StateShowing}, // not gone into
		{Parent: 0, Role: RolePanel, Count: 2},                            // does not show, so nothing of it is missing
		{Parent: 0, Role: RolePanel, States: 1 << StateShowing},           // has nothing below it
		{Parent: 1}, // not reached
	}
	Window{}.cutLevel(elements, 1, 4)
	if elements[0].cut || !elements[1].cut || elements[2].cut || elements[3].cut {
		t.Errorf("%+v", elements)
	}
	elements[1].cut = false
	Window{}.cutLevel(elements, 4, 5)
	if !elements[1].cut {
		t.Error("the parent of what was not reached is whole")
	}
}
