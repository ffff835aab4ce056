package gateway

import (
	"fmt"
	"slices"
	"strings"

	"github.com/pertain-dev/pertain/internal/markup"
	"github.com/pertain-dev/pertain/internal/quota"
	"github.com/pertain-dev/pertain/internal/visible"
	"github.com/pertain-dev/pertain/rule"
	"github.com/pertain-dev/pertain/stream"
)

// A repository may hold any number of rules that match anything, and what the model is told stays in the conversation. So it is
// told whole rules as far as they fit, as by a hook; of the others it gets the names. Only what was shown counts as injected. The
// user's own are shown whatever they take: nothing of a repository is to push them out.

// shows gives what the model is told of rules that fired, and those that it is shown. Where not all fit, the user's
// own come first, then those of workspaces that the user trusts, and else they stand as they fired.
func (x *exchange) shows(v stream.Verdict, what string) (reminder string, shown stream.Verdict) {
	fired, ranked := v.Fired, false
	limit, own := quota.Told, 0 // own is what the user's take of it
	for left := limit; ; {
		block, fits := stream.InjectionWithin(left, triggers(fired)...)
		if !ranked && slices.Contains(fits, false) {
			fired, ranked = x.ranked(fired), true
			own = len(stream.Injection(triggers(slices.DeleteFunc(slices.Clone(fired), isOthers))...))
			limit = max(limit, own+quota.Names)
			left = limit
			continue
		}
		var rest []stream.Fired
		shown = stream.Verdict{}
		for i, f := range fired {
			if fits[i] {
				shown.Fired = append(shown.Fired, f)
			} else {
				rest = append(rest, f)
			}
		}
		text := block + "\n\n" + leftOut(shown.Fired, rest) + x.comply(shown.Fired, rest) + what
		over := len(text) - limit
		next := max(len(block)-over, own) // the names count, too
		if over <= 0 || len(shown.Fired) == 0 || next >= len(block) {
			return strings.TrimLeft(text, "\n"), shown
		}
		left = next
	}
}

func isOthers(f stream.Fired) bool { return !f.Trigger.Own }

// reminding is what the model is told with the next request.
type reminding struct {
	count    int // of the rules that it was made of
	reminder string
	shown    stream.Verdict
}

// reminds gives what the model is told with the next request, and the rules that it is shown then.
func (x *exchange) reminds() (reminder string, shown stream.Verdict) {
	r := &x.reminding
	if count := len(x.reminders.Fired); r.count != count {
		r.count = count
		r.reminder, r.shown = x.shows(x.reminders, keepToThat)
	}
	return r.reminder, r.shown
}

func triggers(fired []stream.Fired) []*stream.Trigger {
	out := make([]*stream.Trigger, len(fired))
	for i, f := range fired {
		out[i] = f.Trigger
	}
	return out
}

// ranked are rules that fired by whose they are.
func (x *exchange) ranked(fired []stream.Fired) []stream.Fired {
	rank := func(f stream.Fired) int {
		switch {
		case f.Trigger.Own:
			return 0
		case x.workspace.Binding[f.Trigger.Name]:
			return 1
		}
		return 2
	}
	return slices.SortedStableFunc(slices.Values(fired), func(a, b stream.Fired) int { return rank(a) - rank(b) })
}

// leftOut counts the rules that did not fit, and names the first of them, on one line; "": there are none.
func leftOut(shown, rest []stream.Fired) string {
	named := map[string]bool{}
	for _, f := range shown {
		named[f.Trigger.Name] = true
	}
	var names []string
	size, count := 0, 0
	for _, f := range rest {
		if named[f.Trigger.Name] {
			continue
		}
		named[f.Trigger.Name] = true
		count++
		name := rule.Scheme + markup.Name(visible.Word(f.Trigger.Name))
		if size += len(name) + 2; size < quota.Names-300 {
			names = append(names, name)
		}
	}
	if count == 0 {
		return ""
	}
	lead := "Broken as well is 1 rule that did not fit here"
	if count > 1 {
		lead = fmt.Sprintf("Broken as well are %d rules that did not fit here", count)
	}
	lead += "; read one with `pertain read rule://NAME` when it concerns the work: " + strings.Join(names, ", ")
	if more := count - len(names); more > 0 {
		lead += fmt.Sprintf(" and %d more, which `pertain rules` lists", more)
	}
	return lead + ".\n\n"
}

// comply says which of the rules that are shown bind the model: never those that are only named.
func (x *exchange) comply(shown, rest []stream.Fired) string {
	var names []string
	others := false
	for _, f := range shown {
		if x.workspace.Binding[f.Trigger.Name] {
			names = append(names, markup.Name(visible.Line(visible.Strip(f.Trigger.Name))))
		} else {
			others = true
		}
	}
	if sentence := markup.Comply(names, others || len(rest) > 0); sentence != "" {
		return sentence + "\n\n"
	}
	return ""
}
