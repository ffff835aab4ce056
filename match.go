package pertain

import (
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/pertain-dev/pertain/cond"
	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/facts"
	"github.com/pertain-dev/pertain/strategy"
)

// MatchOptions say what a match returns. The zero value returns what is
// recommended.
type MatchOptions struct {
	All     bool // also what is not recommended, with missing paths and mismatches
	Reasons bool // also why the recommended ones match
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

// slowNotice is what users are told when a time limit was reached (docs/reference/json.md).
var slowNotice = Notice{Code: "strategies.slow", Message: "Some strategies took too long to check and were skipped."}

// Match decides which strategies are recommended in a context, in the order of
// docs/reference/strategies.md. A nil snapshot is one in which nothing is known.
func (e *Engine) Match(ctx context.Context, snapshot *facts.Snapshot, options MatchOptions) (Match, error) {
	catalog := e.Catalog()
	snapshot = orNothing(snapshot)
	m := Match{Diagnostics: slices.Concat(catalog.diagnostics, catalog.untrusted, snapshot.Diagnostics())}
	ev := cond.NewEvaluation(snapshot)
	ev.ShareSlow()
	ev.SetBudget(cmp.Or(catalog.budget, cond.DefaultBudget))
	hits := make(map[int]Candidate) // what matching had something to say about
	var found []cond.Hit
	catalog.match(ctx, ev, func(hit cond.Hit) { found = append(found, hit) })
	slices.SortFunc(found, func(a, b cond.Hit) int { return cmp.Compare(a.Condition, b.Condition) }) // what is slow comes last, whichever that is
	for _, hit := range found {
		s := catalog.strategies[catalog.condition[hit.Condition]]
		s.Claim(hit.Diagnostics)
		m.Diagnostics = append(m.Diagnostics, hit.Diagnostics...)
		e.watchSlow(s, hit.Result, hit.Diagnostics, &m)
		if hit.Result == cond.True || options.All {
			hits[catalog.condition[hit.Condition]] = catalog.candidate(s, snapshot, hit.Result, hit.Duration, hit.Diagnostics)
		}
	}
	if err := ctx.Err(); err != nil {
		return Match{}, err
	}
	if late := snapshot.Late(); len(late) > 0 && len(m.Notices) == 0 && catalog.skips(ev, late) {
		m.Notices = append(m.Notices, slowNotice)
	}
	if options.All {
		if err := e.matchRest(ctx, catalog, ev, snapshot, hits, &m); err != nil {
			return Match{}, err
		}
	} else {
		m.Candidates = slices.Grow(m.Candidates, len(hits))
		for _, c := range hits {
			m.Candidates = append(m.Candidates, c)
		}
		slices.SortFunc(m.Candidates, catalog.compare)
	}
	if options.Reasons {
		for i := range m.Candidates {
			if c := &m.Candidates[i]; c.Result == cond.True && ctx.Err() == nil {
				c.Reasons = catalog.reasonsOf(c.Strategy, ev)
			}
		}
	}
	m.limit()
	return m, nil
}

// limit keeps the diagnostics of a match to what a reader can take in.
func (m *Match) limit() {
	if len(m.Diagnostics) > diag.MaxListed {
		m.Diagnostics = m.Diagnostics.Limit()
	}
	lists := make([]*diag.List, len(m.Candidates))
	for i := range m.Candidates {
		lists[i] = &m.Candidates[i].Diagnostics
	}
	diag.LimitTogether(lists)
}

// matchRest adds what is not recommended: evaluated in full, with everything
// that can be said about it. What matching came to stands.
func (e *Engine) matchRest(ctx context.Context, catalog *Catalog, ev *cond.Evaluation, snapshot *facts.Snapshot, hits map[int]Candidate, m *Match) error {
	var rest []Candidate
	seen := reported{}
	seen.add(m.Diagnostics)
	for i, s := range catalog.strategies {
		if err := ctx.Err(); err != nil {
			return err
		}
		c, hit := hits[i]
		if !hit {
			c = catalog.candidate(s, snapshot, cond.Null, 0, nil)
		}
		if active(s) {
			var list diag.List
			limits := s.Limits
			left := max(ev.Left(), 1)
			late := left < limits.Or(cond.DefaultLimits()).Matching
			if late {
				limits.Matching = left
			}
			if slices.ContainsFunc(c.Diagnostics, expired) {
				limits.Matching = 1 // it has had its time: only what is cheap is left to say
			}
			result, took := s.Program.Review(ev, limits, &list)
			if !hit {
				c.Result, c.Duration = result, took
				if late && slices.ContainsFunc(list, expired) {
					list = append(slices.DeleteFunc(list, expired), ev.OutOfBudget(s.Program))
				}
			} else {
				list = slices.DeleteFunc(list, expired)
			}
			s.Claim(list)
			own := reported{}
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

// expired tells that a strategy's time was over.
func expired(d diag.Diagnostic) bool {
	return d.Code == diag.StrategyTimeout || d.Code == diag.MatchBudget
}

// reported are the diagnostics that were reported already.
type reported map[reportKey]bool

type reportKey struct {
	code     diag.Code
	strategy string
	source   *diag.Source
	span     diag.Span
}

// add returns those of a list that are new.
func (seen reported) add(list diag.List) diag.List {
	var fresh diag.List
	for _, d := range list {
		key := reportKey{d.Code, d.Strategy, d.Source, d.Span}
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
		case diag.MatchBudget, diag.StrategyTimeout, diag.ConditionTimeout, diag.RegexTimeout, diag.VisualQueryTimeout:
		default:
			continue
		}
		if result == cond.Null && !slices.Contains(m.Notices, slowNotice) {
			m.Notices = append(m.Notices, slowNotice)
		}
		if e.options.Logger != nil && s.Provider == "builtin" {
			e.options.Logger.Warn("slow builtin strategy", "strategy", s.ID, "code", string(d.Code), "limit", d.Duration)
		}
	}
}

// skips tells whether a strategy is left undecided by what took too long to
// collect.
func (c *Catalog) skips(ev *cond.Evaluation, late []string) bool {
	for _, i := range c.condition {
		s := c.strategies[i]
		if ev.Left() <= 0 || !s.When.Reads(late...) {
			continue
		}
		var list diag.List
		if s.Program.Eval(ev, s.Limits, &list) == cond.Null {
			return true
		}
	}
	return false
}

// compare is the order of docs/reference/strategies.md: priority, provider, name without case, id. Each
// is looked at only where those before it are equal.
func (c *Catalog) compare(a, b Candidate) int {
	if n := cmp.Compare(b.Strategy.Priority, a.Strategy.Priority); n != 0 {
		return n
	}
	if a.Strategy.Provider != b.Strategy.Provider {
		if n := cmp.Compare(c.order[a.Strategy.Provider], c.order[b.Strategy.Provider]); n != 0 {
			return n
		}
	}
	return cmp.Or(
		cmp.Compare(a.encoded.name, b.encoded.name),
		cmp.Compare(a.encoded.id, b.encoded.id),
		cmp.Compare(a.Strategy.Source.Name(), b.Strategy.Source.Name()),
	)
}

// NoticeGap is how long a person is left in peace after a notice was shown
// (docs/reference/json.md). Every match has its notices; who shows them keeps the gap.
const NoticeGap = time.Minute
