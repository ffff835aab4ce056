package visual

// Ask is one question of a [Set].
type Ask struct {
	Query *Query
	Count bool // the number is wanted, not only whether there is any
}

// Answer is the answer to one [Ask].
type Answer struct {
	Exists  bool
	Count   int // only if it was asked for, here or by an equal query
	Outcome Outcome
}

// Set asks many questions about one scene at once. It is immutable and safe for
// concurrent use.
type Set struct {
	asks  []Ask // distinct by Query.Key
	which []int // the distinct one of each that was given
	named []namedKind
}

// namedKind is how many questions ask for elements of one type by name.
type namedKind struct {
	step *step // one of theirs
	asks int
}

// NewSet prepares questions. Those that are equal but for spelling are answered
// once.
func NewSet(asks []Ask) *Set {
	s := &Set{which: make([]int, len(asks))}
	seen := make(map[string]int, len(asks))
	for i, a := range asks {
		key := a.Query.Key()
		at, known := seen[key]
		if !known {
			at = len(s.asks)
			seen[key] = at
			s.asks = append(s.asks, a)
			s.countNamed(a.Query.last())
		}
		s.asks[at].Count = s.asks[at].Count || a.Count
		s.which[i] = at
	}
	return s
}

func (s *Set) countNamed(last *step) {
	if last == nil || last.test.name == nil {
		return
	}
	for i := range s.named {
		if n := &s.named[i]; n.step.any == last.any && n.step.kind == last.kind {
			n.asks++
			return
		}
	}
	s.named = append(s.named, namedKind{last, 1})
}

// Len is how many distinct questions there are.
func (s *Set) Len() int { return len(s.asks) }

// Answer answers all questions, in their order. The limits hold for each query.
func (s *Set) Answer(scene *Scene, limits Limits) []Answer {
	s.prepare(scene)
	distinct := make([]Answer, len(s.asks))
	for i, a := range s.asks {
		d := &distinct[i]
		if a.Count {
			d.Count, d.Outcome = a.Query.Count(scene, limits)
			d.Exists = d.Count > 0 && d.Outcome == Done
		} else {
			d.Exists, d.Outcome = a.Query.Exists(scene, limits)
		}
	}
	if len(distinct) == len(s.which) {
		return distinct
	}
	answers := make([]Answer, len(s.which))
	for i, at := range s.which {
		answers[i] = distinct[at]
	}
	return answers
}

// prepare has the scene make at once what it would make while the queries run.
func (s *Set) prepare(scene *Scene) {
	work := 0
	for _, a := range s.asks {
		if last := a.Query.last(); last != nil {
			work += scene.size(last)
		}
	}
	if work >= columnPayback*scene.tree.Len() {
		scene.looked(work)
	}
	for _, n := range s.named {
		if n.asks >= namePayback {
			scene.namesOf(n.step, n.asks*scene.size(n.step))
		}
	}
}
