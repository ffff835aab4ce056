package fleet

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"github.com/pertain-dev/pertain/internal/revision"
)

// ConflictError says that somebody else pushed meanwhile.
type ConflictError struct{ Revision int64 } // that is in force now; 0: not known

func (e *ConflictError) Error() string {
	if e.Revision == 0 {
		return "somebody else pushed meanwhile; look at it with `pertain fleet list`, then push again"
	}
	return fmt.Sprintf("somebody else pushed revision %d meanwhile; take it with `pertain fleet pull --out DIR`, then push again", e.Revision)
}

// Draft is what is to be pushed.
type Draft struct {
	Files    []revision.File
	Contents map[string][]byte // by sum; what is on the servers already may be missing
	Rollback int64
	Author   string
	Message  string
	Time     time.Time
	Base     string // sum of the revision that it was made from; empty: whatever is in force
	AtLeast  int64  // numbers up to this one were seen
	Last     string // sum of the revision that this machine has; the parent where what is in force is nobody's
}

// Push makes a revision of a draft and puts it in force, if nobody else did so meanwhile (*ConflictError). What is in force and not signed by a key of
// the user's is replaced.
func (b *Book) Push(ctx context.Context, signer *Signer, d Draft) (*Sealed, error) {
	kv, err := b.made(ctx)
	if err != nil {
		return nil, err
	}
	m := &revision.Manifest{
		Namespace: b.trust.Namespace, Revision: d.AtLeast + 1, Rollback: d.Rollback, Author: d.Author, Message: d.Message, Time: d.Time.UTC(), Files: d.Files,
		Parent: d.Last,
	}
	sum, at, err := b.pointer(ctx, kv)
	if sum != "" {
		parent, parentErr := b.sealed(ctx, kv, sum)
		if parentErr == nil {
			m.Parent, m.Revision = parent.Sum, max(d.AtLeast, parent.Revision)+1
			if d.Base != "" && d.Base != parent.Sum {
				return nil, &ConflictError{parent.Revision}
			}
		} else if IsAway(parentErr) {
			return nil, parentErr
		}
	} else if at == 0 && !errors.Is(err, ErrEmpty) {
		return nil, err
	}
	text, err := m.Encode()
	if err != nil {
		return nil, err
	}
	sealed := revision.Sealed{Manifest: string(text), Signature: signer.Sign(text, fmt.Sprintf("pertain fleet %s revision %d", m.Namespace, m.Revision))}
	checked, err := b.trust.Check(sealed)
	if err != nil {
		return nil, fmt.Errorf("your own key would not be taken: %w", err)
	}
	if err := b.upload(ctx, kv, d, sealed, checked.Sum); err != nil {
		return nil, err
	}
	return &Sealed{Checked: checked, Sealed: sealed}, b.move(ctx, kv, checked.Sum, at)
}

// upload puts everything there that the pointer will lead to.
func (b *Book) upload(ctx context.Context, kv jetstream.KeyValue, d Draft, sealed revision.Sealed, sum string) error {
	seen := map[string]bool{}
	var wanted []revision.File
	for _, f := range d.Files {
		if !seen[f.Sum] {
			seen[f.Sum] = true
			wanted = append(wanted, f)
		}
	}
	err := inParallel(ctx, wanted, func(ctx context.Context, f revision.File) (struct{}, error) {
		_, err := b.object(ctx, kv, f)
		if err == nil || IsAway(err) {
			return struct{}{}, err
		}
		data, ok := d.Contents[f.Sum]
		if !ok {
			return struct{}{}, err
		}
		return struct{}{}, b.put(ctx, kv, objectPrefix+f.Sum, data)
	}, nil)
	if err != nil {
		return err
	}
	data, err := json.Marshal(sealed)
	if err != nil {
		return err
	}
	return b.put(ctx, kv, manifestPrefix+sum, data)
}

func (b *Book) put(ctx context.Context, kv jetstream.KeyValue, key string, data []byte) error {
	_, err := patiently(ctx, b.fleet, func(ctx context.Context) (uint64, error) { return kv.Put(ctx, key, data) })
	return err
}

// move moves the pointer, if it is where it was.
func (b *Book) move(ctx context.Context, kv jetstream.KeyValue, sum string, at uint64) error {
	data, err := json.Marshal(head{Manifest: sum})
	if err != nil {
		return err
	}
	_, err = patiently(ctx, b.fleet, func(ctx context.Context) (uint64, error) {
		if at == 0 { // there is none, or it was deleted, which has a number of its own
			return kv.Create(ctx, headKey, data)
		}
		return kv.Update(ctx, headKey, data, at)
	})
	if err == nil {
		return nil
	}
	now, _, readErr := b.pointer(ctx, kv)
	switch {
	case readErr != nil:
		return err
	case now == sum:
		return nil // it was moved, and the answer lost
	case isConflict(err):
		conflict := &ConflictError{}
		if s, err := b.sealed(ctx, kv, now); err == nil {
			conflict.Revision = s.Revision
		}
		return conflict
	}
	return err
}

// isConflict tells whether the pointer was elsewhere than it was said to be. A cluster has a code of its own for that.
func isConflict(err error) bool {
	var api *jetstream.APIError
	return errors.Is(err, jetstream.ErrKeyExists) || errors.Is(err, jetstream.ErrKeyRevisionMismatch) ||
		errors.As(err, &api) && api.ErrorCode == jetstream.JSErrCodeStreamWrongLastSequenceConstant
}
