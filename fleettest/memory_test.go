package fleettest_test

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/pertain-dev/pertain/fleettest"
	"github.com/pertain-dev/pertain/gateway"
	"github.com/pertain-dev/pertain/internal/conversations"
	"github.com/pertain-dev/pertain/internal/fleet"
	"github.com/pertain-dev/pertain/stream"
	"github.com/pertain-dev/pertain/stream/memorytest"
)

// machine is one of a fleet: its own files, and its own connection.
type machine struct {
	*conversations.Shared
	fleet *fleet.Fleet
}

func newMachine(t *testing.T, name string, config fleet.Config, patience time.Duration) *machine {
	t.Helper()
	config.Namespace = "main"
	f := fleet.New(config)
	t.Cleanup(f.Close)
	folder := t.TempDir()
	m := &machine{conversations.NewShared(conversations.SharedOptions{
		Store: conversations.Store{Folder: filepath.Join(folder, "gateway")}, Bucket: f.Memory(), Machine: name, Mark: filepath.Join(folder, "mark"), Patience: patience,
	}), f}
	return m
}

// ready waits until the machine has reached the fleet, and made its bucket.
func (m *machine) ready(t *testing.T, c *fleettest.Cluster) {
	t.Helper()
	c.Wait("bucket", func() bool { _, _, err := m.fleet.Memory().Get(t.Context(), "none"); return err == nil })
}

// carried waits until the machine has nothing left to carry.
func (m *machine) carried(t *testing.T, c *fleettest.Cluster) {
	t.Helper()
	c.Wait("end of carrying", func() bool { _, err := m.Carry(t.Context()); return err == nil })
}

// trouble kills and cuts nodes, one after the other, until it is told to end; then all are as they were.
func trouble(c *fleettest.Cluster) (end func()) {
	stop, ended := make(chan struct{}), make(chan struct{})
	pause := func() bool {
		select {
		case <-stop:
			return false
		case <-time.After(300 * time.Millisecond):
			return true
		}
	}
	go func() {
		defer close(ended)
		for n := 0; ; n++ {
			i := n % 3
			if n%2 == 0 {
				c.Kill(i)
			} else {
				c.Cut(i)
			}
			more := pause()
			if n%2 == 0 {
				c.Restart(i)
			} else {
				c.Heal(i)
			}
			if !more || !pause() {
				return
			}
		}
	}()
	return func() { close(stop); <-ended }
}

// TestMemory: what is checked of a memory on one machine holds for two that use it in turn on a cluster of three, and for one while nodes
// are killed and its network is cut.
func TestMemory(t *testing.T) {
	cluster := fleettest.Start(t, 3, fleettest.Options{})
	one := newMachine(t, "one", fleet.Config{URLs: cluster.URLs()}, time.Minute)
	two := newMachine(t, "two", fleet.Config{URLs: cluster.URLs()}, time.Minute)
	one.ready(t, cluster)
	two.ready(t, cluster)
	t.Run("in turn", func(t *testing.T) {
		calls := 0
		memorytest.Run(t, func(*testing.T) stream.Memory {
			calls++
			return conversations.Record{Memory: []gateway.Memory{one, two}[calls%2], ID: "in turn"}
		})
	})
	t.Run("in trouble", func(t *testing.T) {
		alone := newMachine(t, "alone", fleet.Config{URLs: cluster.URLs()}, 0)
		ctx, stop := context.WithCancel(t.Context())
		var running sync.WaitGroup
		running.Go(func() { alone.Run(ctx) })
		end := trouble(cluster)
		for round := range 8 {
			id := fmt.Sprint("in trouble ", round)
			memorytest.Run(t, func(*testing.T) stream.Memory { return conversations.Record{Memory: alone, ID: id} })
		}
		end()
		stop()
		running.Wait()
		alone.carried(t, cluster)
		for round := range 8 {
			id := fmt.Sprint("in trouble ", round)
			want, _ := conversations.Record{Memory: alone, ID: id}.Load(t.Context())
			got, err := conversations.Record{Memory: one, ID: id}.Load(t.Context())
			if err != nil || got.Turn != want.Turn || len(got.Injected) != len(want.Injected) || want.Turn == 0 {
				t.Errorf("%s: %+v, %v, want %+v", id, got, err, want)
			}
		}
	})
}

// TestNothingIsForgotten: three gateways tell models rules in the same conversations while nodes are killed and cables are pulled. Afterwards
// each of them knows all that any was told to remember, and no call has failed.
func TestNothingIsForgotten(t *testing.T) {
	cluster := fleettest.Start(t, 3, fleettest.Options{})
	var machines []*machine
	ctx, stop := context.WithCancel(t.Context())
	var running sync.WaitGroup
	for i := range 3 {
		m := newMachine(t, fmt.Sprint("m", i), fleet.Config{URLs: cluster.URLs()}, 0)
		machines = append(machines, m)
		running.Go(func() { m.Run(ctx) })
	}
	machines[0].ready(t, cluster)
	end := trouble(cluster)
	var told sync.WaitGroup
	for i, m := range machines {
		told.Go(func() {
			for n := range 100 {
				id := fmt.Sprint("c", n%10)
				if err := m.Update(t.Context(), id, func(c *gateway.Conversation) {
					if c.Record.Injected == nil {
						c.Record.Injected = map[string]int64{}
					}
					c.Record.Injected[fmt.Sprintf("rule-%d-%d", i, n)] = 1
				}); err != nil {
					t.Error(err)
				}
			}
		})
	}
	told.Wait()
	end()
	stop()
	running.Wait()
	for _, m := range machines {
		m.carried(t, cluster)
	}
	fresh := newMachine(t, "fresh", fleet.Config{URLs: cluster.URLs()}, time.Minute)
	fresh.ready(t, cluster)
	for _, m := range append(machines, fresh) {
		rules := map[string]bool{} // a load that is late gives what this machine knows: it is asked again
		cluster.Wait("memory of all 300 rules", func() bool {
			_, _ = m.Carry(t.Context()) // after a late one, who carries finds out that the fleet is there, and nobody does any more
			for n := range 10 {
				c, err := m.Load(t.Context(), fmt.Sprint("c", n))
				if err != nil {
					t.Fatal(err)
				}
				for name := range c.Record.Injected {
					rules[name] = true
				}
			}
			return len(rules) == 300
		})
	}
}

// TestBucketIsPlain: what is in the bucket holds no names and no text, and expires.
func TestBucketIsPlain(t *testing.T) {
	cluster := fleettest.Start(t, 1, fleettest.Options{})
	one := newMachine(t, "one", fleet.Config{URLs: cluster.URLs(), Member: "alice"}, time.Minute)
	one.ready(t, cluster)
	if err := one.Update(t.Context(), "conversation-7", func(c *gateway.Conversation) {
		c.Splices = []gateway.Splice{{Steps: []gateway.Step{{Reminder: "never call eval"}}}}
		c.Record.Injected = map[string]int64{"no-eval": 1}
	}); err != nil {
		t.Fatal(err)
	}
	js, err := one.fleet.JetStream(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	bucket, err := js.KeyValue(t.Context(), "pertain_main_memory")
	if err != nil {
		t.Fatal(err)
	}
	keys, err := bucket.Keys(t.Context())
	if err != nil || len(keys) != 1 || !strings.HasPrefix(keys[0], "alice.") {
		t.Fatal(keys, err)
	}
	entry, err := bucket.Get(t.Context(), keys[0])
	if err != nil {
		t.Fatal(err)
	}
	for _, secret := range []string{"eval", "conversation-7", "never"} {
		if strings.Contains(keys[0]+string(entry.Value()), secret) {
			t.Errorf("%q is there", secret)
		}
	}
	status, err := bucket.Status(t.Context())
	if err != nil || status.TTL() != 30*24*time.Hour || status.History() != 1 {
		t.Error(status, err)
	}
	// One that was removed by hand is written again.
	if err := bucket.Delete(t.Context(), keys[0]); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if err := one.Update(t.Context(), "conversation-7", func(c *gateway.Conversation) { c.Record.Turn++ }); err != nil {
			t.Fatal(err)
		}
	}
	two := newMachine(t, "two", fleet.Config{URLs: cluster.URLs(), Member: "alice"}, time.Minute)
	if c, err := two.Load(t.Context(), "conversation-7"); err != nil || c.Record.Turn != 2 || len(c.Splices) != 1 {
		t.Errorf("%+v, %v", c, err)
	}
}
