package connect

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/pertain-dev/pertain/internal/patch"
	"github.com/pertain-dev/pertain/internal/writing"
)

// cutMark takes off the byte order mark that some editors begin files with. No editor of ours counts it as text.
func cutMark(text string) (mark, rest string) {
	if rest, marked := strings.CutPrefix(text, "\ufeff"); marked {
		return "\ufeff", rest
	}
	return "", text
}

// pass is one way through the files of an agent: the first sees what can be done, the second does it.
type pass struct {
	pending map[string]string // what a dry run would have left, by path
	plans   map[planKey]plan  // of the pass before, too
	unseen  bool              // nobody is shown what changes
}

// plan is what becomes of a text, which is worked out once.
type plan struct {
	before, after string
	splices       []splice
}

type planKey struct {
	path string
	part Part
}

// change is the work on one file.
type change struct {
	Setup
	pass
	agent      Agent
	connection connection
	level      Level
	caller     Caller
	target     writing.Target
	path       string
	mark       string // that the file begins with, for its encoding
	text       string // without it
	exists     bool
	planned    string // the text that is left
}

func (w *change) do(ctx context.Context) (File, error) {
	plan, err := w.with()
	if err != nil {
		return File{}, err
	}
	text := plan.after
	if text != w.text && int64(len(w.mark)+len(text)) > maxSettings(w.level) { // nobody could take it back
		return File{}, errors.New("with what is added it would be too large to be read again; take out of it what does not belong there")
	}
	w.planned = text
	file := File{Path: w.path, Change: Changed}
	switch {
	case text == w.text && w.exists:
		file.Change = Unchanged
	case !w.exists:
		file.Change = Created
	}
	if file.Change != Unchanged {
		w.changes(&file, text)
	}
	if w.DryRun {
		return file, nil
	}
	r := readRecord(w.State, w.path).applied(w.text, w.exists)
	var kept []string
	if !slices.ContainsFunc(r.Steps, func(s step) bool { return w.mine(s) && s.Before != s.After }) { // else some are ours
		kept = w.connection.edit.has(w.text, w.caller)
		r.Steps = slices.DeleteFunc(r.Steps, w.mine)
	}
	if file.Change == Unchanged {
		if len(kept) == 0 {
			return file, nil
		}
		r.Steps = append(r.Steps, step{Agent: w.agent.Name, Part: w.connection.part, Before: hash(text), After: hash(text), Kept: kept})
		return file, writeRecord(ctx, w.State, r)
	}
	step := step{Agent: w.agent.Name, Part: w.connection.part, After: hash(text), Splices: plan.splices, Folders: missing(filepath.Dir(w.path)), Kept: kept}
	if w.exists {
		step.Before = hash(w.text)
	}
	// First what is remembered: without it, taking the change back would take the user's own entries for ours.
	before := slices.Clone(r.Steps)
	r.Steps = append(r.Steps, step)
	if err := writeRecord(ctx, w.State, r); err != nil {
		return File{}, err
	}
	if err := w.put(text); err != nil {
		r.Steps = before
		_ = writeRecord(ctx, w.State, r) // else it is seen the next time that the step was not done
		return File{}, err
	}
	return file, nil
}

// with is the text with our entries.
func (w *change) with() (plan, error) {
	key := planKey{w.path, w.connection.part}
	if p, ok := w.plans[key]; ok && p.before == w.text {
		return p, nil
	}
	text, splices, err := w.connection.edit.with(w.text, w.caller)
	if err != nil {
		return plan{}, err
	}
	w.plans[key] = plan{w.text, text, splices}
	return w.plans[key], nil
}

// put writes the file and the folders that it needs.
func (w *change) put(text string) error {
	if err := w.target.MakeFolder(0o755); err != nil {
		return err
	}
	return w.target.Put([]byte(w.mark+text), w.mode())
}

// mine tells the steps of the same agent and part.
func (w *change) mine(s step) bool { return s.Agent == w.agent.Name && s.Part == w.connection.part }

func (w *change) mode() fs.FileMode {
	if w.connection.edit.whole() && strings.HasPrefix(w.planned, "#!") {
		return 0o755
	}
	return 0o644
}

// missing are the folders that are made for a file, the innermost first.
func missing(dir string) []string {
	var out []string
	for at := dir; ; at = filepath.Dir(at) {
		if _, err := os.Lstat(at); !errors.Is(err, fs.ErrNotExist) || filepath.Dir(at) == at {
			return out
		}
		out = append(out, at)
	}
}

// changes notes what the text of a file was and becomes; an empty one is a file that is not there.
func (w *change) changes(file *File, text string) {
	if w.unseen {
		return
	}
	name := w.path
	if rel, err := filepath.Rel(w.Root, w.path); err == nil && !strings.HasPrefix(rel, "..") {
		name = filepath.ToSlash(rel)
	}
	file.name, file.before, file.existed, file.after = name, w.text, w.exists, text
	file.Diff = patch.Unified(name, w.text, w.exists, text)
}
