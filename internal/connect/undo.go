package connect

import (
	"context"
	"encoding/json"
	"slices"

	"github.com/tailscale/hujson"

	"github.com/pertain-dev/pertain/internal/writing"
)

// undo takes out what was put in: the very bytes come back where nobody has changed the file since, else our entries alone go.
func (w *change) undo(ctx context.Context) (File, error) {
	r := readRecord(w.State, w.path)
	file := File{Path: w.path, Change: Changed}
	if !w.exists {
		file.Change = Unchanged
		if len(r.Steps) == 0 || w.DryRun {
			return file, nil
		}
		return file, writeRecord(ctx, w.State, record{Path: w.path}) // somebody has removed it
	}
	kept := w.kept(r)
	if done := r.applied(w.text, true); slices.ContainsFunc(r.Steps, w.mine) && !slices.ContainsFunc(done.Steps, w.mine) { // it has been taken back
		file.Change, w.planned = Unchanged, w.text
		if w.DryRun {
			return file, nil
		}
		return file, writeRecord(ctx, w.State, w.left(r, w.text, kept))
	}
	text, found, gone, err := w.restored(r)
	if err != nil {
		return File{}, err
	}
	w.planned = text
	if !found || text == w.text && !gone {
		w.planned = w.text
		file.Change = Unchanged
		if w.DryRun || !slices.ContainsFunc(r.Steps, w.mine) {
			return file, nil
		}
		return file, writeRecord(ctx, w.State, w.left(r, w.text, kept))
	}
	if gone {
		file.Change, w.planned = Removed, ""
	}
	w.changes(&file, w.planned)
	if w.DryRun {
		return file, nil
	}
	if gone {
		if err = w.target.Check(); err == nil {
			err = w.target.Remove()
		}
	} else {
		err = w.target.Put([]byte(w.mark+text), 0o644)
	}
	if err != nil {
		return File{}, err
	}
	for _, step := range slices.Backward(r.Steps) {
		for _, folder := range step.Folders {
			if !gone || writing.RemoveFolder(folder) != nil { // it holds something else
				break
			}
		}
	}
	r = w.left(r, text, kept)
	if gone {
		r.Steps = nil
	}
	_ = writeRecord(ctx, w.State, r) // the file is as it was; a record that says more is corrected the next time
	return file, nil
}

// kept are the entries that the file had before the first change: they are the user's.
func (w *change) kept(r record) []string {
	var kept []string
	for _, s := range r.Steps {
		if w.mine(s) {
			kept = append(kept, s.Kept...)
		}
	}
	return kept
}

// left is the record once the change is taken back. What the user had is remembered: to be asked once more to take the change
// back is no reason to take that.
func (w *change) left(r record, text string, kept []string) record {
	r.Steps = slices.DeleteFunc(r.Steps, w.mine)
	if len(kept) > 0 {
		r.Steps = append(r.Steps, step{Agent: w.agent.Name, Part: w.connection.part, Before: hash(text), After: hash(text), Kept: kept})
	}
	return r
}

// restored is the text without our entries; gone: nothing of the file is left.
func (w *change) restored(r record) (text string, found, gone bool, err error) {
	text = w.text
	left := r.Steps
	for len(left) > 0 && w.mine(left[len(left)-1]) && hash(text) == left[len(left)-1].After {
		last := left[len(left)-1]
		before, err := revert(text, last.Splices)
		if err != nil || last.Before != "" && hash(before) != last.Before {
			break
		}
		text, found, gone, left = before, true, last.Before == "", left[:len(left)-1]
	}
	if found && !slices.ContainsFunc(left, w.mine) {
		return text, true, gone, nil
	}
	text, found, err = w.connection.edit.without(w.text, w.caller, w.kept(r))
	if err != nil || !found {
		return text, found, false, err
	}
	made := len(r.Steps) > 0 && r.Steps[0].Before == ""
	return text, true, w.connection.edit.whole() || made && w.bare(text), nil
}

// bare tells whether a settings file holds no more than what a new one begins with.
func (w *change) bare(text string) bool {
	if text == "" {
		return true
	}
	e, ok := w.connection.edit.(settingsJSON)
	if !ok {
		return false
	}
	v, err := hujson.Parse([]byte(text + "\n"))
	if err != nil {
		return false
	}
	v.Standardize()
	var all map[string]json.RawMessage
	if json.Unmarshal(v.Pack(), &all) != nil {
		return false
	}
	for name := range all {
		if _, ours := e.start[name]; !ours {
			return false
		}
	}
	return true
}
