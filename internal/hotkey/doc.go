// Package hotkey binds a key of the desktop to a command, and takes the binding back.
//
// Use [Find] for the desktop of a session, [ParseKey] for the key, and [Desktop.Plan]
// for what has to be done: steps that write a part of a file between two marks or start
// one of the desktop's own setting programs. [Step.Run] does one; until then nothing
// is touched. Each desktop is one row of a table, with its own form of keys.
package hotkey
