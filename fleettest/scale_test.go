//go:build unix

package fleettest_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/pertain-dev/pertain/fleettest"
	"github.com/pertain-dev/pertain/gateway"
	"github.com/pertain-dev/pertain/internal/conversations"
	"github.com/pertain-dev/pertain/internal/fleet"
	"github.com/pertain-dev/pertain/internal/journal"
	"github.com/pertain-dev/pertain/internal/revision"
	"github.com/pertain-dev/pertain/internal/tally"
)

// scale skips what is measured, not tested: bench/fleet runs it.
func scale(t *testing.T) {
	t.Helper()
	if os.Getenv("PERTAIN_SCALE") == "" {
		t.Skip("it takes minutes; bench/fleet runs it")
	}
}

// TestScaleMemory: 5,000 conversations of four gateways on three nodes, 2,000 operations a second: half loads, half updates.
func TestScaleMemory(t *testing.T) {
	scale(t)
	const all, rate, seconds, gateways = 5000, 2000, 20, 4
	cluster := fleettest.Start(t, 3, fleettest.Options{MaxStore: 4 << 30})
	ctx, stop := context.WithCancel(t.Context())
	var running sync.WaitGroup
	var machines []*conversations.Shared
	for i := range gateways {
		f := fleet.New(fleet.Config{URLs: cluster.URLs(), Namespace: "main"})
		t.Cleanup(f.Close)
		folder := t.TempDir()
		s := conversations.NewShared(conversations.SharedOptions{Store: conversations.Store{Folder: filepath.Join(folder, "gateway")}, Bucket: f.Memory(), Machine: fmt.Sprint("m", i)})
		if i == 0 {
			cluster.Wait("bucket", func() bool { _, _, err := f.Memory().Get(t.Context(), "x"); return err == nil })
		}
		running.Go(func() { s.Run(ctx) })
		machines = append(machines, s)
	}
	operation := func(n int) {
		m, id := machines[n/2%gateways], fmt.Sprint("conversation ", n/2%all) // a gateway loads what it then updates; the next round is another's
		if n%2 == 0 {
			if _, err := m.Load(t.Context(), id); err != nil {
				t.Error(err)
			}
			return
		}
		if err := m.Update(t.Context(), id, func(c *gateway.Conversation) {
			c.Record.Turn++
			c.Record.Injected = map[string]int64{"no-eval": c.Record.Turn, "tests": 1, "errors": 1}
			c.Splices = []gateway.Splice{{Calls: []string{"toolu_01"}, Steps: []gateway.Step{{Reminder: "Never use eval: parse instead, and tell what was wrong with the input."}}}}
		}); err != nil {
			t.Error(err)
		}
	}
	for n := range 2 * all { // each is there once
		operation(n)
	}
	t.Logf("%d conversations are there", all)
	start, used := time.Now(), processor(t)
	times := paced(rate, seconds, operation)
	took := time.Since(start)
	used = processor(t) - used
	t.Logf("memory: %d gateways, %d conversations, %d operations a second for %d s: %s; %s of processor time with the servers", gateways, all, rate, seconds, spread(times), used.Round(100*time.Millisecond))
	if took > (seconds+1)*time.Second {
		t.Errorf("they took %s", took)
	}
	stop()
	running.Wait()
}

// processor is the time of processors that this process has used.
func processor(t *testing.T) time.Duration {
	t.Helper()
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		t.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// paced calls do at a rate, whatever each takes, and gives how long each took from when it was due.
func paced(rate, seconds int, do func(n int)) []time.Duration {
	var mu sync.Mutex
	var times []time.Duration
	var next atomic.Int64
	begin := time.Now()
	var workers sync.WaitGroup
	for range 64 {
		workers.Go(func() {
			for {
				n := int(next.Add(1)) - 1
				if n >= rate*seconds {
					return
				}
				due := begin.Add(time.Duration(n) * time.Second / time.Duration(rate))
				time.Sleep(time.Until(due))
				do(n)
				took := time.Since(due)
				mu.Lock()
				times = append(times, took)
				mu.Unlock()
			}
		})
	}
	workers.Wait()
	return times
}

func count(times []time.Duration, above time.Duration) (n int) {
	for _, d := range times {
		if d > above {
			n++
		}
	}
	return n
}

func spread(times []time.Duration) string {
	slices.Sort(times)
	at := func(part float64) time.Duration {
		return times[min(int(part*float64(len(times))), len(times)-1)].Round(10 * time.Microsecond)
	}
	return fmt.Sprintf("median %s, 99%% %s, 99.9%% %s, most %s; %d of %d above 20 ms", at(0.5), at(0.99), at(0.999), at(1), count(times, 20*time.Millisecond), len(times))
}

// TestScaleJournal: 10 million entries of 200 machines in 30 days, brought as machines bring them, and what rules did told from them.
func TestScaleJournal(t *testing.T) {
	scale(t)
	const machines, each, days = 200, 50_000, 30
	cluster := fleettest.Start(t, 3, fleettest.Options{MaxStore: 16 << 30})
	f := fleet.New(fleet.Config{URLs: cluster.URLs(), Namespace: "main"})
	t.Cleanup(f.Close)
	cluster.Wait("ledger", func() bool { _, _, err := f.Ledger("x").Day(t.Context(), "20261116"); return err == nil })
	agents := []string{"claude", "codex", "gemini", "copilot", "pi"}
	began, wrote := time.Now(), time.Duration(0)
	for m := range machines {
		state := t.TempDir()
		j := journal.At(state)
		start := time.Now()
		for from := 0; from < each; from += 5000 {
			list := make([]journal.Entry, 0, 5000)
			for n := from; n < from+5000; n++ {
				list = append(list, journal.Entry{
					Time: noon.Add(-time.Duration(n) * (days * 24 * time.Hour / each)), Source: journal.Hook, Agent: &agents[m%len(agents)],
					Workspace: journal.Text(fmt.Sprintf("/home/dev/repository-%d", (m+n%3)%40)), Rule: fmt.Sprintf("rule-%d", n%50), Action: journal.Denied,
				})
			}
			if _, err := j.Add(t.Context(), list...); err != nil {
				t.Fatal(err)
			}
		}
		wrote += time.Since(start)
		c := &tally.Carrier{
			Journal: j, Ledger: f.Ledger(fmt.Sprintf("machine%d", m)), State: tally.StateFile(state), Detail: tally.Entries, Namespace: "main",
			Keep: 40 * 24 * time.Hour, Now: func() time.Time { return noon },
		}
		if n, err := c.Carry(t.Context()); err != nil || n != each {
			t.Fatal(n, err)
		}
		if err := os.RemoveAll(state); err != nil {
			t.Fatal(err)
		}
	}
	took := time.Since(began) - wrote
	t.Logf("journal: %d entries of %d machines brought in %s, %.0f a second", machines*each, machines, took.Round(time.Second), machines*each/took.Seconds())
	for range 3 {
		start, used := time.Now(), processor(t)
		s := tally.NewSummary(noon.AddDate(0, 0, -days), noon)
		if err := f.Ledger("").Sum(t.Context(), s); err != nil {
			t.Fatal(err)
		}
		r := s.Report(nil)
		took := time.Since(start)
		t.Logf("journal: %d entries, %d machines, %d rules, %d repositories of %d days told in %s; %s of processor time with the servers",
			r.Total.Denied, r.Machines, len(r.Rules), len(r.Repositories), len(r.Days), took.Round(time.Millisecond), (processor(t) - used).Round(time.Millisecond))
		if r.Total.Denied != machines*each {
			t.Errorf("%d entries are counted, of %d", r.Total.Denied, machines*each)
		}
		if took > 2*time.Second {
			t.Errorf("it took %s", took)
		}
	}
	for _, name := range []string{"pertain_main_tally", "pertain_main_journal"} {
		js, err := f.JetStream(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		stream, err := js.Stream(t.Context(), name)
		if err != nil {
			t.Fatal(err)
		}
		state := stream.CachedInfo().State
		t.Logf("journal: %s has %d messages, %.1f MB on each of three nodes", name, state.Msgs, float64(state.Bytes)/1e6)
	}
}

// TestScalePush: a push is on the disks of 200 watching clients, each with a connection of its own, within a second.
func TestScalePush(t *testing.T) {
	scale(t)
	const clients = 200
	cluster := fleettest.Start(t, 3, fleettest.Options{})
	signer, err := fleet.NewSigner()
	if err != nil {
		t.Fatal(err)
	}
	key, err := signer.Public()
	if err != nil {
		t.Fatal(err)
	}
	trust, problems := revision.NewTrust("main", []string{key.String()})
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	lead := fleet.New(fleet.Config{URLs: cluster.URLs(), Namespace: "main"})
	t.Cleanup(lead.Close)
	push := func(n int) {
		t.Helper()
		contents := map[string][]byte{}
		var list []revision.File
		for i := range 20 { // a rulebook; one of its rules is another with each push
			text := []byte(fmt.Sprintf("---\nttsr_trigger: word%d\n---\nRule %d.\n", i, i+n*max(0, 1-i)))
			sum := revision.Sum(text)
			contents[sum] = text
			list = append(list, revision.File{Path: fmt.Sprintf("rules/rule-%02d.md", i), Sum: sum, Size: len(text)})
		}
		if _, err := lead.Book(trust).Push(t.Context(), signer, fleet.Draft{Files: revision.Sorted(list), Contents: contents, Author: "lead", Time: noon}); err != nil {
			t.Fatal(err)
		}
	}
	push(0)
	ctx, stop := context.WithCancel(t.Context())
	taken := make(chan int64, clients)
	var watching sync.WaitGroup
	for range clients {
		f := fleet.New(fleet.Config{URLs: cluster.URLs(), Namespace: "main"})
		t.Cleanup(f.Close)
		store := revision.Store{Dir: t.TempDir()}
		watching.Go(func() {
			f.Book(trust).Follow(ctx, store, func(e fleet.Event) {
				if e.Taken != nil {
					taken <- e.Taken.Revision
				}
			})
		})
	}
	all := func(number int64) time.Duration {
		start := time.Now()
		for range clients {
			for got := int64(0); got < number; {
				got = <-taken
			}
		}
		return time.Since(start)
	}
	t.Logf("push: %d clients have the first revision after %s", clients, all(1).Round(time.Millisecond))
	for n := range 5 {
		start, used := time.Now(), processor(t)
		push(n + 1)
		pushed := time.Since(start)
		all(int64(n + 2))
		took := time.Since(start)
		t.Logf("push: pushed in %s, on the disks of %d clients %s after it began; %s of processor time with the servers",
			pushed.Round(time.Millisecond), clients, took.Round(time.Millisecond), (processor(t) - used).Round(time.Millisecond))
	}
	stop()
	watching.Wait()
}
