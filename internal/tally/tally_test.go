package tally_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/pertain-dev/pertain/internal/journal"
	"github.com/pertain-dev/pertain/internal/tally"
)

var noon = time.Date(2026, 11, 16, 12, 30, 0, 0, time.UTC)

// ledger is a Ledger in memory. It fails when its calls are used up, before the call does anything or after it.
type ledger struct {
	mu      sync.Mutex
	days    map[string][]byte
	revs    map[string]uint64
	batches [][]byte
	ids     []string
	calls   int // that are left; negative: any number
	late    bool
}

func newLedger() *ledger {
	return &ledger{days: map[string][]byte{}, revs: map[string]uint64{}, calls: -1}
}

var errGone = errors.New("gone")

func (l *ledger) call(do func() error) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.calls == 0 {
		if l.late {
			_ = do() // it was done, and nobody hears of it
		}
		return errGone
	}
	l.calls--
	return do()
}

func (l *ledger) Day(_ context.Context, day string) (data []byte, revision uint64, err error) {
	err = l.call(func() error { data, revision = l.days[day], l.revs[day]; return nil })
	return data, revision, err
}

func (l *ledger) PutDay(_ context.Context, day string, data []byte, revision uint64) error {
	return l.call(func() error {
		if l.revs[day] != revision {
			return tally.ErrConflict
		}
		l.days[day] = data
		l.revs[day]++
		return nil
	})
}

func (l *ledger) Last(context.Context) (data []byte, revision uint64, err error) {
	err = l.call(func() error {
		if n := len(l.batches); n > 0 {
			data, revision = l.batches[n-1], uint64(n)
		}
		return nil
	})
	return data, revision, err
}

func (l *ledger) Append(_ context.Context, id string, data []byte, revision uint64) (uint64, error) {
	err := l.call(func() error {
		if uint64(len(l.batches)) != revision {
			return tally.ErrConflict
		}
		l.batches, l.ids = append(l.batches, data), append(l.ids, id)
		return nil
	})
	return revision + 1, err
}

// report is what the days of a ledger come to.
func (l *ledger) report(t *testing.T, asked ...string) tally.Report {
	t.Helper()
	s := tally.NewSummary(noon.AddDate(0, 0, -3), noon)
	for day, data := range l.days {
		if err := s.Add("m", day, data); err != nil {
			t.Fatal(err)
		}
	}
	return s.Report(asked)
}

// entries are all that were brought, by their ids and what they say of others.
func (l *ledger) entries(t *testing.T) []string {
	t.Helper()
	var out []string
	for _, data := range l.batches {
		b, err := tally.DecodeBatch(data)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range b.Entries {
			out = append(out, e.ID+e.Heed)
		}
	}
	return out
}

type world struct {
	state   string
	journal *journal.Journal
	ledger  *ledger
}

func newWorld(t *testing.T) *world {
	state := t.TempDir()
	return &world{state, journal.At(state), newLedger()}
}

// carrier is that of a process that has just begun.
func (w *world) carrier(detail tally.Detail) *tally.Carrier {
	return &tally.Carrier{
		Journal: w.journal, Ledger: w.ledger, State: tally.StateFile(w.state), Detail: detail, Namespace: "main",
		Keep: 30 * 24 * time.Hour, Now: func() time.Time { return noon },
	}
}

func (w *world) carry(t *testing.T, detail tally.Detail) {
	t.Helper()
	if _, err := w.carrier(detail).Carry(t.Context()); err != nil {
		t.Fatal(err)
	}
}

// fill writes entries on three days, some of which are heeded, one of them after all.
func (w *world) fill(t *testing.T, prefix string) {
	t.Helper()
	entry := func(id, rule, agent string, action journal.Action, at time.Time) journal.Entry {
		return journal.Entry{
			ID: prefix + id, Time: at, Source: journal.Hook, Rule: rule, Agent: journal.Text(agent), Action: action,
			Workspace: journal.Text("/home/alice/secret-project/shop"), Conversation: journal.Conversation("claude", "c"), Path: journal.Text("src/private.go"),
		}
	}
	add := func(entries ...journal.Entry) {
		t.Helper()
		if _, err := w.journal.Add(t.Context(), entries...); err != nil {
			t.Fatal(err)
		}
	}
	heed := func(heeded bool, ids ...string) {
		t.Helper()
		for i := range ids {
			ids[i] = prefix + ids[i]
		}
		if err := w.journal.Heed(t.Context(), heeded, ids...); err != nil {
			t.Fatal(err)
		}
	}
	add(entry("1", "no-eval", "claude", journal.Denied, noon.AddDate(0, 0, -2)), entry("2", "no-eval", "codex", journal.Denied, noon.AddDate(0, 0, -1)))
	heed(false, "1")
	add(entry("3", "tests", "claude", journal.Given, noon), entry("4", "no-eval", "claude", journal.Interrupted, noon))
	heed(true, "2", "4", "unknown")
	heed(true, "1")
	add(entry("old", "ancient", "claude", journal.Denied, noon.AddDate(0, 0, -40)))
}

func wantOnce(t *testing.T, got tally.Report, times int) {
	t.Helper()
	if got.Total.Denied != 2*times || got.Total.Interrupted != times || got.Total.Given != times || got.Total.Heeded != 3*times || got.Total.Unheeded != 0 || got.Total.Fired != 3*times {
		t.Errorf("%+v", got.Total)
	}
}

func TestReport(t *testing.T) {
	w := newWorld(t)
	w.fill(t, "")
	w.carry(t, tally.Numbers)
	got := w.ledger.report(t, "no-eval", "never", "tests")
	wantOnce(t, got, 1)
	one := 1.0
	want := []tally.Rule{
		{Name: "no-eval", Totals: tally.Totals{Fired: 3, Counts: tally.Counts{Denied: 2, Interrupted: 1, Heeded: 3}, Share: &one}, Agents: []string{"claude", "codex"}, Repositories: 1, Last: "2026-11-16", Days: []int{0, 1, 1, 1}},
		{Name: "tests", Totals: tally.Totals{Counts: tally.Counts{Given: 1}}, Agents: []string{"claude"}, Repositories: 1, Last: "2026-11-16", Days: []int{0, 0, 0, 0}},
	}
	if diff := cmp.Diff(want, got.Rules); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"never"}, got.Never); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if got.Since != "2026-11-13" || got.Until != "2026-11-16" || got.Machines != 1 || len(got.Days) != 4 || got.Days[2].Fired != 1 || got.Days[1].Heeded != 1 {
		t.Errorf("%+v", got)
	}
	if last := got.Hours[len(got.Hours)-1]; len(got.Hours) != 48 || last.From != "2026-11-16T12:00Z" || last.Fired != 1 || last.Heeded != 1 {
		t.Errorf("%+v", got.Hours)
	}
	if len(got.Agents) != 2 || got.Agents[0].Name != "claude" || got.Agents[0].Fired != 2 || len(got.Repositories) != 1 || !strings.HasPrefix(got.Repositories[0].Name, "repo-") {
		t.Errorf("%+v %+v", got.Agents, got.Repositories)
	}
}

// TestPrivate: what is not to be shared is not.
func TestPrivate(t *testing.T) {
	for detail, secrets := range map[tally.Detail][]string{
		tally.Numbers: {"shop", "private", "alice", "secret", "home"},
		tally.Entries: {"alice", "secret", "home"},
	} {
		w := newWorld(t)
		w.fill(t, "")
		for i, path := range []string{"/home/alice/secret", `C:\Users\alice`, "../../alice/x", "~/secret", "a/../../secret"} {
			if _, err := w.journal.Add(t.Context(), journal.Entry{ID: fmt.Sprint("p", i), Time: noon, Rule: "r", Action: journal.Denied, Path: &path}); err != nil {
				t.Fatal(err)
			}
		}
		w.carry(t, detail)
		var all bytes.Buffer
		for _, data := range w.ledger.days {
			all.Write(data)
		}
		for _, data := range w.ledger.batches {
			b, err := tally.DecodeBatch(data)
			if err != nil {
				t.Fatal(err)
			}
			fmt.Fprintf(&all, "%+v", b)
		}
		for _, secret := range secrets {
			if strings.Contains(all.String(), secret) {
				t.Errorf("%s: %q is shared", detail, secret)
			}
		}
		if (len(w.ledger.batches) > 0) != (detail == tally.Entries) {
			t.Errorf("%s: %d batches", detail, len(w.ledger.batches))
		}
	}
}

// TestOnce: wherever carrying breaks off, before or after the ledger did what it was asked, and whether or not this machine knows how far
// it got, each line counts once.
func TestOnce(t *testing.T) {
	for _, late := range []bool{false, true} {
		for _, forgetful := range []bool{false, true} {
			for calls := range 20 {
				w := newWorld(t)
				w.fill(t, "a")
				w.ledger.late = late
				_, err := w.stopped(t, calls)
				if forgetful {
					_ = os.Remove(tally.StateFile(w.state)) // it need not be there
				}
				w.fill(t, "b")
				_, _ = w.stopped(t, calls)
				w.carry(t, tally.Entries)
				w.carry(t, tally.Entries)
				wantOnce(t, w.ledger.report(t), 2)
				got := w.ledger.entries(t)
				slices.Sort(got)
				want := slices.Sorted(maps.Keys(map[string]bool{
					"a1": true, "a2": true, "a3": true, "a4": true, "b1": true, "b2": true, "b3": true, "b4": true,
				}))
				want = append(want, "a1", "a1", "a2", "a4", "b1", "b1", "b2", "b4") // what became of them
				slices.Sort(want)
				if diff := cmp.Diff(want, got); diff != "" {
					t.Fatalf("%d calls, late %t, forgetful %t (-want +got):\n%s", calls, late, forgetful, diff)
				}
				if err == nil {
					break // it takes no more calls
				}
			}
		}
	}
}

// stopped carries until the ledger has answered so often.
func (w *world) stopped(t *testing.T, calls int) (int, error) {
	w.ledger.calls = calls
	defer func() { w.ledger.calls = -1 }()
	return w.carrier(tally.Entries).Carry(t.Context())
}

// TestTogether: processes of one machine that carry at once bring nothing twice.
func TestTogether(t *testing.T) {
	w := newWorld(t)
	var all sync.WaitGroup
	for i := range 4 {
		w.fill(t, fmt.Sprint(i, "-"))
		all.Go(func() {
			if _, err := w.carrier(tally.Entries).Carry(t.Context()); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	w.carry(t, tally.Entries)
	wantOnce(t, w.ledger.report(t), 4)
	if got := w.ledger.entries(t); len(got) != 32 {
		t.Errorf("%d entries: %v", len(got), got)
	}
}

// TestPutAside: a journal whose first lines are gone, those that were brought and some that were not, goes on to be counted.
func TestPutAside(t *testing.T) {
	w := newWorld(t)
	w.fill(t, "a")
	w.carry(t, tally.Numbers)
	w.fill(t, "b")
	path := filepath.Join(w.state, "journal.jsonl")
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	lines := bytes.SplitAfter(text, []byte("\n"))
	if err := os.WriteFile(path, bytes.Join(lines[len(lines)/2:], nil), 0o600); err != nil { // all of the second half
		t.Fatal(err)
	}
	w.carry(t, tally.Numbers)
	w.carry(t, tally.Numbers)
	wantOnce(t, w.ledger.report(t), 2)
	if err := os.WriteFile(path, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	w.fill(t, "c")
	w.carry(t, tally.Numbers)
	wantOnce(t, w.ledger.report(t), 3)
}

// TestLarge: many entries are brought in batches.
func TestLarge(t *testing.T) {
	w := newWorld(t)
	var list []journal.Entry
	for i := range 1700 {
		list = append(list, journal.Entry{ID: fmt.Sprint(i), Time: noon, Rule: fmt.Sprint("r", i%7), Action: journal.Denied})
	}
	if _, err := w.journal.Add(t.Context(), list...); err != nil {
		t.Fatal(err)
	}
	w.carry(t, tally.Entries)
	if got := w.ledger.report(t); got.Total.Denied != 1700 || len(got.Rules) != 7 {
		t.Errorf("%+v", got.Total)
	}
	if diff := cmp.Diff([]string{"1-500", "501-1000", "1001-1500", "1501-1700"}, w.ledger.ids); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func FuzzDecodeDay(f *testing.F) {
	d := &tally.Day{Mark: tally.Mark{Number: 3, Entry: "x", After: 1}, Rows: map[tally.Name]*tally.Counts{{Rule: "r"}: {Denied: 2}, {Rule: "r", Agent: "a"}: {Heeded: 1}}}
	d.Hours[4].Fired = 9
	f.Add(d.Encode())
	f.Fuzz(func(t *testing.T, data []byte) {
		d, err := tally.DecodeDay(data)
		if err != nil {
			return
		}
		again, err := tally.DecodeDay(d.Encode())
		if diff := cmp.Diff(d, again); diff != "" || err != nil {
			t.Errorf("%v (-first +again):\n%s", err, diff)
		}
	})
}
