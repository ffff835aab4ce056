package stream

import (
	"errors"
	"fmt"
	"time"

	"github.com/pertain-dev/pertain/bench/measure"
	"github.com/pertain-dev/pertain/internal/regex/regextest"
	"github.com/pertain-dev/pertain/stream"
)

// matcher watches a text that comes in pieces.
type matcher struct {
	name  string
	reset func()
	feed  func(piece string) // takes note of what it finds
	found func(trigger int) bool
}

// outside is a peer that runs in a process of its own and tells its time.
type outside struct {
	name string
	// run gives the nanoseconds that a piece takes. It checks the control first.
	run func(c *Corpus, pieces []string, quick bool) (float64, error)
}

// missingError is for a peer that is not installed.
type missingError struct{ what string }

func (e missingError) Error() string { return e.what + " is not installed" }

const size = 200 << 10

// Run measures all sizes.
func Run(b *measure.Bench) error {
	pieces := regextest.Pieces(regextest.Output(size, 3))
	for _, n := range []int{10, 100, 1000, 5000} {
		c := NewCorpus(n)
		if err := one(b, c, pieces); err != nil {
			return err
		}
		build(b, c)
	}
	return nil
}

func one(b *measure.Bench, c *Corpus, pieces []string) error {
	n := len(c.Patterns)
	own, err := pertain(c)
	if err != nil {
		return err
	}
	peers := []func(*Corpus) (*matcher, error){goLine}
	if !b.Late("go-re2", 5*time.Second) {
		peers = append(peers, re2Line)
	}
	matchers := []*matcher{own}
	for _, peer := range peers {
		m, err := peer(c)
		if err != nil {
			return err
		}
		matchers = append(matchers, m)
	}
	for _, m := range matchers {
		if err := control(c, m); err != nil {
			return err
		}
	}
	var engines []measure.Engine
	for _, m := range matchers {
		engines = append(engines, measure.Engine{Name: m.name, Run: func(run int) {
			at := run % len(pieces)
			if at == 0 {
				m.reset()
			}
			m.feed(pieces[at])
		}})
	}
	var mine float64
	probe := *b
	probe.Emit = func(r measure.Result) {
		mine = r.PertainNS
		b.Emit(r)
	}
	warm(own, pieces) // the states of the automaton are there
	probe.Compare(measure.Case{Name: "piece of 4 to 20 bytes", N: n}, engines[0], engines[1:]...)
	long := measure.Engine{Name: "in the first 200 KB", Run: engines[0].Run}
	other, _ := pertain(c)
	warm(other, pieces)
	for range 20 { // four megabytes
		warm(other, pieces)
	}
	b.Compare(measure.Case{Name: "piece after 4 MB", N: n}, measure.Engine{Name: "pertain", Run: func(run int) { other.feed(pieces[run%len(pieces)]) }}, long)
	for _, peer := range []outside{vectorscan(), nodePeer("node-line"), nodePeer("node-buffer")} {
		if b.Late(peer.name, 5*time.Second) || mine == 0 {
			continue
		}
		ns, err := peer.run(c, pieces, b.Quick)
		if missing, ok := errors.AsType[missingError](err); ok {
			b.Notef("%s is left out: %s", peer.name, missing)
			continue
		}
		if err != nil {
			return fmt.Errorf("%s: %w", peer.name, err)
		}
		b.Emit(measure.Result{Workload: b.Workload, Case: "piece of 4 to 20 bytes", N: n, PertainNS: mine, Peer: peer.name, PeerNS: ns, Ratio: ns / mine})
	}
	return nil
}

// warm feeds everything once without a reset.
func warm(m *matcher, pieces []string) {
	for _, p := range pieces {
		m.feed(p)
	}
}

// control checks that a matcher finds what was planted, in pieces.
func control(c *Corpus, m *matcher) error {
	for _, p := range c.Control {
		m.reset()
		for _, piece := range regextest.Pieces(p.Text) {
			m.feed(piece)
		}
		m.feed("\n")
		if !m.found(p.Trigger) {
			return fmt.Errorf("%s misses a planted match of trigger %d of %d", m.name, p.Trigger, len(c.Patterns))
		}
	}
	return nil
}

// pertain is the package under test.
func pertain(c *Corpus) (*matcher, error) {
	set, problems := stream.Compile(c.Triggers(), stream.Options{})
	if len(problems) > 0 {
		return nil, fmt.Errorf("trigger %d: %s", problems[0].Trigger, problems[0])
	}
	st := set.Stream()
	return &matcher{
		name:  "pertain",
		reset: st.Reset,
		feed:  func(piece string) { st.Feed(piece) },
		found: st.Fired,
	}, nil
}

// build measures how long making a set takes, and what it keeps. The peer compiles
// the expressions one by one with Go's library.
func build(b *measure.Bench, c *Corpus) {
	triggers := c.Triggers()
	kept := measure.Kept(func() any {
		set, _ := stream.Compile(triggers, stream.Options{})
		set.Stream().Feed(regextest.Output(size, 3))
		return set
	})
	probe := *b
	probe.Emit = func(r measure.Result) {
		r.Bytes = kept
		b.Emit(r)
	}
	probe.Compare(measure.Case{Name: "build a set", N: len(c.Patterns), Settle: true},
		measure.Engine{Name: "pertain", Run: func(int) { stream.Compile(triggers, stream.Options{}) }},
		measure.Engine{Name: "go", Run: func(int) { _, _ = goLine(c) }})
}
