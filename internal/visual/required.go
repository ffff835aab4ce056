package visual

import (
	"sync"

	"github.com/pertain-dev/pertain/internal/regex"
)

// required is what a text must hold for an expression to match. Looking for it
// is many times faster than the expression, and most texts do not have it. It is
// worked out at the first use, since most queries are never run.
type required struct {
	re   *regex.Regexp
	once sync.Once
	any  []*needle // one of them; empty when nothing is known
}

// maxRequired is how many literals are looked for one after the other before the
// expression itself is as fast.
const maxRequired = 6

func (q *required) in(text string) bool {
	q.once.Do(q.prepare)
	if len(q.any) == 0 {
		return true
	}
	for _, n := range q.any {
		if n.in(text) {
			return true
		}
	}
	return false
}

func (q *required) prepare() {
	literals := q.re.Required()
	if len(literals.Any) > maxRequired {
		return
	}
	for _, s := range literals.Any {
		q.any = append(q.any, newNeedle(s, !literals.Folded))
	}
}
