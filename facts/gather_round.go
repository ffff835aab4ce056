package facts

import (
	"cmp"
	"context"
	"errors"
	"os"
	"strings"
	"time"

	"github.com/pertain-dev/pertain/diag"
)

// round is one gathering under way. It belongs to the goroutine that called
// Gather; calls talk to it by their answers alone.
type round struct {
	*Gatherer
	ctx     context.Context // ends with the time limit
	base    *Snapshot
	limit   time.Duration
	answers chan answer
	running []*call   // by collector; at most one call of each
	waiting [][]*want // by collector; what came up while it was running
}

// ask moves each want on to its next collector. Wants that meet there become
// one call.
func (r *round) ask(wants []*want) {
	groups := make([][]*want, len(r.collectors))
	for _, w := range wants {
		if c, ok := r.nextFor(w); ok {
			groups[c] = append(groups[c], w)
		}
	}
	for c, group := range groups {
		if len(group) > 0 {
			r.call(c, group)
		}
	}
}

// nextFor finds the collector that a want has not been to yet; without one, or
// without time, the want stays as it is.
func (r *round) nextFor(w *want) (int, bool) {
	for w.next < len(r.collectors) {
		c := w.next
		w.next++
		if !r.infos[c].serves(w.need) {
			continue
		}
		if r.ctx.Err() != nil {
			if w.why().code != diag.ExtraProviderTimeout { // else it is clear where the time went
				w.attempts = append(w.attempts, r.noTime(c))
			}
			return 0, false
		}
		return c, true
	}
	return 0, false
}

func (r *round) call(collector int, wants []*want) {
	if r.running[collector] != nil {
		r.waiting[collector] = append(r.waiting[collector], wants...)
		return
	}
	if since := r.stuckFor(collector); since > 0 {
		r.fail(wants, attempt{
			provider: r.infos[collector].ID,
			code:     diag.ExtraProviderTimeout,
			reason:   "an earlier call has not come back yet",
			took:     since,
		})
		r.ask(wants)
		return
	}
	c := &call{collector: collector, wants: wants, began: time.Now()}
	r.running[collector] = c
	go r.run(r.ctx, c, r.base, r.answers)
}

func (r *round) fail(wants []*want, a attempt) {
	for _, w := range wants {
		w.attempts = append(w.attempts, a)
	}
}

// wait takes answers until no call is under way, and after the time limit a
// little longer, so that a collector which heeds its context is not taken for a
// stuck one.
func (r *round) wait() {
	over := r.ctx.Done()
	var enough <-chan time.Time
	for r.underWay() > 0 {
		select {
		case a := <-r.answers:
			r.take(a)
		case <-over:
			over = nil
			timer := time.NewTimer(patience)
			defer timer.Stop()
			enough = timer.C
		case <-enough:
			r.leave()
		}
	}
}

func (r *round) underWay() int {
	n := 0
	for _, c := range r.running {
		if c != nil {
			n++
		}
	}
	return n
}

// leave abandons what is still running; a call that has just returned stays,
// and its answer comes next.
func (r *round) leave() {
	for i, c := range r.running {
		if c == nil || !r.abandon(c) {
			continue
		}
		a := r.timedOut(c)
		r.fail(c.wants, a)
		r.fail(r.waiting[i], a)
		r.running[i], r.waiting[i] = nil, nil
	}
}

// take reads an answer and asks on for what it did not settle.
func (r *round) take(a answer) {
	collector := a.call.collector
	info := r.infos[collector]
	r.running[collector] = nil
	switch {
	case a.declined && !a.late:
	case a.declined || a.err != nil:
		late := ""
		if a.late {
			late = r.late()
		}
		failure := failureOf(info, a.err, late)
		failure.took, failure.spent = a.took, a.took
		r.fail(a.call.wants, failure)
	default:
		for _, w := range a.call.wants {
			w.accept(a.part, info.ID, a.took)
		}
	}
	var rest []*want
	for _, w := range a.call.wants {
		if !w.settled {
			rest = append(rest, w)
		}
	}
	if later := r.waiting[collector]; len(later) > 0 {
		r.waiting[collector] = nil
		r.resume(collector, later)
	}
	r.ask(rest)
}

// resume calls a collector for wants that waited for it.
func (r *round) resume(collector int, wants []*want) {
	if r.ctx.Err() == nil {
		r.call(collector, wants)
		return
	}
	r.fail(wants, r.noTime(collector))
}

// accept takes from a part what it says about the want.
func (w *want) accept(p Part, provider string, took time.Duration) {
	v, told := find(p.Values, w.segments)
	if w.need == Visual {
		w.tree = p.Tree
		w.settled = w.tree != nil || told && v.IsAbsent()
		if w.tree != nil {
			w.value, _ = find(p.Values, primaryPath.segments)
		}
	} else {
		w.value, w.settled = v, told
	}
	if !w.settled {
		a := attempt{provider: provider, took: took, spent: took}
		for _, l := range p.Lacks {
			if l.Path == w.need {
				a.code, a.reason, a.remedy = l.code(), l.Reason, l.Remedy
			}
		}
		w.attempts = append(w.attempts, a)
		return
	}
	w.provider, w.took, w.summary = provider, took, p.Summary[w.need]
	for _, l := range p.Lacks {
		if w.available() && (l.Path == w.need || strings.HasPrefix(l.Path, w.need+".")) {
			w.lacks = append(w.lacks, l)
		}
	}
}

// late is the reason of a call that took too long.
func (r *round) late() string {
	if r.limit <= 0 {
		return "there was no answer in time"
	}
	return "there was no answer within " + r.limit.String()
}

// timedOut is the attempt of a call that has not come back.
func (r *round) timedOut(c *call) attempt {
	spent := time.Since(c.began)
	return attempt{provider: r.infos[c.collector].ID, code: diag.ExtraProviderTimeout, reason: r.late(), took: spent, spent: spent}
}

// noTime is the attempt of a collector whose turn came too late.
func (r *round) noTime(collector int) attempt {
	return attempt{provider: r.infos[collector].ID, code: diag.ExtraProviderTimeout, reason: "there was no time left to ask it"}
}

// failureOf turns a collector's error into what may be told of it. late is the
// reason when the call's time was over as it returned, or empty: an error that
// does not explain itself was the time's doing then.
func failureOf(info CollectorInfo, err error, late string) attempt {
	a := attempt{provider: info.ID, code: diag.ExtraProviderFailed}
	var known *CollectError
	if errors.As(err, &known) {
		a.reason, a.remedy = known.Reason, known.Remedy
		switch known.Code {
		case diag.ExtraPermissionUnavailable, diag.ExtraProviderUnavailable, diag.ExtraProviderTimeout:
			a.code = known.Code
		}
	} else if late != "" || errors.Is(err, context.DeadlineExceeded) || errors.Is(err, os.ErrDeadlineExceeded) {
		a.code = diag.ExtraProviderTimeout
	}
	if a.reason != "" {
		return a
	}
	switch a.code {
	case diag.ExtraPermissionUnavailable:
		a.reason = "a permission is missing"
		if info.Permission != "" {
			a.reason += ": " + info.Permission
		}
	case diag.ExtraProviderUnavailable:
		a.reason = "it is not available now"
	case diag.ExtraProviderTimeout:
		a.reason = cmp.Or(late, "there was no answer in time")
	default:
		a.reason = "reading it failed"
	}
	return a
}
