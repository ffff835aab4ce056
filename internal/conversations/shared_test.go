package conversations_test

import (
	"context"
	"maps"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/pertain-dev/pertain/gateway"
	"github.com/pertain-dev/pertain/internal/conversations"
	"github.com/pertain-dev/pertain/internal/replica"
	"github.com/pertain-dev/pertain/stream"
	"github.com/pertain-dev/pertain/stream/memorytest"
)

// bucket is a store that several machines share; away, it does not answer.
type bucket struct {
	mu     sync.Mutex
	away   bool
	values map[string][]byte
	revs   map[string]uint64
}

func (b *bucket) Get(ctx context.Context, key string) ([]byte, uint64, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.away {
		return nil, 0, context.DeadlineExceeded
	}
	return b.values[key], b.revs[key], ctx.Err()
}

func (b *bucket) Put(ctx context.Context, key string, value []byte, revision uint64) (uint64, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.away {
		return 0, context.DeadlineExceeded
	}
	if b.revs[key] != revision {
		return 0, replica.ErrConflict
	}
	b.revs[key]++
	b.values[key] = value
	return b.revs[key], ctx.Err()
}

func (b *bucket) leave(away bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.away = away
}

func newBucket() *bucket { return &bucket{values: map[string][]byte{}, revs: map[string]uint64{}} }

func shared(t *testing.T, name string, b replica.Bucket) *conversations.Shared {
	t.Helper()
	folder := t.TempDir()
	return conversations.NewShared(conversations.SharedOptions{
		Store: conversations.Store{Folder: filepath.Join(folder, "gateway")}, Bucket: b, Machine: name, Mark: filepath.Join(folder, "mark"), Patience: time.Minute,
	})
}

// TestSharedMemory: what was injected is remembered by the machines of a fleet together as by one, and by one alone while the fleet is away.
func TestSharedMemory(t *testing.T) {
	b := newBucket()
	one, two := shared(t, "one", b), shared(t, "two", b)
	t.Run("in turn", func(t *testing.T) {
		calls := 0
		memorytest.Run(t, func(*testing.T) stream.Memory {
			calls++
			return conversations.Record{Memory: []gateway.Memory{one, two}[calls%2], ID: "c"}
		})
	})
	t.Run("alone", func(t *testing.T) {
		b.leave(true)
		memorytest.Run(t, func(*testing.T) stream.Memory { return conversations.Record{Memory: one, ID: "d"} })
		b.leave(false)
	})
	if _, err := one.Carry(t.Context()); err != nil {
		t.Fatal(err)
	}
	want, err := conversations.Record{Memory: one, ID: "d"}.Load(t.Context())
	if err != nil || want.Turn == 0 {
		t.Fatal(want, err)
	}
	got, err := conversations.Record{Memory: two, ID: "d"}.Load(t.Context())
	if diff := cmp.Diff(want, got); diff != "" || err != nil {
		t.Errorf("%v (-one +two):\n%s", err, diff)
	}
}

// TestApart: a conversation that went on at two machines at once is one again, in the same form on both, with all that the model was told.
func TestApart(t *testing.T) {
	b := newBucket()
	one, two := shared(t, "one", b), shared(t, "two", b)
	told := func(s *conversations.Shared, rule string, turn int64) {
		t.Helper()
		if err := s.Update(t.Context(), "c", func(c *gateway.Conversation) {
			c.Record.Turn = turn
			c.Record.Interrupted++
			if c.Record.Injected == nil {
				c.Record.Injected = map[string]int64{}
			}
			c.Record.Injected[rule] = turn
			c.Openings = append(c.Openings, rule)
			c.Splices = append(c.Splices, gateway.Splice{Text: rule, Steps: []gateway.Step{{Reminder: rule}}})
			c.Waiting = append(c.Waiting, gateway.Waiting{Entry: rule, Rule: rule})
		}); err != nil {
			t.Fatal(err)
		}
	}
	told(one, "first", 1)
	b.leave(true)
	told(one, "here", 2)
	told(two, "there", 3)
	b.leave(false)
	for _, s := range []*conversations.Shared{one, two, one} {
		if _, err := s.Carry(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	a, err := one.Load(t.Context(), "c")
	if err != nil {
		t.Fatal(err)
	}
	z, err := two.Load(t.Context(), "c")
	if diff := cmp.Diff(a, z); diff != "" || err != nil {
		t.Errorf("%v (-one +two):\n%s", err, diff)
	}
	if want := map[string]int64{"first": 1, "here": 2, "there": 3}; !maps.Equal(a.Record.Injected, want) || a.Record.Turn != 3 || a.Record.Interrupted != 1 {
		t.Errorf("%+v", a.Record)
	}
	if len(a.Splices) != 3 || len(a.Waiting) != 3 || len(a.Openings) != 3 {
		t.Errorf("%+v", a)
	}
}

// TestWithoutFleet: changes that a gateway without a fleet makes to a shared conversation count when there is one again.
func TestWithoutFleet(t *testing.T) {
	b := newBucket()
	folder := t.TempDir()
	store := conversations.Store{Folder: folder}
	open := func() *conversations.Shared {
		return conversations.NewShared(conversations.SharedOptions{Store: store, Bucket: b, Machine: "one", Patience: time.Minute})
	}
	turn := func(m gateway.Memory) {
		t.Helper()
		if err := m.Update(t.Context(), "c", func(c *gateway.Conversation) { c.Record.Turn++ }); err != nil {
			t.Fatal(err)
		}
	}
	turn(store)
	s := open()
	turn(s)
	if _, err := s.Carry(t.Context()); err != nil { // as at its end
		t.Fatal(err)
	}
	turn(store)
	if _, err := open().Carry(t.Context()); err != nil {
		t.Fatal(err)
	}
	if c, err := shared(t, "two", b).Load(t.Context(), "c"); err != nil || c.Record.Turn != 3 {
		t.Errorf("%+v, %v", c.Record, err)
	}
}
