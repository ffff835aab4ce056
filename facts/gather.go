package facts

import (
	"context"
	"maps"
	"strings"
	"sync"
	"time"
)

// patience is how long a collector may take to come back after its context has
// ended. One that takes longer is stuck.
const patience = 5 * time.Millisecond

// Gatherer turns needs into a snapshot by asking collectors (docs/reference/paths.md). Make one
// with [NewGatherer] and keep it: it knows which collectors are stuck. It is
// safe for concurrent use; gatherings share nothing else.
type Gatherer struct {
	collectors []Collector
	infos      []CollectorInfo

	mu    sync.Mutex
	stuck []stuck // by collector
}

// stuck are the calls of one collector that nobody waits for any more.
type stuck struct {
	calls int
	since time.Time // when the first of them began
}

// NewGatherer makes a gatherer of collectors in the order in which they are
// asked.
func NewGatherer(collectors ...Collector) *Gatherer {
	g := &Gatherer{collectors: collectors, infos: make([]CollectorInfo, len(collectors)), stuck: make([]stuck, len(collectors))}
	for i, c := range collectors {
		g.infos[i] = c.Info()
	}
	return g
}

// Gather collects what is needed and not in the base already, and nothing else.
//
// All needs are collected at the same time, those of one collector in one call.
// For each need the first collector is asked that serves it and can collect; if
// it fails or does not know, the next one, while there is time. What nobody
// could tell is absent in the snapshot, with the reason, and has a diagnostic.
// A failure that another collector made good is told as well, as info.
//
// limit is the time that all this may take, and so the most that any call gets
// (extraTimeout; of several strategies' limits the caller passes the largest).
// Zero or less is no limit but ctx's own. A collector that is not back shortly
// after is abandoned: what it says later is dropped, and until it returns it is
// not called again; whoever needs it gets extra.provider_timeout at once. So
// stuck calls never pile up: there are at most as many as gatherings were under
// way when the collector got stuck, which is one if they follow each other.
//
// The error is ctx's, when it ended first; there is no snapshot then.
func (g *Gatherer) Gather(ctx context.Context, needs Needs, base Parts, limit time.Duration) (Gathering, error) {
	if err := ctx.Err(); err != nil {
		return Gathering{}, err
	}
	wants := wantsOf(needs, base)
	var open []*want
	for _, w := range wants {
		if !w.settled && len(w.attempts) == 0 {
			open = append(open, w)
		}
	}
	if len(open) > 0 {
		g.collect(ctx, open, base, limit)
		if err := ctx.Err(); err != nil {
			return Gathering{}, err
		}
	}
	return assemble(wants, base), nil
}

// wantsOf lists the needs; what the base says something about is answered.
func wantsOf(needs Needs, base Parts) []*want {
	wants := make([]*want, 0, len(needs.names))
	for _, need := range needs.names {
		w := &want{need: need, segments: strings.Split(need, "."), parts: needs.partsOf(need)}
		wants = append(wants, w)
		if why, told := base.Absent[need]; told {
			w.settled, w.provider = why.Code == "", why.Provider
			if !w.settled {
				w.attempts = []attempt{{provider: why.Provider, code: why.Code, reason: why.Reason}}
			}
			continue
		}
		v, told := find(base.Values, w.segments)
		if need == Visual {
			w.tree, w.settled = base.Tree, base.Tree != nil || told
		} else {
			w.value, w.settled = v, told
		}
	}
	return wants
}

// assemble puts the base and everything that was found together.
func assemble(wants []*want, base Parts) Gathering {
	var out Gathering
	parts := Parts{Values: base.Values, Tree: base.Tree, Absent: maps.Clone(base.Absent), Diagnostics: base.Diagnostics}
	for _, w := range wants {
		switch {
		case w.tree != nil:
			parts.Tree = w.tree
			if _, told := find(parts.Values, primaryPath.segments); !told && !w.value.IsAbsent() {
				parts.Values = put(parts.Values, primaryPath.segments, w.value)
			}
		case w.available():
			parts.Values = put(parts.Values, w.segments, w.value)
		default:
			if why, ok := w.absence(); ok {
				parts.explain(w.need, why)
			}
		}
		for _, l := range w.lacks {
			parts.explain(l.Path, Absence{Code: l.code(), Provider: w.provider, Reason: l.Reason})
		}
		report := w.report()
		out.Parts = append(out.Parts, report)
		out.Diagnostics = append(out.Diagnostics, report.Diagnostics...)
	}
	out.Snapshot = NewSnapshot(parts)
	return out
}

// explain notes why something is not there, unless that is known already.
func (p *Parts) explain(name string, why Absence) {
	if _, told := p.Absent[name]; told {
		return
	}
	if p.Absent == nil {
		p.Absent = map[string]Absence{}
	}
	p.Absent[name] = why
}

// call is one call of a collector. Who looks at its flags holds Gatherer.mu.
type call struct {
	collector int
	wants     []*want
	began     time.Time
	returned  bool
	abandoned bool
}

// answer is what a call came back with.
type answer struct {
	call     *call
	declined bool // it cannot collect now
	part     Part
	err      error
	took     time.Duration
	late     bool // its context had ended
}

// run makes the call; it is the goroutine that everything foreign runs in, so
// that a collector which hangs anywhere is abandoned.
func (g *Gatherer) run(ctx context.Context, c *call, base *Snapshot, answers chan<- answer) {
	a := answer{call: c}
	request := Request{}
	for _, w := range c.wants {
		request.Needs.Add(w.need)
		request.Needs.Add(w.parts...)
	}
	collector := g.collectors[c.collector]
	if collector.CanCollect(ctx, base, request) {
		a.part, a.err = collector.Collect(ctx, base, request)
	} else {
		a.declined = true
	}
	a.took, a.late = time.Since(c.began), ctx.Err() != nil
	g.mu.Lock()
	c.returned = true
	if c.abandoned {
		g.stuck[c.collector].calls--
	}
	dropped := c.abandoned
	g.mu.Unlock()
	if !dropped {
		answers <- a // never blocks: there is room for a call of each collector
	}
}

// abandon stops waiting for a call, unless it has returned.
func (g *Gatherer) abandon(c *call) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	if c.returned {
		return false
	}
	c.abandoned = true
	s := &g.stuck[c.collector]
	if s.calls == 0 || c.began.Before(s.since) {
		s.since = c.began
	}
	s.calls++
	return true
}

// stuckFor is how long the collector's stuck call has been going on, or 0.
func (g *Gatherer) stuckFor(collector int) time.Duration {
	g.mu.Lock()
	defer g.mu.Unlock()
	s := g.stuck[collector]
	if s.calls == 0 {
		return 0
	}
	return time.Since(s.since)
}

// collect asks until every want is settled, has nobody left to ask, or the time
// is over.
func (g *Gatherer) collect(ctx context.Context, wants []*want, base Parts, limit time.Duration) {
	if limit > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, limit)
		defer cancel()
	}
	r := &round{
		Gatherer: g,
		ctx:      ctx,
		base:     NewSnapshot(base),
		limit:    limit,
		answers:  make(chan answer, len(g.collectors)),
		running:  make([]*call, len(g.collectors)),
		waiting:  make([][]*want, len(g.collectors)),
	}
	r.ask(wants)
	r.wait()
}
