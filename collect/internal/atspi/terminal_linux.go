package atspi

import "context"

// maxTerminals bounds the terminals that are counted in a window.
const maxTerminals = 256

// terminalEnd is how much of a terminal is read, in characters: its last lines.
const terminalEnd = 2000

// Terminals counts the terminals in a window, those of hidden tabs, too; false: it
// cannot be told.
func (s Window) Terminals(ctx context.Context) (int, bool) {
	if !s.Toolkit.Matches() {
		return 0, false
	}
	hits, err := s.match(ctx, s.Top, 0, []uint32{RoleTerminal}, maxTerminals)
	return len(hits), err == nil && len(hits) > 0
}

// TerminalEnd is the last that a terminal shows that has the keyboard; "": none has it,
// or it cannot be read.
func (s Window) TerminalEnd(ctx context.Context) string {
	n, role, err := s.Focus(ctx)
	if err != nil || n.None() || role != RoleTerminal || !HasText(s.Interfaces(ctx, n)) {
		return ""
	}
	length, err := Variant[int32](s.Property(ctx, n, "Text", "CharacterCount"))
	if err != nil {
		return ""
	}
	return ValidText(Result[string](s.Start(ctx, n, Prefix+"Text.GetText", max(0, length-terminalEnd), length)))
}

// HasSelection tells whether an element says that something is selected in it.
func (s Window) HasSelection(ctx context.Context, n Node) (bool, error) {
	if !HasText(s.Interfaces(ctx, n)) {
		return false, ctx.Err()
	}
	count, err := Result[int32](s.Start(ctx, n, Prefix+"Text.GetNSelections"))
	return count > 0, err
}
