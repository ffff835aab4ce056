package plan

import (
	"slices"
	"strings"
)

// Registry is an ordered set of preprocessors. It does not change once made. A nil
// registry is Pertain's own, that of [Preprocessors].
type Registry struct{ preprocessors []*registered }

// registered is a preprocessor with the calls of it that nobody waits for any more.
type registered struct {
	Preprocessor
	info  Info
	calls calls
}

// NewRegistry makes a registry; of several preprocessors with one id the last
// counts, at the position of the first.
func NewRegistry(list ...Preprocessor) *Registry { return (&Registry{}).With(list...) }

// With returns a registry that has these preprocessors too, or instead of those
// with the same ids.
func (r *Registry) With(list ...Preprocessor) *Registry {
	next := &Registry{preprocessors: slices.Clone(r.list())}
	for _, p := range list {
		m := &registered{Preprocessor: p, info: p.Info()}
		if i := next.index(m.info.ID); i >= 0 {
			next.preprocessors[i] = m
		} else {
			next.preprocessors = append(next.preprocessors, m)
		}
	}
	return next
}

func (r *Registry) list() []*registered {
	if r == nil {
		return Preprocessors().preprocessors
	}
	return r.preprocessors
}

func (r *Registry) index(id string) int {
	return slices.IndexFunc(r.list(), func(m *registered) bool { return m.info.ID == id })
}

// Has tells whether there is a preprocessor of this id. Ids are exact.
func (r *Registry) Has(id string) bool { return r.index(id) >= 0 }

// IDs are the ids in their order.
func (r *Registry) IDs() []string {
	preprocessors := r.list()
	ids := make([]string, len(preprocessors))
	for i, m := range preprocessors {
		ids[i] = m.info.ID
	}
	return ids
}

// Info describes a preprocessor.
func (r *Registry) Info(id string) (Info, bool) {
	if i := r.index(id); i >= 0 {
		return r.list()[i].info, true
	}
	return Info{}, false
}

// setter is the id of a preprocessor that sets a variable, or "".
func (r *Registry) setter(variable string) string {
	for _, m := range r.list() {
		for _, name := range m.info.Variables {
			if name == variable || strings.HasPrefix(name, variable+".") {
				return m.info.ID
			}
		}
	}
	return ""
}
