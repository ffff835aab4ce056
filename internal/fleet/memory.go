package fleet

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/pertain-dev/pertain/internal/replica"
)

// memoryAge is after how long the servers forget a value that nobody writes. It is set when the bucket is made.
const memoryAge = 30 * 24 * time.Hour

// Memory is the key-value bucket of what is remembered, of one member: a replica.Bucket.
type Memory struct {
	fleet  *Fleet
	stream opened
}

// Memory gives the bucket. Nothing is dialled.
func (f *Fleet) Memory() *Memory {
	name := f.config.BucketName(KindMemory)
	return &Memory{fleet: f, stream: opened{config: jetstream.StreamConfig{
		Name: "KV_" + name, Subjects: []string{"$KV." + name + ".>"},
		MaxMsgsPerSubject: 1, MaxAge: memoryAge, Discard: jetstream.DiscardNew, AllowRollup: true, DenyDelete: true,
		// Not AllowDirect: any node would answer then, also one that has not heard of the last value.
	}}}
}

func (m *Memory) subject(key string) string {
	return "$KV." + m.fleet.config.BucketName(KindMemory) + "." + m.fleet.config.member() + "." + key
}

// Get is that of a replica.Bucket.
func (m *Memory) Get(ctx context.Context, key string) ([]byte, uint64, error) {
	stream, err := m.stream.open(ctx, m.fleet)
	if err != nil {
		return nil, 0, err
	}
	return m.fleet.last(ctx, stream, m.subject(key))
}

// Put is that of a replica.Bucket.
func (m *Memory) Put(ctx context.Context, key string, value []byte, revision uint64) (uint64, error) {
	if _, err := m.stream.open(ctx, m.fleet); err != nil {
		return 0, err
	}
	revision, err := m.fleet.replace(ctx, &nats.Msg{Subject: m.subject(key), Data: value}, revision)
	switch {
	case conflicts(err):
		return 0, replica.ErrConflict
	case errors.Is(err, nats.ErrMaxPayload), errors.Is(err, jetstream.ErrStreamMessageExceedsMaximum):
		return 0, replica.ErrLarge
	}
	return revision, err
}

// opened is a stream that is looked for, or made, when it is first needed.
type opened struct {
	config jetstream.StreamConfig
	mu     sync.Mutex
	stream jetstream.Stream
}

func (o *opened) open(ctx context.Context, f *Fleet) (jetstream.Stream, error) {
	o.mu.Lock()
	stream := o.stream
	o.mu.Unlock()
	if stream != nil {
		return stream, nil
	}
	stream, err := f.Stream(ctx, o.config)
	if err != nil {
		return nil, err
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	o.stream = stream
	return stream, nil
}

// last gives the last message of a subject, and its number; nothing is no bytes. The leader of the stream is asked.
func (f *Fleet) last(ctx context.Context, stream jetstream.Stream, subject string) ([]byte, uint64, error) {
	message, err := f.lastMessage(ctx, stream, subject)
	if err != nil || message == nil {
		return nil, 0, err
	}
	if message.Header.Get("KV-Operation") != "" { // it was deleted
		return nil, message.Sequence, nil
	}
	return message.Data, message.Sequence, nil
}

// lastMessage gives the last message of a subject, which may have wildcards; nil: there is none. The leader of the stream is asked.
func (f *Fleet) lastMessage(ctx context.Context, stream jetstream.Stream, subject string) (*jetstream.RawStreamMsg, error) {
	asked := time.Now()
	message, err := stream.GetLastMsgForSubject(ctx, subject)
	err = f.hear(asked, err)
	if errors.Is(err, jetstream.ErrMsgNotFound) {
		return nil, nil
	}
	return message, err
}

// empty tells whether a stream has nothing at all. That a server finds no last message says less: it also does where its store is about to be closed, or
// cannot be read.
func (f *Fleet) empty(ctx context.Context, stream jetstream.Stream) (bool, error) {
	asked := time.Now()
	info, err := stream.Info(ctx)
	if err = f.hear(asked, err); err != nil {
		return false, err
	}
	return info.State.Msgs == 0, nil
}

// replace publishes a message if the last one of its subject has a number, and gives that of the new one.
func (f *Fleet) replace(ctx context.Context, message *nats.Msg, number uint64, options ...jetstream.PublishOpt) (uint64, error) {
	js, err := f.JetStream(ctx)
	if err != nil {
		return 0, err
	}
	options = append(options, jetstream.WithExpectLastSequencePerSubject(number), jetstream.WithRetryAttempts(1))
	asked := time.Now()
	ack, err := js.PublishMsg(ctx, message, options...)
	err = f.hear(asked, err)
	if err != nil {
		return 0, err
	}
	return ack.Sequence, nil
}

// conflicts tells that a message was not the last of its subject. A stream with replicas has a code of its own for that.
func conflicts(err error) bool {
	var api *jetstream.APIError
	return errors.As(err, &api) && (api.ErrorCode == jetstream.JSErrCodeStreamWrongLastSequence || api.ErrorCode == jetstream.JSErrCodeStreamWrongLastSequenceConstant)
}
