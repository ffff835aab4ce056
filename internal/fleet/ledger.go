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

// maxSums is how often counts are added up anew where they came from a server that was only then told of newer ones.
const maxSums = 5

// Sum adds up what all machines counted on the days of a summary.
func (l *Ledger) Sum(ctx context.Context, s *tally.Summary) error {
	stream, err := l.days.open(ctx, l.fleet)
	if err != nil {
		return err
	}
	for try := range maxSums {
		if whole, err := l.sum(ctx, stream, s); whole || err != nil {
			return err
		}
		s.Reset()
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(behind / 64 << try):
		}
	}
	return errors.New("the fleet's servers lag behind each other; ask again in a moment")
}

// sum tells whether everything was added that the leader has. Where it was not, something was added twice, since the server that sent it lagged.
func (l *Ledger) sum(ctx context.Context, stream jetstream.Stream, s *tally.Summary) (whole bool, err error) {
	last, err := l.fleet.lastMessage(ctx, stream, l.subject(KindTally, ">"))
	if err != nil {
		return false, err
	}
	if last == nil {
		return l.fleet.empty(ctx, stream)
	}
	consumer, err := stream.CreateConsumer(ctx, jetstream.ConsumerConfig{
		FilterSubjects: l.filters(s.Days(), last.Subject), DeliverPolicy: jetstream.DeliverAllPolicy, AckPolicy: jetstream.AckNonePolicy,
		MemoryStorage: true, Replicas: 1, InactiveThreshold: time.Minute,
	})
	if err != nil {
		return false, err
	}
	prefix := l.subject(KindTally, "")
	added := map[string]bool{}
	whole = true
	err = l.fleet.readTo(ctx, consumer, last.Sequence, func(subject string, number uint64, data []byte) {
		if added[subject] { // a machine has brought this day anew: since we began, or before, and the server had not heard of it
			whole = whole && number > last.Sequence
			return
		}
		added[subject] = true
		if parts := strings.Split(strings.TrimPrefix(subject, prefix), "."); len(parts) == 3 {
			_ = s.Add(parts[1]+"."+parts[2], parts[0], data) // one of a later version is left out, and the others are told
		}
	})
	return whole, err
}

// filters are the subjects of some days, and one more, if it is of none of them.
func (l *Ledger) filters(days []string, more string) []string {
	if len(days) > maxFilters {
		return []string{l.subject(KindTally, ">")}
	}
	var filters []string
	covered := false
	for _, day := range days {
		filters = append(filters, l.subject(KindTally, day, ">"))
		covered = covered || strings.HasPrefix(more, l.subject(KindTally, day, ""))
	}
	if !covered {
		filters = append(filters, more)
	}
	return filters
}

// readTo reads the messages of a consumer up to the one of a number, or of a later one, and what is known to come after it. A consumer may live on a
// server that lags behind the leader, which tells of fewer messages than there are: what it has of a number, it has of all before.
func (f *Fleet) readTo(ctx context.Context, consumer jetstream.Consumer, number uint64, read func(subject string, number uint64, data []byte)) error {
	const most = 1000 // messages at once
	pending := consumer.CachedInfo().NumPending
	heard := time.Now()
	for reached := false; !reached || pending > 0; {
		batch, err := consumer.Fetch(int(min(max(pending, 1), most)), jetstream.FetchMaxWait(f.limits.Ask/4))
		if err != nil {
			return err
		}
		for message := range batch.Messages() {
			told, err := message.Metadata()
			if err != nil {
				return err
			}
			heard, pending = time.Now(), told.NumPending
			reached = reached || told.Sequence.Stream >= number
			read(message.Subject(), told.Sequence.Stream, message.Data())
		}
		if err := batch.Error(); err != nil && !errors.Is(err, nats.ErrTimeout) {
			return err
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		if time.Since(heard) > f.limits.Ask {
			return fmt.Errorf("the fleet's servers did not send all counts within %s", f.limits.Ask)
		}
	}
	return nil
}
