package revision

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"time"

	"github.com/pertain-dev/pertain/internal/files"
)

// maxCurrent is how much of the small files is read, in bytes.
const maxCurrent = 64 << 10

// maxKept is of how many keys copies are kept; of more, those that were taken last.
const maxKept = 16

// kept names a copy on this machine's disk.
type kept struct {
	Revision int64     `json:"revision"`
	Manifest string    `json:"manifest"` // sum
	Taken    time.Time `json:"taken"`
	Key      string    `json:"key"` // whose signature it has, the whole key; empty: a version that knew one copy alone did not note it
}

// folder is where a revision is.
func (k *kept) folder() string { return fmt.Sprintf("%d-%s", k.Revision, k.Manifest[:12]) }

func (k *kept) valid() bool { return IsSum(k.Manifest) && k.Revision >= 1 && k.Revision <= maxNumber }

// current says what this machine has taken: the last that it took, and what the other keys have signed last. Which of them is in force is up to
// the keys that the settings list.
type current struct {
	kept
	Others []kept `json:"others,omitempty"` // one a key, the last taken first
	// Seen is the greatest number that each key, or the key with an id, as older versions noted it, has signed, as far as this machine knows: what is not greater is old, whoever shows it again. A key that
	// the user no longer lists does not count, so that one that was stolen cannot use up all numbers.
	Seen map[string]int64 `json:"seen"`
}

// all are the copies.
func (c *current) all() []kept { return append([]kept{c.kept}, c.Others...) }

// take puts a copy before all others, instead of the one of the same key.
func (c *current) take(next kept) {
	others := slices.DeleteFunc(c.all(), func(k kept) bool { return !k.valid() || k.Key == next.Key })
	c.kept, c.Others = next, others[:min(len(others), maxKept-1)]
}

func (s Store) readCurrent(tree files.Tree) (*current, error) {
	data, _, err := files.ReadWithin(tree, s.path(currentName), files.Below(tree, s.Dir), maxCurrent)
	if err != nil {
		if _, statErr := tree.Stat(s.Dir); errors.Is(statErr, fs.ErrNotExist) { // bounds of a folder that is not there hold nothing
			return nil, statErr
		}
		return nil, err
	}
	c := &current{}
	if err := json.Unmarshal(data, c); err != nil || slices.ContainsFunc(c.all(), func(k kept) bool { return !k.valid() }) {
		return nil, fmt.Errorf("%s cannot be read as Pertain wrote it; remove it, and the next connection writes another", s.path(currentName))
	}
	return c, nil
}

// newest finds the copy that is in force for these keys: the one with the greatest number of those that they have signed. A damaged one is never
// passed over for an older one.
func (s Store) newest(tree files.Tree, trust Trust, c *current) (found kept, ok bool) {
	for _, k := range c.all() {
		if k.Key == "" {
			k.Key = s.signer(tree, trust, k)
		}
		if trust.lists(k.Key) && (!ok || k.Revision > found.Revision) {
			found, ok = k, true
		}
	}
	return found, ok
}

// signer is the key that a copy was signed by, of those that are listed; the first of them where that cannot be made out, so that it is looked at and told.
func (s Store) signer(tree files.Tree, trust Trust, k kept) string {
	if len(trust.Keys) == 0 {
		return ""
	}
	sealed, err := s.sealed(tree, k)
	if err == nil {
		checked, err := trust.Check(sealed)
		switch {
		case err == nil:
			return checked.Key
		case errors.Is(err, ErrSignature):
			return ""
		}
	}
	return trust.Keys[0].String()
}
