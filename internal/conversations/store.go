// Package conversations keeps what a gateway remembers of conversations, in the state folder.
//
// Start with [Store], which is a gateway.Memory.
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
}

const conversationVersion = 1

func (c Store) path(id string) string { return filepath.Join(c.Folder, id+".json") }

// Load gives what is remembered of a conversation.
func (c Store) Load(ctx context.Context, id string) (gateway.Conversation, error) {
	if err := ctx.Err(); err != nil {
		return gateway.Conversation{}, err
	}
	data, err := files.OS().ReadFile(c.path(id), maxConversation)
	if errors.Is(err, fs.ErrNotExist) {
		return gateway.Conversation{}, nil
	}
	if err != nil {
		return gateway.Conversation{}, err
	}
	var saved savedConversation
	if err := json.Unmarshal(data, &saved); err != nil || saved.Version != conversationVersion {
		return gateway.Conversation{}, nil //nolint:nilerr // of another version, or damaged: it is begun afresh
	}
	return saved.Conversation, nil
}

// Update changes what is remembered of a conversation.
func (c Store) Update(ctx context.Context, id string, change func(*gateway.Conversation)) error {
	target, err := files.OwnTarget(c.path(id))
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
	now, err := c.Load(ctx, id)
	if err != nil {
		return err
	}
	change(&now)
	data, err := json.Marshal(savedConversation{conversationVersion, now})
	if err != nil {
		return err
	}
	return target.Write(append(data, '\n'), 0o600)
}

// conversationAge is after how long one is forgotten that nobody goes on with.
const conversationAge = 30 * 24 * time.Hour

// Forget removes what nobody has gone on with for long.
func (c Store) Forget(now time.Time) error {
	return files.RemoveOld(c.Folder, ".json", now.Add(-conversationAge))
}
