package stream

import (
	"context"
	"maps"
	"sync"
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
