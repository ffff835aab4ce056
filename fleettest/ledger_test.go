package fleettest_test

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"github.com/pertain-dev/pertain/fleettest"
	"github.com/pertain-dev/pertain/internal/fleet"
	"github.com/pertain-dev/pertain/internal/journal"
	"github.com/pertain-dev/pertain/internal/tally"
)

var noon = time.Date(2026, 11, 16, 12, 0, 0, 0, time.UTC)

// writer is a machine whose rules do things.
type writer struct {
	name    string
	fleet   *fleet.Fleet
	state   string
	journal *journal.Journal
}

func newWriter(t *testing.T, name string, config fleet.Config) *writer {
	t.Helper()
	config.Namespace, config.Limits = "main", fleet.Limits{Ask: time.Second}
	f := fleet.New(config)
	t.Cleanup(f.Close)
	state := t.TempDir()
	return &writer{name, f, state, journal.At(state)}
}

// carry is that of a process that has just begun.
func (w *writer) carry(ctx context.Context) error {
	c := tally.Carrier{
		Journal: w.journal, Ledger: w.fleet.Ledger(w.name), State: tally.StateFile(w.state), Detail: tally.Entries, Namespace: "main",
		Keep: 30 * 24 * time.Hour, Now: func() time.Time { return noon },
	}
	_, err := c.Carry(ctx)
	return err
}

// write adds entries of five days, half of which are heeded.
func (w *writer) write(t *testing.T, round, entries int) {
	t.Helper()
	var list []journal.Entry
	var heeded []string
	for n := range entries {
		id := fmt.Sprintf("%s-%d-%d", w.name, round, n)
		list = append(list, journal.Entry{
			ID: id, Time: noon.AddDate(0, 0, -n%5), Rule: fmt.Sprint("rule", n%3), Action: journal.Denied, Agent: journal.Text("claude"), Workspace: journal.Text("/w/shop"),
		})
		if n%2 == 0 {
			heeded = append(heeded, id)
		}
	}
	if _, err := w.journal.Add(t.Context(), list...); err != nil {
		t.Error(err)
	}
	if err := w.journal.Heed(t.Context(), true, heeded...); err != nil {
		t.Error(err)
	}
}

// TestJournal: the journals of four machines come to the fleet while nodes are killed and cables are pulled, and each line counts once.
func TestJournal(t *testing.T) {
	cluster := fleettest.Start(t, 3, fleettest.Options{})
	const machines, rounds, each = 4, 10, 20
	var writers []*writer
	for i := range machines {
		writers = append(writers, newWriter(t, fmt.Sprint("machine", i), fleet.Config{URLs: cluster.URLs(), Member: fmt.Sprint("dev", i)}))
	}
	cluster.Wait("first carrying", func() bool { writers[0].write(t, -1, 0); return writers[0].carry(t.Context()) == nil })
	end := trouble(cluster)
	var all sync.WaitGroup
	for _, w := range writers {
		all.Go(func() {
			for round := range rounds {
				w.write(t, round, each)
				soon, cancel := context.WithTimeout(t.Context(), time.Second)
				_ = w.carry(soon) // it may fail, and goes on with the next
				cancel()
			}
		})
	}
	all.Wait()
	end()
	for _, w := range writers {
		cluster.Wait("end of carrying", func() bool { return w.carry(t.Context()) == nil })
	}
	wantReport(t, cluster, writers[0].fleet, machines, machines*rounds*each)
	wantEntries(t, cluster, writers[0].fleet, machines*rounds*each)
}

func wantReport(t *testing.T, cluster *fleettest.Cluster, f *fleet.Fleet, machines, entries int) {
	t.Helper()
	var report tally.Report
	cluster.Wait("report", func() bool {
		s := tally.NewSummary(noon.AddDate(0, 0, -29), noon)
		err := f.Ledger("reader").Sum(t.Context(), s)
		report = s.Report([]string{"rule0", "never"})
		return err == nil
	})
	if report.Total.Denied != entries || report.Total.Heeded != entries/2 || report.Machines != machines || len(report.Rules) != 3 || len(report.Never) != 1 {
		t.Errorf("%d entries and %d heeded of %d machines, want %d; %v", report.Total.Denied, report.Total.Heeded, report.Machines, entries, report.Never)
	}
}

// wantEntries reads the stream and wants each entry once.
func wantEntries(t *testing.T, cluster *fleettest.Cluster, f *fleet.Fleet, entries int) {
	t.Helper()
	var seen, heeds map[string]int
	var err error
	cluster.Wait("whole journal", func() bool { // a node that was just chosen may not have heard of all yet
		seen, heeds, err = readEntries(t.Context(), f)
		return err == nil && len(seen) >= entries && len(heeds) >= entries/2
	})
	for id, n := range seen {
		if n != 1 || heeds[id] > 1 {
			t.Errorf("%s is there %d times, and heeded %d times", id, n, heeds[id])
		}
	}
	if len(seen) != entries || len(heeds) != entries/2 {
		t.Errorf("%d entries and %d that were heeded, want %d", len(seen), len(heeds), entries)
	}
}

// readEntries counts what the stream of the journal has, by id.
func readEntries(ctx context.Context, f *fleet.Fleet) (seen, heeds map[string]int, err error) {
	js, err := f.JetStream(ctx)
	if err != nil {
		return nil, nil, err
	}
	consumer, err := js.CreateConsumer(ctx, "pertain_main_journal", jetstream.ConsumerConfig{AckPolicy: jetstream.AckNonePolicy})
	if err != nil {
		return nil, nil, err
	}
	seen, heeds = map[string]int{}, map[string]int{}
	for left := int(consumer.CachedInfo().NumPending); left > 0; left-- {
		message, err := consumer.Next()
		if err != nil {
			return nil, nil, err
		}
		b, err := tally.DecodeBatch(message.Data())
		if err != nil {
			return nil, nil, err
		}
		for _, e := range b.Entries {
			if e.Heed != "" {
				heeds[e.Heed]++
			} else {
				seen[e.ID]++
			}
		}
	}
	return seen, heeds, nil
}
