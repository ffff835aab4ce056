package hook

import (
	"bytes"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"time"

	"github.com/pertain-dev/pertain/internal/journal"
	"github.com/pertain-dev/pertain/internal/replica"
	"github.com/pertain-dev/pertain/internal/writing"
)

// record is what is remembered of one conversation: names of rules, numbers, and hashes of everything else.
type record struct {
	// Given are the texts that the model has got, or was told where to find, by their hashes.
	Given map[string]bool `json:"given,omitempty"`
	// Rows are denials in a row, by the name of the rule.
	Rows map[string]row `json:"rows,omitempty"`
	// Calls are the last calls and what was decided about each.
	Calls []called `json:"calls,omitempty"`
	// Owed says that what is given when a conversation begins was not given yet.
	Owed bool `json:"owed,omitempty"`
	// OwnGiven says that of what is owed the user's own rules were given.
	OwnGiven bool `json:"own_given,omitempty"`
	// Reminders are what the model is told with the next answer that reaches it.
	Reminders []reminder `json:"reminders,omitempty"`
	// Continued says that a hook made the present turn go on, Turn has the entries of the journal about it.
	Continued bool              `json:"continued,omitempty"`
	Turn      map[string]string `json:"turn,omitempty"`
	// Spared says that the user's own rules had no part in that: they may still make it go on.
	Spared bool `json:"spared,omitempty"`
	// Known says that something was remembered before, Began when the conversation began last.
	Known bool      `json:"known,omitempty"`
	Began time.Time `json:"began,omitzero"`
	// Named says that the agent names the conversation, so that no other one anywhere is taken for it.
	Named bool `json:"named,omitempty"`
	// Clock and Edits are those of a replica.State; a fleet needs them.
	Clock replica.Clock `json:"clock,omitempty"`
	Edits uint64        `json:"edits,omitempty"`
}

// row is denials of one rule that no heeded call has ended.
type row struct {
	Count int `json:"count"`
	// Paths are where, by their hashes, each with the entry of the journal that waits to be heeded; empty: there is none.
	Paths map[string]string `json:"paths"`
}

// called is a call that was decided. An id alone does not tell a call: some clients count from call_0 in each answer of the model.
type called struct {
	ID    string                    `json:"id"`              // a hash
	Sum   string                    `json:"sum,omitempty"`   // of the whole call, keyed by the conversation's id, which is not kept
	Rules map[string]journal.Action `json:"rules,omitempty"` // what each rule that fired came to
	Times int                       `json:"times,omitempty"` // how often it came
}

// reminder is a rule that the model is told of.
type reminder struct {
	Rule string `json:"rule"`
	Path string `json:"path,omitempty"` // relative to the workspace; empty: none
	Line int    `json:"line,omitempty"`
	Said bool   `json:"said,omitempty"` // it was broken by a message, not by a call
	Own  bool   `json:"own,omitempty"`  // it is one of the user's own
}

// Limits of what is remembered.
const (
	maxCalls     = 100
	maxTimes     = 8 // that one call comes: as often as settings may name a hook; what comes more often is made again
	maxReminders = 20
	maxPaths     = 200
	maxMemory    = 1 << 20 // bytes of a file before it is put aside
	maxAge       = 30 * 24 * time.Hour
	maxWait      = 2 * time.Second // for the other hooks of the conversation
)

// hash is a text as it is remembered.
func hash(parts ...string) string {
	h := sha256.New()
	for _, p := range parts {
		h.Write([]byte(p))
		h.Write([]byte{0})
	}
	return hex.EncodeToString(h.Sum(nil)[:10])
}

// sum tells a call from others of its id. Arguments may hold secrets that could be guessed, so that it is keyed.
func (r *request) sum() string {
	h := hmac.New(sha256.New, []byte(hash(r.conversation, r.call)))
	for _, part := range []string{r.dir, r.tool, r.arguments} {
		fmt.Fprintf(h, "%d ", len(part))
		_, _ = io.WriteString(h, part) // a hash takes everything
	}
	return hex.EncodeToString(h.Sum(nil)[:10])
}

// memory is the file of one conversation. Each line is the whole record; the last one that is whole counts. Lines are only
// appended, so that a process that is killed takes nothing away.
type memory struct {
	target writing.Target
	unlock func()
	record record
	saved  []byte // the record as it was read; nil: there was none
	// unread says that what is there could not be read, claimed that the record was written before the agent was told.
	unread, claimed bool
}

// remember opens the memory of a conversation and keeps others from it until close. Nil: there is no folder for it.
func remember(ctx context.Context, state, agent, conversation string) (*memory, error) {
	if state == "" {
		return &memory{unlock: func() {}}, errNoState
	}
	ctx, cancel := context.WithTimeout(ctx, maxWait)
	defer cancel()
	return openMemory(ctx, filepath.Join(state, folderName, agent+"-"+hash(agent, conversation)+fileSuffix))
}

// openMemory opens the memory of a file.
func openMemory(ctx context.Context, path string) (*memory, error) {
	m := &memory{unlock: func() {}}
	target, unlock, err := writing.LockOwn(ctx, path)
	if err != nil {
		return m, err
	}
	m.target, m.unlock = target, unlock
	text, err := target.Logged(2 * maxMemory)
	if err != nil {
		unlock()
		m.unlock, m.unread = func() {}, true
		return m, err
	}
	for len(text) > 0 { // the last line that is whole
		text = bytes.TrimSuffix(text, []byte{'\n'})
		at := bytes.LastIndexByte(text, '\n') + 1
		var r record
		if line := text[at:]; len(line) > 0 && json.Unmarshal(line, &r) == nil && r.Known {
			m.record, m.saved = r, slices.Clone(line)
			break
		}
		text = text[:at]
	}
	return m, nil
}

const (
	folderName = "hooks"
	fileSuffix = ".jsonl"
)

// close writes what has changed, and lets others in.
func (m *memory) close() error {
	defer m.unlock()
	if m.target.Path() == "" {
		return nil
	}
	r := &m.record
	r.Known = true
	r.trimCalls()
	r.Reminders = withoutOldest(r.Reminders, maxReminders)
	text, err := json.Marshal(r)
	if err != nil || bytes.Equal(text, m.saved) {
		return err
	}
	r.Edits++
	return m.write()
}

// write appends the record.
func (m *memory) write() error {
	text, err := json.Marshal(&m.record)
	if err != nil {
		return err
	}
	return m.target.Append(append(text, '\n'), 0o600, maxMemory)
}

// give notes that the model has got a text, and tells whether it is news.
func (r *record) give(text string) bool {
	key := hash(text)
	if r.Given[key] {
		return false
	}
	if r.Given == nil {
		r.Given = map[string]bool{}
	}
	r.Given[key] = true
	return true
}

// again finds a call that came before, whole as it is, and was not made since. Nil: there is none.
func (r *record) again(id, sum string) *called {
	if id == "" {
		return nil
	}
	for i := range r.Calls {
		if c := &r.Calls[i]; c.ID == hash(id) && c.Sum == sum && c.Times < maxTimes {
			return c
		}
	}
	return nil
}

// decide notes what was decided about a call.
func (r *record) decide(id, sum string, rules map[string]journal.Action) {
	if id == "" {
		return
	}
	if c := r.again(id, sum); c != nil {
		c.Rules = rules
		c.Times++
		return
	}
	r.made(id) // ids are unique in one answer of the model, so that this is another
	r.Calls = append(r.Calls, called{hash(id), sum, rules, 1})
}

// made forgets what was decided about the calls of an id: the next one is another call, even if it says the same. No id: all of them.
func (r *record) made(id string) {
	key := hash(id)
	r.Calls = slices.DeleteFunc(r.Calls, func(c called) bool { return id == "" || c.ID == key })
}

// sweep removes the memories of conversations that nobody has gone on with for long.
func sweep(state string, now time.Time) {
	_ = writing.RemoveOld(filepath.Join(state, folderName), fileSuffix, now.Add(-maxAge)) // what cannot be removed stays
}
