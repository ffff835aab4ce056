package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"

	"github.com/pertain-dev/pertain"
	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/internal/discover"
	"github.com/pertain-dev/pertain/internal/files"
	"github.com/pertain-dev/pertain/stream"
)

// guardTurn is one call of guard as a turn of a conversation: what the settings say,
// and what is known of the turns before.
type guardTurn struct {
	policy stream.Policy
	file   *files.Target // the memory; nil: nothing is remembered
	record guardRecord
	number int64 // of this turn; calls that run at once may have begun later ones
	before int   // calls in a row before this one that were stopped
	others int   // those among them that no rule of the user's own had a part in
}

// guardRecord is a conversation on the disk. Hosts that keep a [stream.Record] in a
// [stream.FileMemory] read it as theirs.
type guardRecord struct {
	Version int `json:"version"`
	stream.Record
	Stopped int `json:"stopped,omitempty"` // calls in a row that were stopped
	Others  int `json:"others,omitempty"`  // those among them that no rule of the user's own had a part in
}

const (
	guardRecordVersion = 1
	maxGuardRecord     = 4 << 20 // bytes: some ten thousand rules
)

// streamPolicy reads the settings, and tells on stderr what is wrong with them.
func (a *app) streamPolicy() (stream.Policy, error) {
	policy, list, err := pertain.StreamPolicy(a.environment())
	if err != nil {
		return policy, usage("%s", err)
	}
	return policy, diag.Lines(a.painted(a.call.Stderr), list, a.textOptions(a.call.Stderr))
}

// startTurn goes on with the conversation that a file remembers; "" is none.
func (a *app) startTurn(ctx context.Context, memory string) (*guardTurn, error) {
	policy, err := a.streamPolicy()
	if err != nil {
		return nil, err
	}
	turn := &guardTurn{policy: policy}
	if policy.Disabled {
		fmt.Fprintln(a.call.Stderr, "pertain: no rule watches this text, because the settings say `ttsr: {enabled: false}`")
	}
	if memory == "" {
		return turn, nil
	}
	file, err := files.NamedTarget(a.abs(memory), a.dir())
	if err != nil {
		return nil, usage("--memory %s: the file cannot be written: %s", memory, discover.Reason(err))
	}
	turn.file = &file
	if info, err := os.Stat(file.Path()); err == nil && !info.Mode().IsRegular() { // else the lock would be left beside it
		return nil, usage("--memory %s: it is no regular file; name another", memory)
	}
	unlock, err := turn.lock(ctx)
	if err != nil {
		return nil, usage("--memory %s: the file cannot be written: %s", memory, discover.Reason(err))
	}
	defer unlock()
	if err := turn.load(); err != nil {
		return nil, usage("--memory %s: %s", memory, err)
	}
	turn.before = max(turn.record.Stopped, 0)
	turn.others = min(max(turn.record.Others, 0), turn.before)
	turn.record.Turn++
	turn.number = turn.record.Turn
	turn.record.Stopped, turn.record.Others = 0, 0
	if err := turn.save(ctx); err != nil { // who cannot write is told before the model has spoken
		return nil, usage("--memory %s: the file cannot be written: %s", memory, discover.Reason(err))
	}
	return turn, nil
}

// lock keeps other calls from the memory until unlock. It waits for them, but not
// for ever: nobody holds it while a model speaks.
func (t *guardTurn) lock(ctx context.Context) (unlock func(), err error) {
	if err := t.file.MakeFolder(0o700); err != nil {
		return nil, err
	}
	return t.file.Lock(ctx)
}

// load reads the record as it is on the disk now.
func (t *guardTurn) load() error {
	t.record = guardRecord{Record: stream.Record{Injected: map[string]int64{}}}
	data, err := files.OS().ReadFile(t.file.Path(), maxGuardRecord)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return errors.New(discover.Reason(err))
	case len(bytes.TrimSpace(data)) == 0: // made by whoever chose the name, as mktemp does
		return nil
	}
	if err := json.Unmarshal(data, &t.record); err != nil || t.record.Version != guardRecordVersion {
		return errors.New("it is no memory of a conversation that this version reads; name another file, or remove it to start afresh")
	}
	if t.record.Injected == nil { // the file says null
		t.record.Injected = map[string]int64{}
	}
	return nil
}

func (t *guardTurn) save(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	t.record.Version = guardRecordVersion
	data, err := json.Marshal(t.record)
	if err != nil {
		return err
	}
	return t.file.Write(append(data, '\n'), 0o600)
}

// interrupts says whether a trigger, one of the user's own or another, stops the
// copy, or is only reported. guard reads text, so what interrupts in tools alone
// does not. A repository whose triggers fire every time uses up its own budget and
// not that of the user's rules.
func (t *guardTurn) interrupts(own bool) bool {
	switch t.policy.InterruptMode {
	case stream.ToolOnly, stream.InterruptNever:
		return false
	}
	used := t.before
	if own {
		used -= t.others
	}
	return used < t.policy.Budget
}

// keeps says whether what was said before an interruption stays.
func (t *guardTurn) keeps() bool { return t != nil && t.policy.ContextMode == stream.Keep }

// silences says whether a rule keeps silent in this turn.
func (t *guardTurn) silences(rule string) bool {
	if t.policy.Disabled {
		return true
	}
	last, ok := t.record.Injected[rule]
	return ok && (t.policy.RepeatMode != stream.AfterGap || max(t.number-last, 0) < int64(t.policy.RepeatGap))
}

// claim takes note of the rules that fire, and gives those that no other call that
// runs at the same time was first to take. A nil turn remembers nothing.
func (t *guardTurn) claim(ctx context.Context, set *stream.Set, found []stream.Firing, stops bool) ([]stream.Firing, error) {
	if t == nil || t.file == nil {
		return found, nil
	}
	unlock, err := t.lock(ctx)
	if err != nil {
		return nil, fmt.Errorf("the memory of the conversation cannot be written: %s", discover.Reason(err))
	}
	defer unlock()
	if err := t.load(); err != nil {
		return nil, fmt.Errorf("the memory of the conversation cannot be read: %w", err)
	}
	found = slices.DeleteFunc(found, func(f stream.Firing) bool { return t.silences(set.Trigger(f.Trigger).Name) })
	if len(found) == 0 {
		return nil, nil
	}
	for _, f := range found {
		t.record.Injected[set.Trigger(f.Trigger).Name] = t.number
	}
	t.record.Turn = max(t.record.Turn, t.number) // somebody may have removed the file
	if stops {
		t.record.Stopped = max(t.record.Stopped, t.before+1)
		others := t.others
		if !hasOwn(set, found) {
			others++
		}
		t.record.Others = min(max(t.record.Others, others), t.record.Stopped)
	}
	if err := t.save(ctx); err != nil {
		return nil, fmt.Errorf("the memory of the conversation cannot be written: %s", discover.Reason(err))
	}
	return found, nil
}

// hasOwn tells whether a rule of the user's own is among those that fire.
func hasOwn(set *stream.Set, found []stream.Firing) bool {
	return slices.ContainsFunc(found, func(f stream.Firing) bool { return set.Trigger(f.Trigger).Own })
}
