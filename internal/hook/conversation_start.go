package hook

import (
	"slices"

	"github.com/pertain-dev/pertain/internal/journal"
	"github.com/pertain-dev/pertain/internal/visible"
	"github.com/pertain-dev/pertain/rule"
)

// begun is for a conversation that begins, or is resumed, cleared or compacted: the rules that always hold and the list of those
// that can be read are given, as far as the agent does not load them itself.
func (s *session) begun() answer {
	m := &s.memory.record
	if m.Began.After(s.started) {
		return answer{} // two settings files, one agent: the other hook ran at the same time and has given it
	}
	m.OwnGiven = false
	switch s.request.start {
	case anew:
		*m = record{}
	case compacted:
		m.Given = nil
	case resumed:
	}
	if s.silent() {
		m.Owed = true
		return answer{}
	}
	text := s.standing()
	m.Began = now()
	return answer{context: text}
}

// compacting is for a conversation of which the model soon has no more than a summary.
func (s *session) compacting() {
	m := &s.memory.record
	m.Given, m.Owed, m.OwnGiven = nil, true, false
}

// standing is what a model is told when a conversation begins.
func (s *session) standing() string {
	m := &s.memory.record
	given := m.OwnGiven
	if s.own && given || !s.wholeBook() {
		return ""
	}
	m.Owed, m.OwnGiven = s.own, s.own
	loaded := s.loaded()
	always := section{head: "<always-rules>\n", tail: "</always-rules>\n"}
	listed := section{head: "<rules>\nRead rule://<name> when working in matching domain (`pertain read rule://<name>` prints it)\n\n", tail: "</rules>\n"}
	var once rule.Once
	for path := range loaded.paths {
		once.AddFile(path)
	}
	rules := slices.SortedStableFunc(slices.Values(s.book.Rules()), func(a, b *rule.Rule) int { return int(s.rank(a) - s.rank(b)) })
	for _, r := range rules { // of two with one text the user's own counts
		if given && s.rank(r) == ownRank {
			continue
		}
		switch r.Bucket {
		case rule.Always:
			if loaded.has(r) {
				continue
			}
			if text := once.Take(r); text != "" {
				always.parts = append(always.parts, s.untoldPart(r, visible.Strip(text)))
			}
		case rule.Rulebook:
			if !loaded.has(r) && !s.hasSkill(r) {
				listed.parts = append(listed.parts, s.listed(r))
			}
		}
	}
	out := compose("Rules for this project that are not in your instructions yet:\n", []section{always, listed}, s.rank)
	for _, p := range append(out.given, out.named...) {
		if p.whole {
			m.give(normal(p.rule.Text()))
		}
	}
	for _, p := range out.given {
		if p.whole {
			s.note(p.rule.Name, "", journal.Given)
		}
	}
	return out.text
}
