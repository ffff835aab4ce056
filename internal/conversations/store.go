// Package conversations keeps what a gateway remembers of conversations: in the state folder, and for several machines.
//
// Start with [Store], which is a gateway.Memory on this machine's disk, or with [NewShared], whose conversations other gateways go on with.
package conversations

import (
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"path/filepath"
	"time"

	"github.com/pertain-dev/pertain/gateway"
	"github.com/pertain-dev/pertain/internal/files"
	"github.com/pertain-dev/pertain/internal/replica"
	"github.com/pertain-dev/pertain/internal/writing"
)

// Store is what a gateway remembers, a file for each conversation. It is safe for concurrent use, by several processes
// too. It holds the reminders that a model got, which are rules, and hashes of what was said, never text of a conversation.
type Store struct {
	Folder string // is made when something is to be remembered
}

// maxConversation is how much is remembered of one, in bytes.
const maxConversation = 4 << 20

// savedConversation is the form on the disk.
type savedConversation struct {
	Version int `json:"version"`
	gateway.Conversation
	// Clock and Edits are those of a replica.State; a fleet needs them.
	Clock replica.Clock `json:"clock,omitempty"`
	Edits uint64        `json:"edits,omitempty"`
}

const (
	conversationVersion = 1
	suffix              = ".json"
)

func (c Store) path(id string) string { return filepath.Join(c.Folder, id+suffix) }

// Load gives what is remembered of a conversation.
func (c Store) Load(ctx context.Context, id string) (gateway.Conversation, error) {
	saved, _, err := c.read(ctx, id)
	return saved.Conversation, err
}

// read gives a conversation as it was written, and whether there is one.
func (c Store) read(ctx context.Context, id string) (saved savedConversation, there bool, err error) {
	if err := ctx.Err(); err != nil {
		return savedConversation{}, false, err
	}
	data, err := files.OS().ReadFile(c.path(id), maxConversation)
	if errors.Is(err, fs.ErrNotExist) {
		return savedConversation{}, false, nil
	}
	if err != nil {
		return savedConversation{}, false, err
	}
	if err := json.Unmarshal(data, &saved); err != nil || saved.Version != conversationVersion {
		return savedConversation{}, false, nil //nolint:nilerr // of another version, or damaged: it is begun afresh
	}
	return saved, true, nil
}

// Update changes what is remembered of a conversation.
func (c Store) Update(ctx context.Context, id string, change func(*gateway.Conversation)) error {
	return c.change(ctx, id, func(saved *savedConversation, _ bool) (bool, error) {
		change(&saved.Conversation)
		saved.Edits++
		return true, nil
	})
}

// change writes a conversation anew, if it is to be, while nobody else does.
func (c Store) change(ctx context.Context, id string, change func(saved *savedConversation, there bool) (bool, error)) error {
	target, err := writing.OwnTarget(c.path(id))
	if err != nil {
		return err
	}
	if err := target.MakeFolder(0o700); err != nil {
		return err
	}
	unlock, err := target.Lock(ctx)
	if err != nil {
		return err
	}
	defer unlock()
	now, there, err := c.read(ctx, id)
	if err != nil {
		return err
	}
	if write, err := change(&now, there); err != nil || !write {
		return err
	}
	now.Version = conversationVersion
	data, err := json.Marshal(now)
	if err != nil {
		return err
	}
	return target.Write(append(data, '\n'), 0o600)
}

// conversationAge is after how long one is forgotten that nobody goes on with.
const conversationAge = 30 * 24 * time.Hour

// Forget removes what nobody has gone on with for long.
func (c Store) Forget(now time.Time) error {
	return writing.RemoveOld(c.Folder, suffix, now.Add(-conversationAge))
}

// changed are the ids of conversations that were written since a time, in their order.
func (c Store) changed(since time.Time) ([]string, error) {
	return writing.ChangedSince(c.Folder, suffix, since)
}
