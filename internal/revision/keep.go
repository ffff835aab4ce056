package revision

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"github.com/pertain-dev/pertain/internal/files"
	"github.com/pertain-dev/pertain/internal/writing"
)

// OldError says that a revision is not newer than one that this machine has seen.
type OldError struct{ Have, Shown int64 }

func (e *OldError) Error() string {
	if e.Have == e.Shown {
		return fmt.Sprintf("there are two revisions with the number %d; the one that is here stays", e.Have)
	}
	return fmt.Sprintf("revision %d is older than %d, which this machine has seen; going back needs a signed rollback", e.Shown, e.Have)
}

// Newest is the greatest number that this machine has seen of keys that are listed still, and the sum of the revision in force, if there is one.
func (s Store) Newest(trust Trust) (number int64, sum string) {
	c, err := s.readCurrent(files.OS())
	if err != nil {
		return 0, ""
	}
	for _, key := range trust.Keys {
		number = max(number, c.Seen[key.String()], c.Seen[key.ID()])
	}
	if k, ok := s.newest(files.OS(), trust, c); ok {
		sum = k.Manifest
	}
	return number, sum
}

// Wants tells whether a revision is one to take. same: it is the one in force. The error says why it must not be taken. Where nothing of these keys is
// here, the greatest number is taken once more: it may be the very revision that was lost.
func (s Store) Wants(trust Trust, shown *Checked) (same bool, err error) {
	number, sum := s.Newest(trust)
	switch {
	case shown.Sum == sum:
		return true, nil
	case shown.Revision < number, shown.Revision == number && sum != "":
		return false, &OldError{Have: number, Shown: shown.Revision}
	}
	return false, nil
}

// Keep puts a revision in force on this machine, whole: sealed is checked by trust, contents has every file of it by its sum that the copy in force
// lacks ([ErrLacking]). A revision that is not newer is refused with an [*OldError]; one that is there already is left.
func (s Store) Keep(ctx context.Context, trust Trust, sealed Sealed, contents map[string][]byte, now time.Time) error {
	shown, err := trust.Check(sealed)
	if err != nil {
		return err
	}
	target, unlock, err := writing.LockOwn(ctx, s.path(currentName))
	if err != nil {
		return err
	}
	defer unlock()
	same, err := s.Wants(trust, shown)
	if err != nil {
		return err
	}
	if same {
		if _, err := s.Open(ctx, files.OS(), trust); err == nil {
			return nil // another process was first
		}
	}
	taken := kept{Revision: shown.Revision, Manifest: shown.Sum, Taken: now.UTC(), Key: shown.Key}
	next := &current{}
	var keep []string
	if before, err := s.readCurrent(files.OS()); err == nil {
		next = before
		for _, k := range before.all() {
			keep = append(keep, k.folder()) // who has just begun to read it may end
		}
		if next.Key == "" {
			next.Key = s.signer(files.OS(), trust, next.kept)
		}
	}
	next.take(taken)
	if next.Seen == nil {
		next.Seen = map[string]int64{}
	}
	next.Seen[shown.Key] = max(next.Seen[shown.Key], shown.Revision)
	keep = append(keep, taken.folder())
	if err := s.put(ctx, trust, taken.folder(), shown, sealed, contents); err != nil {
		return err
	}
	data, err := json.Marshal(next)
	if err != nil {
		return err
	}
	if err := target.Write(append(data, '\n'), 0o600); err != nil {
		return err
	}
	return writing.RemoveFolders(s.Dir, func(name string) bool { return slices.Contains(keep, name) })
}

// checked says when the fleet was last asked, and what it said.
type checked struct {
	Time    time.Time `json:"time"`
	Refused string    `json:"refused,omitempty"`
}

// NoteChecked notes that the fleet answered, and why what it showed was not taken; empty: it was.
func (s Store) NoteChecked(ctx context.Context, now time.Time, refused string) error {
	target, unlock, err := writing.LockOwn(ctx, s.path(checkedName))
	if err != nil {
		return err
	}
	defer unlock()
	data, err := json.Marshal(checked{Time: now.UTC(), Refused: refused})
	if err != nil {
		return err
	}
	return target.Write(append(data, '\n'), 0o600)
}

// LastChecked is when the fleet last answered, and why what it showed then was not taken. The zero time: never, as far as is known. That a revision was
// taken is such an answer.
func (s Store) LastChecked() (at time.Time, refused string) {
	var noted checked
	if data, err := files.OS().ReadFile(s.path(checkedName), maxCurrent); err != nil || json.Unmarshal(data, &noted) != nil {
		noted = checked{}
	}
	if c, err := s.readCurrent(files.OS()); err == nil && c.Taken.After(noted.Time) {
		return c.Taken, ""
	}
	return noted.Time, noted.Refused
}
