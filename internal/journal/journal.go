package journal

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/pertain-dev/pertain/internal/files"
	"github.com/pertain-dev/pertain/internal/settings"
	"github.com/pertain-dev/pertain/internal/writing"
)

// MaxSize is how large a journal becomes, in bytes: two files of half of it each, of which the older one goes when the newer
// one is full.
const MaxSize = 16 << 20

// fileName is that of a journal in the state folder.
const fileName = "journal.jsonl"

// Journal is the journal of one user. It is safe for concurrent use, by several processes too. A nil journal keeps nothing and
// has no entries.
type Journal struct {
	path string
	size int64 // of one of its two files, in bytes

	// Now is the clock.
	Now func() time.Time
}

// At is the journal in a state folder, which need not exist; without a folder, nil.
func At(state string) *Journal {
	if state == "" {
		return nil
	}
	return &Journal{path: filepath.Join(state, fileName), size: MaxSize / 2, Now: time.Now}
}

// Kept is the journal of a user whose settings want one; nil: they want none kept (`journal.enabled`), or cannot be read.
func Kept(paths settings.Paths) *Journal {
	values, _, err := paths.Load(files.OS())
	if err != nil || !values.Journal.Enabled {
		return nil
	}
	return At(paths.State)
}

// line is one line of the file: an entry, or what became of one.
type line struct {
	Entry
	Heed string `json:"heed,omitempty"` // the id of the entry that Heeded is about
}

// NewID is an id for an entry, for who has to know it before the entry is written.
func NewID() string {
	var number [8]byte
	_, _ = rand.Read(number[:]) // never fails
	return hex.EncodeToString(number[:])
}

// Add writes entries, with the time and an id if they have none, and returns their ids.
func (j *Journal) Add(ctx context.Context, entries ...Entry) ([]string, error) {
	if j == nil || len(entries) == 0 {
		return nil, nil
	}
	var text bytes.Buffer
	ids := make([]string, len(entries))
	for i, e := range entries {
		if e.Time.IsZero() {
			e.Time = j.Now()
		}
		if e.ID == "" {
			e.ID = NewID()
		}
		ids[i] = e.ID
		e.tidy()
		if err := write(&text, line{Entry: e}); err != nil {
			return nil, err
		}
	}
	return ids, j.append(ctx, text.Bytes())
}

// Heed says whether what entries told was heeded. Ids that the journal no longer holds do no harm.
func (j *Journal) Heed(ctx context.Context, heeded bool, ids ...string) error {
	if j == nil || len(ids) == 0 {
		return nil
	}
	var text bytes.Buffer
	for _, id := range ids {
		mark := struct {
			Heed   string `json:"heed"`
			Heeded bool   `json:"heeded"`
		}{id, heeded}
		if err := write(&text, mark); err != nil {
			return err
		}
	}
	return j.append(ctx, text.Bytes())
}

func write(text *bytes.Buffer, value any) error {
	encoder := json.NewEncoder(text) // one line, with its end
	encoder.SetEscapeHTML(false)
	return encoder.Encode(value)
}

func (j *Journal) append(ctx context.Context, text []byte) error {
	target, unlock, err := writing.LockOwn(ctx, j.path)
	if err != nil {
		return err
	}
	defer unlock()
	return target.Append(text, 0o600, j.size)
}

// Filter says which entries are wanted. The zero value wants all.
type Filter struct {
	Since     time.Time // not older
	Rule      string    // of this name
	Workspace string    // of this folder
}

func (f Filter) takes(e *Entry) bool {
	return !e.Time.Before(f.Since) && (f.Rule == "" || e.Rule == f.Rule) &&
		(f.Workspace == "" || e.Workspace != nil && *e.Workspace == f.Workspace)
}

// Entries reads what was kept, the oldest first. What cannot be understood, such as the line of a process that was killed, is
// passed over.
func (j *Journal) Entries(ctx context.Context, filter Filter) ([]Entry, error) {
	text, err := j.read(ctx)
	if err != nil {
		return nil, err
	}
	var out []Entry
	heeded := map[string]bool{}
	for len(text) > 0 {
		var one []byte
		one, text, _ = bytes.Cut(text, []byte{'\n'})
		var l line
		if json.Unmarshal(one, &l) != nil {
			continue
		}
		if l.Heed != "" && l.Heeded != nil {
			heeded[l.Heed] = *l.Heeded
		} else if l.ID != "" && filter.takes(&l.Entry) {
			out = append(out, l.Entry)
		}
	}
	for i := range out {
		if value, ok := heeded[out[i].ID]; ok {
			out[i].Heeded = &value
		}
	}
	return out, nil
}

// Line is one line of a journal: an entry, what became of one, or neither, such as a part of a line.
type Line struct {
	Entry
	Heed string // the id of the entry that Heeded is about; empty: this is an entry
}

// Lines reads what was kept line by line, the oldest first, for who goes through it only once: lines are only ever added at the
// end, and those at the beginning go. A line that cannot be understood has no ID and no Heed.
func (j *Journal) Lines(ctx context.Context) ([]Line, error) {
	text, err := j.read(ctx)
	if err != nil {
		return nil, err
	}
	out := make([]Line, 0, bytes.Count(text, []byte{'\n'}))
	for len(text) > 0 {
		var one []byte
		one, text, _ = bytes.Cut(text, []byte{'\n'})
		var l line
		if json.Unmarshal(one, &l) != nil || l.Heed != "" && l.Heeded == nil {
			l = line{}
		}
		out = append(out, Line(l))
	}
	return out, nil
}

// Stamp changes whenever something is written; empty: there is nothing.
func (j *Journal) Stamp() string {
	if j == nil {
		return ""
	}
	info, err := os.Stat(j.path)
	if err != nil {
		return ""
	}
	return fmt.Sprintf("%d %d", info.Size(), info.ModTime().UnixNano())
}

func (j *Journal) read(ctx context.Context) ([]byte, error) {
	if j == nil {
		return nil, nil
	}
	if _, err := os.Stat(filepath.Dir(j.path)); errors.Is(err, fs.ErrNotExist) {
		return nil, nil // reading makes nothing
	}
	target, err := writing.OwnTarget(j.path)
	if err != nil {
		return nil, err
	}
	if unlock, err := target.Lock(ctx); err == nil {
		defer unlock()
	} else if !errors.Is(err, fs.ErrPermission) { // who may only read does without
		return nil, err
	}
	return target.Logged(2 * j.size)
}
