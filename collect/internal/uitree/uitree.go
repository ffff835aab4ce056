// Package uitree is what the visible elements of a window have in common,
// whatever system they come from: how many are read, in which order they stand in
// a tree, which of them has the keyboard, and how a tree is kept.
//
//	a walk (atspi, uia, ax) → DocumentOrder, Focused → facts.Tree → Kept → the next question
package uitree

import "fmt"

// DocumentOrder puts a parent before its children and leaves out what could not
// be read. Of n elements, below tells the children of one and whether it was
// read; the first is the window, which always counts.
func DocumentOrder(n int, below func(i int) (children []int, read bool)) []int {
	order := make([]int, 0, n)
	var add func(i int)
	add = func(i int) {
		children, read := below(i)
		if !read && i > 0 {
			return
		}
		order = append(order, i)
		for _, child := range children {
			add(child)
		}
	}
	if n > 0 {
		add(0)
	}
	return order
}

// Counted says how many elements a tree has.
func Counted(n int, cut bool) string {
	switch {
	case cut:
		return fmt.Sprintf("%d elements; the rest of the window was left out", n)
	case n == 1:
		return "1 element"
	}
	return fmt.Sprintf("%d elements", n)
}
