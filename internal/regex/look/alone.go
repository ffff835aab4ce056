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
// cost is how many conditions it looked at.
func (l *Automaton) alone(v *State) (certain bool, cost int) {
	if len(l.code.behinds) > 0 {
		return false, 1
	}
	o := l.cache
	o.mu.Lock()
	defer o.mu.Unlock()
	s := &o.stepper
	s.reset(l)
	if !s.load(v.key) {
		return false, 1
	}
	var waiting []uint32 // each is enough for the condition
	for f := s.main; f > always; f = s.nodes[f].low {
		if s.nodes[f].high == always && uint32(s.nodes[f].variable) != l.code.Start {
			waiting = append(waiting, uint32(s.nodes[f].variable))
		}
	}
	for _, at := range waiting {
		p := position{at, syntax.Context(v.key[0])}
		enough, ok := l.enough[p]
		if !ok {
			var more int
			enough, more = l.suffices(p)
			cost += more
			if l.enough == nil {
				l.enough = make(map[position]bool)
			}
			l.enough[p] = enough
		}
		if cost++; enough || cost > maxExplored {
			return enough, cost
		}
	}
	return false, cost
}

// suffices says whether a match that waits at a position comes about whatever follows.
func (l *Automaton) suffices(p position) (certain bool, cost int) {
	s := &l.cache.stepper
	s.reset(l)
	s.alone = true
	defer func() { s.alone = false }()
	first := string(s.write(p.before, s.variable(p.at), nil))
	list, found := []string{first}, map[string]bool{first: true}
	for at := 0; at < len(list); at++ {
		s.reset(l)
		if !s.load(list[at]) || !s.ends() {
			return false, len(list)
		}
		before, main := s.before, s.main
		for class, possible := range l.possible {
			if !possible {
				continue
			}
			r := l.sample(uint16(class))
			s.begin(before, main, nil)
			next, _ := s.step(class, r)
			if next == always {
				continue
			}
			key := s.write(l.context(r), next, nil)
			if s.full || next == never || len(list) == maxExplored {
				return false, len(list)
			}
			if !found[string(key)] {
				found[string(key)] = true
				list = append(list, string(key))
			}
		}
	}
	return true, len(list)
}

// ends says whether the condition holds if the text ends before the step.
func (s *stepper) ends() bool {
	last, _ := s.step(endOfText, syntax.NoRune)
	return last == always
}
