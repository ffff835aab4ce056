package pertain

import (
	"cmp"
	"context"
	"slices"
	"sync"
	"time"

	"github.com/pertain-dev/pertain/cond"
	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/facts"
	"github.com/pertain-dev/pertain/internal/glob"
	"github.com/pertain-dev/pertain/strategy"
)

// MatchOptions say what a match returns. The zero value returns what is
// recommended.
type MatchOptions struct {
	All bool // also what is not recommended, with missing paths and mismatches
}

// Match is the answer of [Engine.Match].
type Match struct {
	Candidates  []Candidate
	Diagnostics diag.List // everything known of loading and of this match
	Notices     []Notice
}

// Notice is something to show an ordinary user.
type Notice struct {
	Code    string `json:"code"`
	Message string `json:"message"`
}

// slowNotice is what users are told when a time limit was reached (MS §19).
var slowNotice = Notice{Code: "strategies.slow", Message: "Some strategies took too long to check and were skipped."}

// Match decides which strategies are recommended in a context, in the order of
// MS §17.
func (e *Engine) Match(ctx context.Context, snapshot *facts.Snapshot, options MatchOptions) (Match, error) {
	catalog := e.Catalog()
	m := Match{Diagnostics: slices.Clone(catalog.diagnostics)}
	for _, s := range catalog.strategies {
		if !s.Trusted {
			m.Diagnostics.Add(untrustedStrategy(s))
		}
	}
	ev := cond.NewEvaluation(snapshot)
	ev.ShareSlow()
	matched := make(map[int]Candidate)
	catalog.match(ctx, ev, func(hit cond.Hit) {
		s := catalog.strategies[catalog.member[hit.Member]]
		hit.Diagnostics.ForStrategy(s.ID)
		m.Diagnostics = append(m.Diagnostics, hit.Diagnostics...)
		e.watchSlow(s, hit.Result, hit.Diagnostics, &m)
		if hit.Result == cond.True {
			matched[catalog.member[hit.Member]] = catalog.candidate(s, hit.Result, hit.Duration, hit.Diagnostics)
		}
	})
	if err := ctx.Err(); err != nil {
		return Match{}, err
	}
	if options.All {
		if err := e.matchRest(ctx, catalog, ev, matched, &m); err != nil {
			return Match{}, err
		}
		return m, nil
	}
	for _, c := range matched {
		m.Candidates = append(m.Candidates, c)
	}
	slices.SortFunc(m.Candidates, catalog.compare)
	return m, nil
}

// matchRest adds what is not recommended: evaluated in full, with everything
// that can be said about it.
func (e *Engine) matchRest(ctx context.Context, catalog *Catalog, ev *cond.Evaluation, matched map[int]Candidate, m *Match) error {
	var rest []Candidate
	seen := sightings{}
	seen.add(m.Diagnostics)
	for i, s := range catalog.strategies {
		if err := ctx.Err(); err != nil {
			return err
		}
		c, hit := matched[i]
		if !hit {
			c = catalog.candidate(s, cond.Null, 0, nil)
		}
		if active(s) {
			var list diag.List
			start := time.Now()
			result, _ := s.Program.Explain(ev, s.Limits, &list, false)
			if !hit {
				c.Result, c.Duration = result, time.Since(start)
			}
			list.ForStrategy(s.ID)
			own := sightings{}
			own.add(c.Diagnostics)
			c.Diagnostics = append(c.Diagnostics, own.add(list)...)
			m.Diagnostics = append(m.Diagnostics, seen.add(list)...)
			e.watchSlow(s, c.Result, list, m)
		}
		if c.Result == cond.True {
			m.Candidates = append(m.Candidates, c)
		} else {
			rest = append(rest, c)
		}
	}
	slices.SortFunc(m.Candidates, catalog.compare)
	slices.SortFunc(rest, catalog.compare)
	m.Candidates = append(m.Candidates, rest...)
	return nil
}

// sightings are the diagnostics that were reported already.
type sightings map[sighting]bool

type sighting struct {
	code     diag.Code
	strategy string
	source   *diag.Source
	span     diag.Span
}

// add returns those of a list that are new.
func (seen sightings) add(list diag.List) diag.List {
	var fresh diag.List
	for _, d := range list {
		key := sighting{d.Code, d.Strategy, d.Source, d.Span}
		if !seen[key] {
			seen[key] = true
			fresh = append(fresh, d)
		}
	}
	return fresh
}

// watchSlow adds the notice when a time limit left a strategy undecided, and
// logs builtin strategies, which must never be slow.
func (e *Engine) watchSlow(s *strategy.Strategy, result cond.Tri, list diag.List, m *Match) {
	for _, d := range list {
		switch d.Code {
		case diag.StrategyTimeout, diag.ConditionTimeout, diag.RegexTimeout, diag.VisualQueryTimeout:
		default:
			continue
		}
		if result == cond.Null && !slices.Contains(m.Notices, slowNotice) && e.notices.allow(time.Now()) {
			m.Notices = append(m.Notices, slowNotice)
		}
		if e.options.Logger != nil && s.Provider == "builtin" {
			e.options.Logger.Warn("slow builtin strategy", "strategy", s.ID, "code", string(d.Code), "limit", d.Duration)
		}
	}
}

// compare is the order of MS §17: priority, provider, name without case, id.
func (c *Catalog) compare(a, b Candidate) int {
	return cmp.Or(
		cmp.Compare(b.Strategy.Priority, a.Strategy.Priority),
		cmp.Compare(c.order[a.Strategy.Provider], c.order[b.Strategy.Provider]),
		cmp.Compare(glob.Fold(a.Strategy.Name), glob.Fold(b.Strategy.Name)),
		cmp.Compare(strategy.Key(a.Strategy.ID), strategy.Key(b.Strategy.ID)),
		cmp.Compare(a.Strategy.Source.Name(), b.Strategy.Source.Name()),
	)
}

// noticeGap is how long users are left in peace after a notice (MS §19.3).
const noticeGap = time.Minute

// noticeGate lets a notice through now and then. The first always passes.
type noticeGate struct {
	mu   sync.Mutex
	last time.Time
}

func (g *noticeGate) allow(now time.Time) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	if !g.last.IsZero() && now.Sub(g.last) < noticeGap {
		return false
	}
	g.last = now
	return true
}
