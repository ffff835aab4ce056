//go:build darwin || linux || windows

package collect

import (
	"context"
	"errors"
	"path/filepath"

	"github.com/pertain-dev/pertain/facts"
)

// selectionReader reads the text that is selected in the window in front.
type selectionReader struct{ *desktop }

// selectedText is an attachment that stands in when the user attached none.
const selectedText = "attachments.selection.text"

func (selectionReader) Info() facts.CollectorInfo {
	return facts.CollectorInfo{ID: systemName + ".selection", Serves: []string{selectedText}, Permission: readPermission}
}

// selected is the answer with a text; nothing is selected where it is empty.
func selected(text string) facts.Part {
	if text == "" {
		return facts.Part{}.With(selectedText, facts.Value{})
	}
	return facts.Part{}.With(selectedText, facts.Text(text))
}

// active tells which program the window in front belongs to, unless the settings
// say that it is never read.
type active struct{ *desktop }

func (active) Info() facts.CollectorInfo {
	return facts.CollectorInfo{ID: systemName + ".active", Serves: []string{facts.ActiveProcess}}
}

func (a active) Collect(ctx context.Context, _ *facts.Snapshot, _ facts.Request) (facts.Part, error) {
	w, err := a.front(ctx)
	if errors.Is(err, errNoWindow) {
		return facts.Part{}.With(facts.ActiveProcess, facts.Value{}), nil
	}
	if err != nil {
		return facts.Part{}, err
	}
	return activePart(int(w.pid), w.process, a.programFile(int(w.pid))), nil //nolint:unconvert // it is another type on Windows
}

// activePart is the answer about a program; what is not known of it is left out.
func activePart(pid int, name, file string) facts.Part {
	var fields []facts.Field
	if name != "" {
		fields = append(fields, facts.Field{Name: "name", Value: facts.Text(name)})
	}
	if filepath.IsAbs(file) {
		fields = append(fields, facts.Field{Name: "path", Value: facts.Text(file)})
	}
	if pid > 0 {
		fields = append(fields, facts.Field{Name: "id", Value: facts.Num(float64(pid))})
	}
	if len(fields) == 0 {
		return facts.Part{}.With(facts.ActiveProcess, facts.Value{})
	}
	return facts.Part{}.With(facts.ActiveProcess, facts.Fields(fields...))
}
