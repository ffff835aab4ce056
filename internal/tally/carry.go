package tally

import (
	"bytes"
	"compress/flate"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"github.com/pertain-dev/pertain/internal/files"
	"github.com/pertain-dev/pertain/internal/journal"
	"github.com/pertain-dev/pertain/internal/writing"
)

// ErrConflict is what a [Ledger] says when somebody else was first.
var ErrConflict = errors.New("the ledger was written meanwhile")

// Ledger is where this machine's journal is brought to. What is there is replaced only by who knows it: by its revision.
type Ledger interface {
	// Day gives the counts of a day of this machine, and their revision; none are no bytes, and 0.
	Day(ctx context.Context, day string) (data []byte, revision uint64, err error)
	// PutDay replaces them.
	PutDay(ctx context.Context, day string, data []byte, revision uint64) error
	// Last gives the last batch of entries of this machine, and its revision.
	Last(ctx context.Context) (data []byte, revision uint64, err error)
	// Append adds one after that. The id is that of the batch alone: a server may know by it what it has already.
	Append(ctx context.Context, id string, data []byte, revision uint64) (uint64, error)
}

// Carrier brings the journal of this machine to a ledger, each line once: how far it got stands in the ledger, beside what it brought.
type Carrier struct {
	Journal   *journal.Journal
	Ledger    Ledger
	State     string // file of the user's own in which it keeps how far it got
	Detail    Detail
	Namespace string
	Keep      time.Duration // older entries are not brought: the ledger would not keep them
	Now       func() time.Time

	mu    sync.Mutex
	stamp string // of the journal when all was brought
}

// Batch is entries as a ledger keeps them.
type Batch struct {
	Mark    Mark    `json:"mark"`
	Entries []Entry `json:"entries"`
}

// maxBatch is how many entries a batch has; packed they take some ten kilobytes.
const maxBatch = 500

// conflicts is how often another process of this machine may be first.
const conflicts = 5

// Carry brings what is new, and gives how many lines that were.
func (c *Carrier) Carry(ctx context.Context) (int, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	stamp := c.Journal.Stamp()
	if stamp == c.stamp {
		return 0, nil
	}
	target, unlock, err := writing.LockOwn(ctx, c.State)
	if err != nil {
		return 0, err
	}
	defer unlock()
	lines, err := c.Journal.Lines(ctx)
	if err != nil || len(lines) == 0 {
		return 0, err
	}
	mark, sure, err := c.mark(ctx, lines)
	if err != nil {
		return 0, err
	}
	next := find(lines, mark)
	first := max(mark.Number+1, uint64(next)+1) - uint64(next) // the number of the first line; those that are gone had lower ones
	if sure && next == len(lines) {
		c.stamp = stamp
		return 0, nil
	}
	after := mark.Number
	if !sure {
		after = 0 // each day knows of itself how far it was counted
	}
	end := markOf(lines, first)
	events := counted(lines, first, after, func(workspace string) string { return repository(c.Detail, c.Namespace, workspace) })
	events = slices.DeleteFunc(events, func(e event) bool { return c.Keep > 0 && e.at.Before(c.Now().Add(-c.Keep)) })
	if err := c.days(ctx, events, end); err != nil {
		return 0, err
	}
	if c.Detail == Entries {
		if err := c.entries(ctx, events, end); err != nil {
			return 0, err
		}
	}
	data, err := json.Marshal(end)
	if err != nil {
		return 0, err
	}
	if err := target.Write(data, 0o600); err != nil {
		return 0, err
	}
	c.stamp = stamp
	return len(lines) - next, nil
}

// mark is how far the journal was brought, as this machine knows it. Where it has forgotten that, the ledger tells what number the
// lines have, and sure is false: all of them may be new to some day.
func (c *Carrier) mark(ctx context.Context, lines []journal.Line) (mark Mark, sure bool, err error) {
	data, err := files.OS().ReadFile(c.State, 4096)
	if err == nil && json.Unmarshal(data, &mark) == nil {
		return mark, true, nil
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return Mark{}, false, err
	}
	days := map[string]bool{}
	for i := range lines {
		if lines[i].ID != "" {
			days[DayOf(lines[i].Time)] = true
		}
	}
	for _, day := range slices.Sorted(maps.Keys(days)) {
		data, _, err := c.Ledger.Day(ctx, day)
		if err != nil {
			return Mark{}, false, err
		}
		if d, err := DecodeDay(data); err == nil && d.Mark.Number > mark.Number {
			mark = d.Mark
		}
	}
	return mark, false, nil
}

// days adds what happened to the counts of each day.
func (c *Carrier) days(ctx context.Context, events []event, end Mark) error {
	byDay := map[string][]event{}
	for _, e := range events {
		day := DayOf(e.at)
		byDay[day] = append(byDay[day], e)
	}
	for _, day := range slices.Sorted(maps.Keys(byDay)) {
		if err := again(func() error { return c.day(ctx, day, byDay[day], end) }); err != nil {
			return err
		}
	}
	return nil
}

func (c *Carrier) day(ctx context.Context, name string, events []event, end Mark) error {
	data, revision, err := c.Ledger.Day(ctx, name)
	if err != nil {
		return err
	}
	d, err := DecodeDay(data)
	if err != nil {
		return err
	}
	if d.Mark.Number >= end.Number {
		return nil // it was brought before
	}
	d.count(events)
	d.Mark = end
	return c.Ledger.PutDay(ctx, name, d.Encode(), revision)
}

// count adds events that are not counted yet.
func (d *Day) count(events []event) {
	for _, e := range events {
		if e.number <= d.Mark.Number {
			continue
		}
		if d.Rows[e.name] == nil {
			d.Rows[e.name] = &Counts{}
		}
		d.Rows[e.name].add(&e.counts)
		h := &d.Hours[e.at.Hour()]
		h.Fired += e.counts.Fired()
		h.Heeded += e.counts.Heeded
		h.Unheeded += e.counts.Unheeded
	}
}

// entries appends the entries.
func (c *Carrier) entries(ctx context.Context, events []event, end Mark) error {
	return again(func() error {
		data, revision, err := c.Ledger.Last(ctx)
		if err != nil {
			return err
		}
		var last Batch
		if len(data) > 0 {
			if last, err = DecodeBatch(data); err != nil {
				return err
			}
		}
		rest := events
		for len(rest) > 0 && rest[0].number <= last.Mark.Number {
			rest = rest[1:]
		}
		for part := range slices.Chunk(rest, maxBatch) {
			b := Batch{Mark: Mark{Number: part[len(part)-1].number}}
			if b.Mark.Number == rest[len(rest)-1].number {
				b.Mark = end
			}
			for _, e := range part {
				b.Entries = append(b.Entries, e.entry)
			}
			data, err := b.encode()
			if err != nil {
				return err
			}
			if revision, err = c.Ledger.Append(ctx, fmt.Sprintf("%d-%d", part[0].number, b.Mark.Number), data, revision); err != nil {
				return err
			}
		}
		return nil
	})
}

// again tries once more where somebody else was first.
func again(do func() error) (err error) {
	for range conflicts {
		if err = do(); !errors.Is(err, ErrConflict) {
			return err
		}
	}
	return err
}

func (b *Batch) encode() ([]byte, error) {
	var out bytes.Buffer
	w, err := flate.NewWriter(&out, flate.BestSpeed)
	if err == nil {
		err = json.NewEncoder(w).Encode(b)
	}
	if err == nil {
		err = w.Close()
	}
	return out.Bytes(), err
}

// maxBatchBytes is how large a batch may be when it is unpacked.
const maxBatchBytes = 8 << 20

// DecodeBatch reads a batch.
func DecodeBatch(data []byte) (b Batch, err error) {
	text, err := io.ReadAll(io.LimitReader(flate.NewReader(bytes.NewReader(data)), maxBatchBytes))
	if err == nil {
		err = json.Unmarshal(text, &b)
	}
	if err != nil {
		return Batch{}, errors.New("this is no batch of entries that this version reads")
	}
	return b, nil
}

// StateFile is where a carrier keeps how far it got, in a state folder.
func StateFile(state string) string { return filepath.Join(state, "fleet", "journal.json") }
