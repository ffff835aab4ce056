package cli

import (
	"fmt"
	"strings"

	"github.com/pertain-dev/pertain/rule"
	"github.com/pertain-dev/pertain/stream"
)

// silences collects why triggers did not fire in the parts of a tool call.
type silences struct {
	set      *stream.Set
	problems []stream.Problem
	last     []heldBack // by trigger
	fired    []bool     // it did, or may have
}

// heldBack is the part of a call that says why a trigger did not fire: the last one in which it matched, else any. Only when all parts are known it
// is looked up what held it back: a call may have as many parts as there are triggers.
type heldBack struct {
	in      *stream.Source // nil: there is none
	matched bool
}

func newSilences(set *stream.Set, problems []stream.Problem) *silences {
	return &silences{set: set, problems: problems, last: make([]heldBack, set.Len()), fired: make([]bool, set.Len())}
}

// add takes in one part of the call: what matched there and was held back says more
// than what did not match in another one.
func (s *silences) add(source stream.Source, watched watchedText) {
	for _, f := range watched.fired {
		s.fired[f.Trigger] = true
	}
	for _, u := range watched.undecided {
		s.fired[u.Trigger] = true
	}
	for i := range s.last {
		if matched := watched.matched(i); s.last[i].in == nil || matched {
			s.last[i] = heldBack{&source, matched}
		}
	}
}

// why words the reason of a trigger.
func (s *silences) why(i int) string {
	last := s.last[i]
	if last.in == nil {
		return "the call adds no text"
	}
	return strings.ReplaceAll(silence(s.set, i, *last.in, last.matched, s.problems), "a file; name one with --path", "a file, and the call names none")
}

func (s *silences) told() []testSilent {
	out := []testSilent{}
	for i := range s.last {
		if !s.fired[i] {
			out = append(out, testSilent{s.set.Trigger(i).Name, s.why(i)})
		}
	}
	return out
}

// withoutTrigger are the rules that never fire.
func withoutTrigger(rules []*rule.Rule) []testSilent {
	var out []testSilent
	for _, r := range rules {
		switch {
		case r.Disabled:
			out = append(out, testSilent{r.Name, "the rule is switched off by `enabled: false`"})
		case !r.Watches():
			out = append(out, testSilent{r.Name, "the rule has no trigger that can be used"})
		}
	}
	return out
}

// silences words why rules are silent. Of all rules only those are told that matched
// and are held back; a rule that was named is told in any case.
func (t *triggerTest) silences(list []testSilent) string {
	var b strings.Builder
	paint := t.app.painter(t.app.call.Stdout)
	for _, s := range list {
		if len(t.files) > 0 || strings.HasPrefix(s.Why, "it matches") {
			fmt.Fprintf(&b, "%s is silent: %s\n", paint.bold(clean(s.Rule)), clean(s.Why))
		}
	}
	return b.String()
}

// remindedBy says what lets a trigger that fires only remind.
func remindedBy(t *stream.Trigger) string {
	if t.InterruptMode != "" {
		return fmt.Sprintf("; by its own `interruptMode: %s` it only reminds", t.InterruptMode)
	}
	return "; by the settings it only reminds"
}

// silence says why a trigger did not fire.
func silence(set *stream.Set, i int, source stream.Source, matched bool, problems []stream.Problem) string {
	for _, p := range problems {
		if p.Trigger == i && !matched {
			return p.String()
		}
	}
	switch {
	case !matched:
		return "no expression of its trigger matches the text"
	case !set.Watches(i, source):
		return fmt.Sprintf("it matches, but its scope leaves out %s", sourceName(source))
	case !inScope(set.Trigger(i).Scope, source):
		if len(source.Paths) == 0 {
			return "it matches, but the glob in its scope needs a file; name one with --path"
		}
		return "it matches, but the glob in its scope leaves out the files"
	case len(source.Paths) == 0:
		return "it matches, but its globs need a file; name one with --path"
	default:
		return "it matches, but its globs leave out the files"
	}
}

// inScope says whether a scope alone, whatever the rule's globs are, takes in a source.
func inScope(scope []string, source stream.Source) bool {
	set, _ := stream.Compile([]stream.Trigger{{Scope: scope}}, stream.Options{})
	return set.Applies(0, source)
}

func sourceName(source stream.Source) string {
	if source.Kind == stream.Tool && source.Tool != "" {
		return "the tool " + source.Tool
	}
	return "the source " + source.Kind.String()
}
