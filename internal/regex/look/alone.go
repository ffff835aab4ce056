package look

import "github.com/pertain-dev/pertain/internal/regex/syntax"

// position is an instruction that a match under way waits at, after a kind of character.
type position struct {
	at     uint32
	before syntax.Context
}

// alone says whether one of the matches under way is enough by itself, whatever follows,
// without those that may start later. These are what makes the states many: after x and a
// thousand letters, x\w{999,}\b matches, whether or not more of the letters are an x.
// It takes so much work at most.
func (l *Automaton) alone(v *State, most int) finding {
	if len(l.code.behinds) > 0 {
		return finding{work: 1, asked: true, unknown: true}
	}
	o := l.cache
	o.mu.Lock()
	defer o.mu.Unlock()
	s := &o.stepper
	s.reset(l)
	if !s.load(v.key) {
		return finding{work: 1, asked: true, unknown: true}
	}
	var waiting []uint32 // each is enough for the condition
	for f := s.main; f > always; f = s.nodes[f].low {
		if s.nodes[f].high == always && uint32(s.nodes[f].variable) != l.code.Start {
			waiting = append(waiting, uint32(s.nodes[f].variable))
		}
	}
	work := 0
	for i, at := range waiting {
		if work++; i == maxExplored {
			break
		}
		if work >= most {
			return finding{work: int32(work), asked: true, cut: true, unknown: true}
		}
		p, rest := position{at, syntax.Context(v.key[0])}, most-work
		known := l.enough[p]
		if !known.answers(rest) {
			known = l.suffices(p, rest)
			if l.enough == nil {
				l.enough = make(map[position]finding)
			}
			l.enough[p] = known
		}
		enough, sure, more := known.within(rest)
		if work += more; !sure && work >= most {
			return finding{work: int32(work), asked: true, cut: true, unknown: true}
		}
		if enough {
			return finding{work: int32(work), asked: true, certain: true}
		}
	}
	return finding{work: int32(work), asked: true, unknown: true}
}

// suffices says whether a match that waits at a position comes about whatever follows. It takes so much work at most.
func (l *Automaton) suffices(p position, most int) finding {
	s := &l.cache.stepper
	s.reset(l)
	begun := s.work
	told := func(f finding) finding {
		f.work, f.asked = int32(s.work-begun+1), true
		return f
	}
	s.alone = true
	defer func() { s.alone = false }()
	first := string(s.write(p.before, s.variable(p.at), nil))
	list, found := []string{first}, map[string]bool{first: true}
	for at := 0; at < len(list); at++ {
		s.reset(l)
		if !s.load(list[at]) || !s.ends() {
			return told(finding{})
		}
		before, main := s.before, s.main
		for class, possible := range l.possible {
			if !possible {
				continue
			}
			if s.work-begun >= most {
				return told(finding{cut: true, unknown: true})
			}
			r := l.sample(uint16(class))
			s.begin(before, main, nil)
			next, _ := s.step(class, r)
			if next == always {
				continue
			}
			key := s.write(l.context(r), next, nil)
			if s.full || next == never || len(list) == maxExplored {
				return told(finding{})
			}
			if !found[string(key)] {
				found[string(key)] = true
				list = append(list, string(key))
			}
		}
	}
	return told(finding{certain: true})
}

// ends says whether the condition holds if the text ends before the step.
func (s *stepper) ends() bool {
	last, _ := s.step(endOfText, syntax.NoRune)
	return last == always
}
