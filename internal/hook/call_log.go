package hook

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/pertain-dev/pertain/internal/writing"
)

// Seen is a call of a hook as `doctor` tells it.
type Seen struct {
	Time      time.Time `json:"time"`
	Agent     string    `json:"agent"`
	Event     string    `json:"event"` // which moment it was; empty: that is not known
	Workspace string    `json:"workspace,omitempty"`
	Problem   string    `json:"problem,omitempty"` // what went wrong; empty: nothing
}

// seenName is the file in the state folder, seenSize how large one of its two halves becomes, in bytes.
const (
	seenName = "hooks.jsonl"
	seenSize = 128 << 10
)

// eventNames are the moments in words.
var eventNames = map[moment]string{begin: "begin", prompt: "prompt", before: "before", after: "after", compact: "compact", said: "said", end: "end", ignored: "other"}

// seen notes that a hook was called.
func (s *session) seen(ctx context.Context, problems []error) {
	if s.paths.State == "" || s.sample {
		return
	}
	entry := Seen{Time: now().UTC().Truncate(time.Millisecond), Agent: s.agent, Event: eventNames[s.request.moment], Workspace: s.workspace}
	if len(problems) > 0 {
		entry.Problem = problems[0].Error()
	}
	text, err := json.Marshal(entry)
	if err != nil {
		return
	}
	target, unlock, err := writing.LockOwn(ctx, filepath.Join(s.paths.State, seenName))
	if err != nil {
		return
	}
	defer unlock()
	_ = target.Append(append(text, '\n'), 0o600, seenSize) // nothing depends on it
}

// LastSeen reads which hooks were called, the oldest first.
func LastSeen(ctx context.Context, state string) ([]Seen, error) {
	if state == "" {
		return nil, nil
	}
	if _, err := os.Stat(state); errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	target, err := writing.OwnTarget(filepath.Join(state, seenName))
	if err != nil {
		return nil, err
	}
	unlock, err := target.Lock(ctx)
	if err != nil {
		return nil, err
	}
	defer unlock()
	text, err := target.Logged(2 * seenSize)
	if err != nil {
		return nil, err
	}
	var out []Seen
	for len(text) > 0 {
		var one []byte
		one, text, _ = bytes.Cut(text, []byte{'\n'})
		var e Seen
		if json.Unmarshal(one, &e) == nil && e.Agent != "" {
			out = append(out, e)
		}
	}
	return out, nil
}
