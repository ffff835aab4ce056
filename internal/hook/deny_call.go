package hook

import (
	"maps"
	"slices"
	"strings"

	"github.com/pertain-dev/pertain/internal/journal"
	"github.com/pertain-dev/pertain/rule"
	"github.com/pertain-dev/pertain/stream"
	"github.com/pertain-dev/pertain/toolcall"
)

// calling is for a tool that is about to be called: a call that breaks a rule is denied.
func (s *session) calling(f found) answer {
	m, hits := &s.memory.record, f.hits
	sum := s.request.sum()
	if !s.watches() {
		m.decide(s.request.call, sum, nil)
		return answer{context: s.owed()}
	}
	// A call that comes twice, by two settings files of one agent, counts once: what its rules came to stays.
	var was map[string]journal.Action
	if again := m.again(s.request.call, sum); again != nil {
		was = again.Rules
	} else if !s.own { // otherwise it is not known which rules do not fire
		s.settle(f)
	}
	actions := s.judge(hits, was)
	deny := slices.Contains(actions, journal.Denied)
	var reminders []hit
	came := map[string]journal.Action{} // what each rule came to
	maps.Copy(came, was)
	noted := map[string]string{} // entries of the journal: one a rule and call
	for i, h := range hits {
		name := h.trigger.Name
		if was[name] != "" {
			continue
		}
		switch {
		case deny && actions[i] == journal.Passed:
			actions[i] = journal.Reminded // the call does not go through, whatever this rule's budget
		case !deny && s.dialect.speechless:
			actions[i] = journal.Passed // nobody is told, until a call is denied
		}
		if noted[name] == "" {
			noted[name] = s.note(name, pathOf(hits, name), actions[i])
		}
		came[name] = actions[i]
		if actions[i] != journal.Denied {
			reminders = append(reminders, h)
		} else if paths := m.Rows[name].Paths; hasKey(paths, h.key) { // not every location of a large call is remembered
			paths[h.key] = noted[name]
		}
	}
	m.decide(s.request.call, sum, s.withinQuota(came))
	switch {
	case deny:
		return answer{deny: true, reason: joined(s.denial(hits), s.owedWithReason(), s.remindersWithReason())}
	case len(reminders) == 0:
		return answer{context: s.owed()}
	case s.silent():
		s.remindLater(reminders)
		return answer{}
	}
	return answer{context: joined(s.owed(), s.reminder(reminders))}
}

func hasKey(paths map[string]string, key string) bool {
	_, there := paths[key]
	return there
}

// pathOf is a file in which a rule fires: a command that writes one is about that.
func pathOf(hits []hit, name string) string {
	for _, h := range hits {
		if h.trigger.Name == name && h.path != "" {
			return h.path
		}
	}
	return ""
}

// settle ends the rows of denials that a call heeds: it adds text to the same location, and the rule does not fire there.
func (s *session) settle(f found) {
	m, hits := &s.memory.record, f.hits
	count := map[string]int{}
	for _, h := range hits {
		count[h.trigger.Name]++
	}
	for _, segment := range s.segments {
		if len(m.Rows) == 0 {
			return
		}
		if segment.Text == "" || segment.Kind == toolcall.Look {
			continue
		}
		for part := range f.locations.of(segment) {
			for name, row := range m.Rows {
				id, there := row.Paths[part.key]
				if !there || fires(hits, name, part.key) || count[name] >= maxPaths || f.undecided(name) { // not all of its hits are known
					continue
				}
				if id != "" {
					s.heeded = append(s.heeded, id)
				}
				delete(m.Rows, name)
			}
		}
	}
}

func fires(hits []hit, name, key string) bool {
	for _, h := range hits {
		if h.trigger.Name == name && h.key == key {
			return true
		}
	}
	return false
}

// judge says what each firing comes to, and counts denials: once a rule and call, however many files it touches and however often
// it comes. was is what rules came to when it came before.
func (s *session) judge(hits []hit, was map[string]journal.Action) []journal.Action {
	m := &s.memory.record
	actions := make([]journal.Action, len(hits))
	decided := map[string]journal.Action{}
	left := m.pathsLeft()
	for i, h := range hits {
		name := h.trigger.Name
		if actions[i] = was[name]; actions[i] != "" {
			continue
		}
		denials := m.Rows[name]
		if id := denials.Paths[h.key]; id != "" { // it fires there again
			s.unheeded = append(s.unheeded, id)
			denials.Paths[h.key] = ""
		}
		action, known := decided[name]
		switch {
		case known:
		case s.dialect.unable || !s.interrupts(h.trigger, stream.Tool):
			action = journal.Reminded
		case denials.Count >= s.budget(h.trigger.Name), denials.Count == 0 && !m.takesRow() && !s.isOwn(name): // it would deny for ever
			action = journal.Passed
		default:
			action = journal.Denied
			denials.Count++
		}
		decided[name], actions[i] = action, action
		if action == journal.Denied {
			if denials.Paths == nil {
				denials.Paths = map[string]string{}
			}
			if m.Rows == nil {
				m.Rows = map[string]row{}
			}
			if !hasKey(denials.Paths, h.key) && len(denials.Paths) < maxPaths && (left > 0 || s.isOwn(name)) {
				denials.Paths[h.key] = ""
				left--
			}
			m.Rows[name] = denials
		}
	}
	return actions
}

// denial is why a call is denied.
func (s *session) denial(hits []hit) string {
	return s.violations("This call was not made, because it would break rules:\n", hits,
		"Change the call so that it keeps to the rules, and make it again.\n")
}

// reminder is what a model is told of a call that goes through.
func (s *session) reminder(hits []hit) string {
	return s.violations("This call was made, but it breaks rules:\n", hits, "Mend what it did, and keep to the rules from now on.\n")
}

// violations shows where rules were broken, and the rules, each once.
func (s *session) violations(lead string, hits []hit, advice string) string {
	hits = s.ranked(hits)
	var broken section
	seen := map[string]bool{}
	for _, h := range hits {
		if r := s.rules[h.trigger.Name]; r != nil && !seen[r.Name] {
			seen[r.Name] = true
			broken.parts = append(broken.parts, s.violated(h))
		}
	}
	return strings.TrimRight(compose(lead+where(hits)+advice, []section{broken}, s.rank).text, "\n")
}

// called is for a tool that was called: the rules for the files that it read or wrote are given.
func (s *session) called(table *rule.Table, paths []string) answer {
	if s.request.call != "" {
		s.memory.record.made(s.request.call)
	}
	text := joined(s.owed(), s.dueReminders())
	if len(paths) == 0 {
		return answer{context: text}
	}
	m := &s.memory.record
	files := section{head: "<file-rules>\n", tail: "</file-rules>\n"}
	rules, from := s.forFiles(table, paths)
	slices.SortStableFunc(rules, func(a, b *rule.Rule) int { return int(s.rank(a) - s.rank(b)) }) // of two with one text the user's own counts
	for _, r := range rules {
		if m.give(normal(r.Text())) {
			files.parts = append(files.parts, s.whole(r))
		}
	}
	out := compose("Rules for the files that you work on:\n", []section{files}, s.rank)
	for _, p := range out.given {
		s.note(p.rule.Name, from[p.rule], journal.Given)
	}
	return answer{context: joined(text, out.text)}
}
