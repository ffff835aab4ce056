package hook

import (
	"slices"
	"strings"

	"github.com/pertain-dev/pertain/internal/journal"
	"github.com/pertain-dev/pertain/internal/quota"
	"github.com/pertain-dev/pertain/stream"
)

// spoken is for a person who has spoken: a turn begins.
func (s *session) spoken() answer {
	m := &s.memory.record
	m.Continued, m.Spared, m.Turn = false, false, nil
	m.made("")
	if s.silent() {
		return answer{}
	}
	return answer{context: joined(s.owed(), s.dueReminders())}
}

// ended is for a turn that ends: what the model said last is watched, and if it breaks a rule, the turn goes on, once. Where only rules of
// others made it go on, the user's own may do so once more: a repository that breaks off each turn must not use up what the user relies on.
func (s *session) ended(f found) answer {
	m, hits := &s.memory.record, f.hits
	continued := m.Continued
	if s.request.continued != nil {
		continued = *s.request.continued
	}
	spared := m.Continued && m.Spared
	fired := map[string]bool{}
	for _, h := range hits {
		fired[h.trigger.Name] = true
	}
	for name, id := range m.Turn {
		if fired[name] {
			s.unheeded = append(s.unheeded, id)
		} else if !s.own && !f.undecided(name) { // otherwise it is not known which rules do not fire
			s.heeded = append(s.heeded, id)
		}
	}
	m.Continued, m.Spared, m.Turn = false, false, nil
	m.made("")
	stops := func(h hit) bool { return s.stops(h) && (!continued || spared && s.isOwn(h.trigger.Name)) }
	m.Continued = slices.ContainsFunc(hits, stops)
	m.Spared = m.Continued && !slices.ContainsFunc(hits, func(h hit) bool { return stops(h) && s.isOwn(h.trigger.Name) })
	if m.Continued && (continued || s.request.continued == nil) && !s.claim() {
		m.Continued, m.Spared, continued, spared = false, false, true, false
	}
	var stopping, reminders []hit
	for _, h := range hits {
		switch {
		case stops(h):
			id := s.note(h.trigger.Name, "", journal.Interrupted)
			if m.Turn == nil {
				m.Turn = map[string]string{}
			}
			if id != "" && (len(m.Turn) < quota.Others || s.isOwn(h.trigger.Name)) {
				m.Turn[h.trigger.Name] = id
			}
			stopping = append(stopping, h)
		case continued:
			s.note(h.trigger.Name, "", journal.Passed)
			reminders = append(reminders, h)
		default:
			s.note(h.trigger.Name, "", journal.Reminded)
			reminders = append(reminders, h)
		}
	}
	s.remindLater(reminders)
	if len(stopping) == 0 {
		return answer{}
	}
	return answer{deny: true, reason: s.violations("Your last message breaks rules:\n", stopping, "Say it anew so that it keeps to the rules.\n")}
}

// stops tells whether what a rule found may make the turn go on, if nothing has yet.
func (s *session) stops(h hit) bool {
	return s.request.moment != said && !s.dialect.unable && s.budget(h.trigger.Name) > 0 && s.interrupts(h.trigger, stream.Text)
}

// isOwn tells whether a rule is one of the user's own.
func (s *session) isOwn(name string) bool { return s.rank(s.rules[name]) == ownRank }

// claim tells whether the next call will know that the turn goes on. A sample has no next call.
func (s *session) claim() bool {
	if s.sample {
		return true
	}
	err := s.memory.claim()
	if err != nil {
		s.problem(errMemory)
	}
	return err == nil
}

// silent tells whether what is said now reaches nobody.
func (s *session) silent() bool {
	if s.dialect.speechless {
		return true
	}
	for _, m := range s.dialect.silent {
		if m == s.request.moment {
			return true
		}
	}
	return false
}

// owed is what could not be given when the conversation began.
func (s *session) owed() string {
	if !s.memory.record.Owed || s.silent() {
		return ""
	}
	return s.standing()
}

// owedWithReason is the same for agents whose model is told nothing but the reasons of denials.
func (s *session) owedWithReason() string {
	if !s.memory.record.Owed || !s.dialect.speechless {
		return ""
	}
	return s.standing()
}

// remindLater keeps reminders for the next answer that reaches the model.
func (s *session) remindLater(hits []hit) {
	for _, h := range hits {
		r := reminder{Rule: h.trigger.Name, Line: h.line, Said: h.said, Own: s.isOwn(h.trigger.Name)}
		if path := s.journalPath(h.path); path != nil && journal.IsPath(*path) {
			r.Path = h.path
		}
		s.memory.record.Reminders = append(s.memory.record.Reminders, r)
	}
}

// dueReminders are those that could not be told before.
func (s *session) dueReminders() string {
	if s.silent() {
		return ""
	}
	text, _ := s.reminders()
	return text
}

// remindersWithReason is the same for agents whose model is told nothing but the reasons of denials: only now it is reminded.
func (s *session) remindersWithReason() string {
	if !s.dialect.speechless {
		return ""
	}
	text, hits := s.reminders()
	noted := map[string]bool{}
	for _, h := range hits {
		if name := h.trigger.Name; !noted[name] {
			noted[name] = true
			s.note(name, pathOf(hits, name), journal.Reminded)
		}
	}
	return text
}

// reminders are those that wait, and what they are about.
func (s *session) reminders() (string, []hit) {
	m := &s.memory.record
	if len(m.Reminders) == 0 || !s.wholeBook() {
		return "", nil
	}
	var hits []hit
	var later []reminder
	var w watchers
	w.addAll(s)
	for _, r := range m.Reminders {
		if s.own && !r.Own {
			later = append(later, r)
			continue
		}
		for _, t := range w.triggers {
			if t.Name == r.Rule {
				hits = append(hits, hit{trigger: &t, path: r.Path, line: r.Line, said: r.Said})
			}
		}
	}
	m.Reminders = later
	if len(hits) == 0 {
		return "", nil
	}
	return s.violations("What you did or said breaks rules:\n", hits, "Mend it, and keep to the rules from now on.\n"), hits
}

// joined puts texts one below the other.
func joined(texts ...string) string {
	var out []string
	for _, t := range texts {
		if t = strings.TrimRight(t, "\n"); t != "" {
			out = append(out, t)
		}
	}
	return strings.Join(out, "\n\n")
}
