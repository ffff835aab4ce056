package stream

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"sync"

	"github.com/pertain-dev/pertain/internal/files"
	"github.com/pertain-dev/pertain/internal/writing"
)

// Record is what was injected into one conversation, and when.
type Record struct {
	// Turn is the number of the present turn, from 1 on.
	Turn int64 `json:"turn"`
	// Injected has the turn at which each rule was injected last, by name.
	Injected map[string]int64 `json:"injected,omitempty"`
	// Interrupted counts the interruptions of the present user turn, which has a
	// budget of them.
	Interrupted int `json:"interrupted,omitempty"`
	// Foreign counts those among them that no rule of the user's own had a part in.
	Foreign int `json:"foreign,omitempty"`
}

func (r Record) clone() Record {
	r.Injected = maps.Clone(r.Injected)
	return r
}

// mend makes numbers of a record that cannot be, whoever wrote it, ones that can.
func (r *Record) mend() {
	if r.Injected == nil {
		r.Injected = make(map[string]int64)
	}
	r.Interrupted = max(r.Interrupted, 0)
	r.Foreign = min(max(r.Foreign, 0), r.Interrupted)
}

// Memory keeps a conversation's record for longer than a process lives. Save
// replaces the record as a whole: whoever loads finds the last one saved or, if
// that was cut short, the one before, never a part. A [Watcher] calls one at a time;
// a memory that several may use has to be safe for that.
//
// [OpenFileMemory] keeps it in a file. Package stream/memorytest checks an implementation.
type Memory interface {
	// Load gives the record that was saved last, a zero Record if there is none.
	Load(ctx context.Context) (Record, error)
	// Save keeps a record. It does not keep the map.
	Save(ctx context.Context, record Record) error
}

// SharedMemory is a memory of one conversation that several processes use at once.
type SharedMemory interface {
	Memory
	// Update changes the record that was saved last; nobody else does meanwhile. If
	// change says false, the record stays as it is.
	Update(ctx context.Context, change func(*Record) bool) error
}

// Forgetful is a memory that lives as long as the process. The zero value is empty.
type Forgetful struct {
	mu     sync.Mutex
	record Record
}

// Load returns what was saved last.
func (f *Forgetful) Load(context.Context) (Record, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.record.clone(), nil
}

// Save keeps a record until the process ends.
func (f *Forgetful) Save(_ context.Context, record Record) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.record = record.clone()
	return nil
}

// maxRecord is how large a record may be, in bytes: some ten thousand rules.
const maxRecord = 4 << 20

// FileMemory is a [Memory] in a file, for one conversation. A record is written beside
// the old one, flushed to the disk and put in its place, so that a crash leaves the old
// or the new one. It is safe for concurrent use, by several processes too: an empty
// file beside it, of its name with .lock added, keeps writers apart.
type FileMemory struct {
	path  string // of file
	file  writing.Target
	mu    sync.Mutex
	seal  Seal   // nil: whatever the file says is believed
	doubt func() // tells that it is not
}

// Seal tells records that their owner wrote from those that somebody else brought.
// Nobody else can make its marks; each holds for one text under one name alone.
type Seal interface {
	Mark(ctx context.Context, name string, text []byte) (string, error)
	Holds(name string, text []byte, mark string) bool
}

// OpenFileMemory keeps the record of a conversation in a file, which need not exist or
// may be empty; its folder is made. Links on the way to it are followed as long as
// they stay in the workspace that the file is in or that the working directory is in,
// or without one in the folder of the file: a stranger's checkout may hold links.
func OpenFileMemory(path string) (*FileMemory, error) {
	cwd, err := os.Getwd()
	if err != nil && !filepath.IsAbs(path) {
		return nil, err
	}
	return OpenFileMemoryIn(cwd, path)
}

// OpenFileMemoryIn is OpenFileMemory for a working directory that need not be the
// process's.
func OpenFileMemoryIn(dir, path string) (*FileMemory, error) {
	if path == "" {
		return nil, errors.New("the file of a memory needs a name")
	}
	if !filepath.IsAbs(path) {
		path = filepath.Join(dir, path)
	}
	file, err := writing.NamedTarget(path, dir)
	if err != nil {
		return nil, err
	}
	if err := file.MakeFolder(0o700); err != nil {
		return nil, err
	}
	return &FileMemory{path: file.Path(), file: file}, nil
}

// Believe makes a memory believe only what it wrote itself, known by a mark of seal: a
// file among a stranger's could say of a rule that it has been shown already, and so
// silence it. A file whose mark does not hold, or that has none, counts as missing,
// and doubt is called. Believe has to be called before anything is loaded.
func (m *FileMemory) Believe(seal Seal, doubt func()) { m.seal, m.doubt = seal, doubt }

// Path is where the file is, without links.
func (m *FileMemory) Path() string { return m.path }

// savedRecord is the form on the disk.
type savedRecord struct {
	Version int `json:"version"`
	Record
	Mark string `json:"mark,omitempty"` // of a Seal
}

const recordVersion = 1

// ErrNoRecord is for a file that is something else, or of another version.
var ErrNoRecord = errors.New("it is no memory of a conversation that this version reads; name another file, or remove it to start afresh")

// Load reads what was injected so far.
func (m *FileMemory) Load(ctx context.Context) (Record, error) {
	if err := ctx.Err(); err != nil {
		return Record{}, err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.read(ctx)
}

func (m *FileMemory) read(ctx context.Context) (Record, error) {
	var data []byte
	err := writing.Patiently(ctx, func() (err error) { data, err = files.OS().ReadFile(m.path, maxRecord); return err })
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return Record{}, nil
	case err != nil:
		return Record{}, err
	case len(bytes.TrimSpace(data)) == 0: // made by whoever chose the name
		return Record{}, nil
	}
	var saved savedRecord
	if err := json.Unmarshal(data, &saved); err != nil || saved.Version != recordVersion {
		return Record{}, fmt.Errorf("%s: %w", m.path, ErrNoRecord)
	}
	if m.seal == nil {
		return saved.Record, nil
	}
	mark := saved.Mark
	saved.Mark = ""
	text, err := json.Marshal(saved)
	if err != nil {
		return Record{}, err
	}
	if !m.seal.Holds(m.path, text, mark) {
		m.doubt()
		return Record{}, nil
	}
	return saved.Record, nil
}

// Save replaces what was injected so far.
func (m *FileMemory) Save(ctx context.Context, record Record) error {
	return m.locked(ctx, func() error { return m.write(ctx, record) })
}

// Update changes what was injected so far.
func (m *FileMemory) Update(ctx context.Context, change func(*Record) bool) error {
	return m.locked(ctx, func() error {
		record, err := m.read(ctx)
		if err != nil || !change(&record) {
			return err
		}
		return m.write(ctx, record)
	})
}

// locked keeps others, here and in other processes, from writing meanwhile.
func (m *FileMemory) locked(ctx context.Context, do func() error) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	unlock, err := m.file.Lock(ctx)
	if err != nil {
		return err
	}
	defer unlock()
	return do()
}

func (m *FileMemory) write(ctx context.Context, record Record) error {
	saved := savedRecord{Version: recordVersion, Record: record}
	data, err := json.Marshal(saved)
	if err != nil {
		return err
	}
	if m.seal != nil {
		if saved.Mark, err = m.seal.Mark(ctx, m.path, data); err != nil {
			return err
		}
		if data, err = json.Marshal(saved); err != nil {
			return err
		}
	}
	data = append(data, '\n')
	return writing.Patiently(ctx, func() error { return m.file.Write(data, 0o600) })
}
