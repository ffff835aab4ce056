package hook

import (
	"context"
	"encoding/json"
	"log/slog"
	"maps"
	"path/filepath"
	"slices"
	"time"

	"github.com/pertain-dev/pertain/internal/replica"
	"github.com/pertain-dev/pertain/internal/writing"
)

// SharedOptions say with whom conversations are shared.
type SharedOptions struct {
	State   string // the state folder
	Bucket  replica.Bucket
	Machine string // the name of this one
	Mark    string // see replica.Options
	Logger  *slog.Logger
}

// Shared are the conversations of hooks, for a process that carries them between this machine and others: hooks themselves know files alone,
// and wait for nobody. A conversation that moved here is known from its second call on. Those that their agent does not name stay here.
func Shared(o SharedOptions) *replica.Values {
	return replica.New(replica.Options{
		Local: carried{filepath.Join(o.State, folderName)}, Bucket: o.Bucket, Kind: "hook", Machine: o.Machine, Merge: mergeRecords, Mark: o.Mark, Logger: o.Logger,
	})
}

// carried is the folder of memories as a fleet sees it. An id is the name of a file.
type carried struct{ folder string }

// Load is that of a replica.Local.
func (c carried) Load(ctx context.Context, id string) (state replica.State, err error) {
	err = c.open(ctx, id, func(m *memory) error {
		state, err = m.record.state()
		return err
	})
	return state, err
}

// Update is that of a replica.Local.
func (c carried) Update(ctx context.Context, id string, change func(*replica.State) (bool, error)) error {
	return c.open(ctx, id, func(m *memory) error {
		state, err := m.record.state()
		if err != nil {
			return err
		}
		write, err := change(&state)
		if err != nil || !write {
			return err
		}
		var r record
		if err := json.Unmarshal(state.Value, &r); err != nil {
			return err
		}
		r.Known, r.Named, r.Clock, r.Edits = true, true, state.Clock, state.Edits
		m.record = r
		return m.write()
	})
}

func (c carried) open(ctx context.Context, id string, do func(*memory) error) error {
	m, err := openMemory(ctx, filepath.Join(c.folder, id+fileSuffix))
	if err != nil {
		return err
	}
	defer m.unlock()
	return do(m)
}

// Changed is that of a replica.Local.
func (c carried) Changed(since time.Time) ([]string, error) {
	return writing.ChangedSince(c.folder, fileSuffix, since)
}

// state is a record as a fleet sees it; none for one that is not to be shared.
func (r record) state() (replica.State, error) {
	if !r.Known || !r.Named {
		return replica.State{}, nil
	}
	clock, edits := r.Clock, r.Edits
	r.Clock, r.Edits = nil, 0
	value, err := json.Marshal(r)
	return replica.State{Clock: clock, Edits: edits, Value: value}, err
}

// mergeRecords makes one of two conversations that went on apart: what the model was told on either is not told again.
func mergeRecords(first, second []byte) []byte {
	var a, b record
	if json.Unmarshal(first, &a) != nil {
		return second
	}
	if json.Unmarshal(second, &b) != nil {
		return first
	}
	out := record{
		Given: together(a.Given, b.Given), Turn: together(a.Turn, b.Turn), Rows: maps.Clone(a.Rows),
		Owed: a.Owed && b.Owed, OwnGiven: a.OwnGiven || b.OwnGiven, Continued: a.Continued || b.Continued, Spared: mayStill(a) && mayStill(b), Known: true, Named: true,
		Calls: slices.Clone(a.Calls), Reminders: slices.Clone(a.Reminders), Began: a.Began,
	}
	if b.Began.After(a.Began) {
		out.Began = b.Began
	}
	for name, r := range b.Rows {
		if out.Rows == nil {
			out.Rows = map[string]row{}
		}
		out.Rows[name] = row{Count: max(r.Count, out.Rows[name].Count), Paths: together(out.Rows[name].Paths, r.Paths)}
	}
	for _, c := range b.Calls {
		if !slices.ContainsFunc(out.Calls, func(known called) bool { return known.ID == c.ID }) {
			out.Calls = append(out.Calls, c)
		}
	}
	for _, r := range b.Reminders {
		if !slices.Contains(out.Reminders, r) {
			out.Reminders = append(out.Reminders, r)
		}
	}
	text, err := json.Marshal(out)
	if err != nil { // it was JSON before
		return first
	}
	return text
}

// mayStill tells whether the user's own rules may still make the turn go on, as far as a machine knows.
func mayStill(r record) bool { return !r.Continued || r.Spared }

// together is what either of two maps has; of what both have, that of the second.
func together[V any](a, b map[string]V) map[string]V {
	out := maps.Clone(a)
	for key, value := range b {
		if out == nil {
			out = map[string]V{}
		}
		out[key] = value
	}
	return out
}
