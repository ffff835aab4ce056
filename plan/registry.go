package plan

import (
	"context"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/pertain-dev/pertain/diag"
)

// Registry is an ordered set of preprocessors. It does not change once made.
type Registry struct{ members []*member }

// member is a preprocessor with the calls of it that nobody waits for any more.
type member struct {
	Preprocessor
	info  Info
	stuck atomic.Int32
}

// NewRegistry makes a registry; of several preprocessors with one id the last
// counts, at the place of the first.
func NewRegistry(list ...Preprocessor) *Registry { return (&Registry{}).With(list...) }

// With returns a registry that has these preprocessors too, or instead of those
// with the same ids.
func (r *Registry) With(list ...Preprocessor) *Registry {
	next := &Registry{members: slices.Clone(r.members)}
	for _, p := range list {
		m := &member{Preprocessor: p, info: p.Info()}
		if i := next.index(m.info.ID); i >= 0 {
			next.members[i] = m
		} else {
			next.members = append(next.members, m)
		}
	}
	return next
}

func (r *Registry) index(id string) int {
	return slices.IndexFunc(r.members, func(m *member) bool { return m.info.ID == id })
}

// Has tells whether there is a preprocessor of this id. Ids are exact.
func (r *Registry) Has(id string) bool { return r.index(id) >= 0 }

// IDs are the ids in their order.
func (r *Registry) IDs() []string {
	ids := make([]string, len(r.members))
	for i, m := range r.members {
		ids[i] = m.info.ID
	}
	return ids
}

// Info describes a preprocessor.
func (r *Registry) Info(id string) (Info, bool) {
	if i := r.index(id); i >= 0 {
		return r.members[i].info, true
	}
	return Info{}, false
}

// setter is the id of a preprocessor that sets a variable, or "".
func (r *Registry) setter(variable string) string {
	for _, m := range r.members {
		for _, name := range m.info.Variables {
			if name == variable || strings.HasPrefix(name, variable+".") {
				return m.info.ID
			}
		}
	}
	return ""
}

// patience is how long a preprocessor may take to come back after its time is
// over. One that takes longer is abandoned.
const patience = 50 * time.Millisecond

// call runs a preprocessor under a time limit. One that ignores it is abandoned,
// and not called again before it has come back: stuck calls never pile up.
func (m *member) call(ctx context.Context, in Execution, limit time.Duration) ([]Variable, error) {
	if m.stuck.Load() > 0 {
		return nil, &Failure{Code: diag.PreprocessorTimeout, Reason: "an earlier call of it has not come back yet", Remedy: "start the program again"}
	}
	type answer struct {
		variables []Variable
		err       error
	}
	limited, stop := context.WithTimeout(ctx, limit)
	defer stop()
	done := make(chan answer, 1)
	go func() {
		variables, err := m.Process(limited, in)
		done <- answer{variables, err}
	}()
	select {
	case a := <-done:
		return m.settle(ctx, limited, limit, a.variables, a.err)
	case <-limited.Done():
	}
	wait := time.NewTimer(patience)
	defer wait.Stop()
	select {
	case a := <-done:
		return m.settle(ctx, limited, limit, a.variables, a.err)
	case <-wait.C:
	}
	m.stuck.Add(1)
	go func() {
		<-done
		m.stuck.Add(-1)
	}()
	return m.settle(ctx, limited, limit, nil, context.DeadlineExceeded)
}

// settle tells the caller's cancellation, the time limit and a failure apart.
func (m *member) settle(ctx, limited context.Context, limit time.Duration, variables []Variable, err error) ([]Variable, error) {
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if err != nil && limited.Err() != nil {
		return nil, &Failure{Code: diag.PreprocessorTimeout, Reason: "it took longer than " + limit.String()}
	}
	return variables, err
}
