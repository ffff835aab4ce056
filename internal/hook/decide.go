package hook

import (
	"path/filepath"

	"github.com/pertain-dev/pertain/rule"
	"github.com/pertain-dev/pertain/toolcall"
)

// decide is what a call comes to. Rules are read, and texts watched, before the memory is opened, which keeps other hooks of the
// conversation waiting.
func (s *session) decide() (answer, error) {
	var parts []touched
	var paths []string
	var hits []hit
	var table *rule.Table
	r := &s.request
	switch r.moment {
	case before:
		s.files = s.named()
		w, err := s.watching(s.files)
		if err != nil {
			return answer{}, err
		}
		parts = touches(r.tool, r.arguments, s.dir, s.root)
		if s.watches() {
			hits = watchCall(s.use(w.within(textsOf(parts))), r.tool, parts)
		}
	case after:
		var err error
		if table, err = s.fileRules(s.named()); err != nil {
			return answer{}, err
		}
		paths = filesOf(touches(r.tool, r.arguments, s.dir, s.root), s.dir, s.root)
	case end, said:
		w, err := s.watching(nil)
		if err != nil {
			return answer{}, err
		}
		if s.watches() && r.message != "" {
			hits = watchText(s.use(w.within([]string{r.message})), r.message)
		}
	default:
		if err := s.load(nil); err != nil {
			return answer{}, err
		}
	}
	s.open()
	defer s.close()
	if !s.memory.record.Known && (s.dialect.late && r.moment != begin || s.dialect.prompted && r.moment == prompt) {
		s.memory.record.Owed = true
	}
	switch r.moment {
	case begin:
		sweep(s.paths.State, s.started)
		return s.begun(), nil
	case prompt:
		return s.spoken(), nil
	case before:
		return s.calling(parts, hits), nil
	case after:
		return s.called(table, paths), nil
	case compact:
		s.compacting()
		return answer{}, nil
	default:
		return s.ended(hits), nil
	}
}

// watches tells whether what the model does is watched here: not where the settings want nobody to, or a gateway does it.
func (s *session) watches() bool { return !s.gateway && !s.policy.Disabled }

// named are the files that a call names, absolute, so that the rules on the way to them count.
func (s *session) named() []string {
	var out []string
	for _, segment := range toolcall.Read(s.request.tool, s.request.arguments) {
		if segment.Path != "" && len(out) < maxFiles {
			out = append(out, filepath.Clean(absolute(segment.Path, s.dir)))
		}
	}
	return out
}
