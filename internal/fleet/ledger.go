package fleet

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/pertain-dev/pertain/internal/tally"
)

// How long the servers keep what was brought. It is set when the streams are made.
const (
	JournalAge = 90 * 24 * time.Hour  // entries
	tallyAge   = 400 * 24 * time.Hour // counts of days
	// duplicates is for how long a server knows by its id that it has a batch.
	duplicates = 10 * time.Minute
)

// Ledger is what a fleet keeps of journals: counts of days, and entries. As a tally.Ledger it is that of one machine.
type Ledger struct {
	fleet   *Fleet
	machine string
	days    opened
	entries opened
}

// Ledger gives it for a machine, by its name. Nothing is dialled.
func (f *Fleet) Ledger(machine string) *Ledger {
	l := &Ledger{fleet: f, machine: machine}
	l.days.config = jetstream.StreamConfig{
		Name: f.config.BucketName(KindTally), Subjects: []string{l.subject(KindTally, ">")},
		MaxMsgsPerSubject: 1, MaxAge: tallyAge, Discard: jetstream.DiscardNew, DenyDelete: true,
	}
	l.entries.config = jetstream.StreamConfig{
		Name: f.config.BucketName(KindJournal), Subjects: []string{l.subject(KindJournal, ">")},
		MaxAge: JournalAge, Discard: jetstream.DiscardOld, Duplicates: duplicates, DenyDelete: true,
	}
	return l
}

// subject is `pertain.NAMESPACE.KIND.` and its parts.
func (l *Ledger) subject(kind string, parts ...string) string {
	return "pertain." + l.fleet.config.Namespace + "." + kind + "." + strings.Join(parts, ".")
}

func (l *Ledger) day(day string) string {
	return l.subject(KindTally, day, l.fleet.config.member(), l.machine)
}

func (l *Ledger) batches() string {
	return l.subject(KindJournal, l.fleet.config.member(), l.machine)
}

// Day is that of a tally.Ledger.
func (l *Ledger) Day(ctx context.Context, day string) ([]byte, uint64, error) {
	stream, err := l.days.open(ctx, l.fleet)
	if err != nil {
		return nil, 0, err
	}
	return l.fleet.last(ctx, stream, l.day(day))
}

// PutDay is that of a tally.Ledger.
func (l *Ledger) PutDay(ctx context.Context, day string, data []byte, revision uint64) error {
	_, err := l.fleet.replace(ctx, &nats.Msg{Subject: l.day(day), Data: data}, revision)
	return told(err)
}

// Last is that of a tally.Ledger.
func (l *Ledger) Last(ctx context.Context) ([]byte, uint64, error) {
	stream, err := l.entries.open(ctx, l.fleet)
	if err != nil {
		return nil, 0, err
	}
	return l.fleet.last(ctx, stream, l.batches())
}

// Append is that of a tally.Ledger.
func (l *Ledger) Append(ctx context.Context, id string, data []byte, revision uint64) (uint64, error) {
	message := &nats.Msg{Subject: l.batches(), Data: data}
	next, err := l.fleet.replace(ctx, message, revision, jetstream.WithMsgID(l.machine+"-"+id))
	return next, told(err)
}

func told(err error) error {
	if conflicts(err) {
		return tally.ErrConflict
	}
	return err
}

// maxFilters is how many days are asked for one by one; for more, all are.
const maxFilters = 100

// Sum adds up what all machines counted on the days of a summary.
func (l *Ledger) Sum(ctx context.Context, s *tally.Summary) error {
	stream, err := l.days.open(ctx, l.fleet)
	if err != nil {
		return err
	}
	days := s.Days()
	filters := []string{l.subject(KindTally, ">")}
	if len(days) <= maxFilters {
		filters = filters[:0]
		for _, day := range days {
			filters = append(filters, l.subject(KindTally, day, ">"))
		}
	}
	consumer, err := stream.CreateConsumer(ctx, jetstream.ConsumerConfig{
		FilterSubjects: filters, DeliverPolicy: jetstream.DeliverAllPolicy, AckPolicy: jetstream.AckNonePolicy, MemoryStorage: true, Replicas: 1, InactiveThreshold: time.Minute,
	})
	if err != nil {
		return err
	}
	prefix := l.subject(KindTally, "")
	for left := int(min(consumer.CachedInfo().NumPending, 1<<30)); left > 0; {
		batch, err := consumer.Fetch(min(left, 1000), jetstream.FetchMaxWait(l.fleet.limits.Ask))
		if err != nil {
			return err
		}
		got := 0
		for message := range batch.Messages() {
			got++
			parts := strings.Split(strings.TrimPrefix(message.Subject(), prefix), ".")
			if len(parts) != 3 {
				continue
			}
			_ = s.Add(parts[1]+"."+parts[2], parts[0], message.Data()) // one of a later version is left out, and the others are told
		}
		if err := batch.Error(); err != nil && !errors.Is(err, nats.ErrTimeout) {
			return err
		}
		if got == 0 {
			return fmt.Errorf("the fleet's servers did not send all counts within %s", l.fleet.limits.Ask)
		}
		left -= got
	}
	return nil
}
