package conversations

import (
	"context"
	"encoding/json"
	"log/slog"
	"time"

	"github.com/pertain-dev/pertain/gateway"
	"github.com/pertain-dev/pertain/internal/replica"
	"github.com/pertain-dev/pertain/stream"
)

// Shared is what gateways of several machines remember together: a gateway.Memory. The files of this machine decide where the others
// do not answer at once.
type Shared struct {
	values *replica.Values
}

// SharedOptions say with whom.
type SharedOptions struct {
	Store    Store
	Bucket   replica.Bucket
	Machine  string // the name of this one
	Mark     string // see replica.Options
	Logger   *slog.Logger
	Patience time.Duration // 0: replica.Patience
}

// kind is that of conversations among what a fleet remembers.
const kind = "conversation"

// NewShared makes a memory. It starts nothing: see Run.
func NewShared(o SharedOptions) *Shared {
	return &Shared{replica.New(replica.Options{
		Local: local{o.Store}, Bucket: o.Bucket, Kind: kind, Machine: o.Machine, Merge: merge, Mark: o.Mark, Logger: o.Logger, Patience: o.Patience,
	})}
}

// Run carries what the others missed until ctx ends.
func (s *Shared) Run(ctx context.Context) { s.values.Run(ctx, 0) }

// Carry carries it now, and gives how many conversations it has compared.
func (s *Shared) Carry(ctx context.Context) (int, error) { return s.values.Carry(ctx) }

// Load gives what is remembered of a conversation.
func (s *Shared) Load(ctx context.Context, id string) (gateway.Conversation, error) {
	value, err := s.values.Load(ctx, id)
	if err != nil {
		return gateway.Conversation{}, err
	}
	return decode(value), nil
}

// Update changes what is remembered of a conversation. change is called again where another machine was first.
func (s *Shared) Update(ctx context.Context, id string, change func(*gateway.Conversation)) error {
	return s.values.Update(ctx, id, func(value []byte) ([]byte, error) {
		c := decode(value)
		change(&c)
		return json.Marshal(c)
	})
}

// decode reads a value; nothing, and what is none, is begun afresh.
func decode(value []byte) (c gateway.Conversation) {
	if len(value) > 0 && json.Unmarshal(value, &c) != nil {
		return gateway.Conversation{}
	}
	return c
}

// Record is what was injected into one conversation of a memory: a stream.SharedMemory, for who watches a stream without a gateway.
type Record struct {
	Memory gateway.Memory
	ID     string
}

// Load gives the record.
func (r Record) Load(ctx context.Context) (stream.Record, error) {
	c, err := r.Memory.Load(ctx, r.ID)
	return c.Record, err
}

// Save keeps a record.
func (r Record) Save(ctx context.Context, record stream.Record) error {
	return r.Memory.Update(ctx, r.ID, func(c *gateway.Conversation) { c.Record = record })
}

// Update changes the record. change is called again where another machine was first.
func (r Record) Update(ctx context.Context, change func(*stream.Record) bool) error {
	return r.Memory.Update(ctx, r.ID, func(c *gateway.Conversation) {
		next := c.Record
		if change(&next) {
			c.Record = next
		}
	})
}

// local is a Store as a fleet sees it.
type local struct{ Store }

// Load is that of a replica.Local.
func (l local) Load(ctx context.Context, id string) (replica.State, error) {
	saved, there, err := l.read(ctx, id)
	if err != nil || !there {
		return replica.State{}, err
	}
	return saved.state()
}

// Update is that of a replica.Local.
func (l local) Update(ctx context.Context, id string, change func(*replica.State) (bool, error)) error {
	return l.change(ctx, id, func(saved *savedConversation, there bool) (bool, error) {
		var state replica.State
		if there {
			var err error
			if state, err = saved.state(); err != nil {
				return false, err
			}
		}
		write, err := change(&state)
		if err != nil || !write {
			return false, err
		}
		*saved = savedConversation{Conversation: decode(state.Value), Clock: state.Clock, Edits: state.Edits}
		return true, nil
	})
}

// Changed is that of a replica.Local.
func (l local) Changed(since time.Time) ([]string, error) { return l.changed(since) }

func (s *savedConversation) state() (replica.State, error) {
	value, err := json.Marshal(s.Conversation)
	return replica.State{Clock: s.Clock, Edits: s.Edits, Value: value}, err
}
