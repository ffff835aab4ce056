package hook

import (
	"slices"

	"github.com/pertain-dev/pertain/rule"
	"github.com/pertain-dev/pertain/stream"
)

// found is what the rules say about a call, before anything is remembered.
type found struct {
	locations *locations
	hits      []hit
	open      []*stream.Trigger // that nobody knows of whether they fire
	paths     []string          // of files that were read or written
	table     *rule.Table       // the rules that come with files
}

// decide is what a call comes to. Rules are read, and texts watched, before the memory is opened, which keeps other hooks of the
// conversation waiting.
func (s *session) decide() (answer, error) {
	f, err := s.find()
	if err != nil {
		return answer{}, err
	}
	if !s.takeTurn() { // own_rules.go has answered
		<-s.ctx.Done()
		return answer{}, errTime
	}
	return s.reply(f), nil
}

func (s *session) find() (f found, err error) {
	r := &s.request
	switch r.moment {
	case before:
		s.files = s.named()
		w, err := s.watching(s.files)
		if err != nil {
			return f, err
		}
		f.locations = s.locations()
		if s.watches() {
			f.hits, f.open = watchCall(s.use(s.inForce(w).within(textsOf(s.segments))), r.tool, s.segments, f.locations)
			s.tellUndecided(f.hits, f.open, stream.Tool)
			f.hits = s.untold(f.hits)
		}
	case after:
		if f.table, err = s.fileRules(s.named()); err != nil {
			return f, err
		}
		f.paths = filesOf(s.segments, s.dir, s.paths.Home, s.root)
	case end, said:
		w, err := s.watching(nil)
		if err != nil {
			return f, err
		}
		if s.watches() && r.message != "" {
			f.hits, f.open = watchText(s.use(s.inForce(w).within([]string{r.message})), r.message)
			s.tellUndecided(f.hits, f.open, stream.Text)
			f.hits = s.untold(f.hits)
		}
	case compact: // no rule matters
	default:
		return f, s.load(nil)
	}
	return f, nil
}

// reply says what follows from what was found and what is remembered. The memory stays open until the agent has the answer: what
// it was not told does not count.
func (s *session) reply(f found) answer {
	r := &s.request
	s.open()
	if !s.memory.record.Known && (s.dialect.late && r.moment != begin || s.dialect.prompted && r.moment == prompt) {
		s.memory.record.Owed = true
	}
	switch r.moment {
	case begin:
		sweep(s.paths.State, s.started)
		return s.begun()
	case prompt:
		return s.spoken()
	case before:
		return s.calling(f)
	case after:
		return s.called(f.table, f.paths)
	case compact:
		s.compacting()
		return answer{}
	default:
		return s.ended(f)
	}
}

// watches tells whether the settings want what the model does to be watched.
func (s *session) watches() bool {
	return !s.policy.Disabled || s.usual != nil && !s.usualPolicy.Disabled
}

// inForce are the rules that the settings let watch.
func (s *session) inForce(w watchers) watchers {
	if !s.policy.Disabled && !s.usualPolicy.Disabled {
		return w
	}
	out := w
	out.triggers, out.rules = nil, nil
	for i, r := range w.rules {
		if r.account && !s.usualPolicy.Disabled || !r.account && !s.policy.Disabled {
			out.triggers, out.rules = append(out.triggers, w.triggers[i]), append(out.rules, r)
		}
	}
	return out
}

// named are the files that a call names, absolute, so that the rules on the way to them count.
func (s *session) named() []string {
	var out []string
	for _, segment := range s.segments {
		for _, name := range segment.Paths() {
			if len(out) >= maxFiles {
				return out
			}
			for _, path := range meant(name, s.dir, s.paths.Home) {
				if !slices.Contains(out, path) {
					out = append(out, path)
				}
			}
		}
	}
	return out
}
