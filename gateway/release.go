package gateway

import (
	"slices"
	"strings"

	"github.com/pertain-dev/pertain/stream"
)

// Release is something that a client gets after it was watched: a tool call, whole, or the texts of an answer. It is
// reported before the client has all of it.
type Release struct {
	Workspace string // the folder whose rules have watched it

	IDs       []string // of a call, as the client gets them; none: it is a text, or the API gives no ids
	Tool      string   // of a call; "": it is a text
	Arguments string   // of a call, as the model wrote them

	Texts []string // of an answer that has ended: each alone, and all of them in one

	// Told are the rules that fired, and that the model is told of by the gateway: it was interrupted by them before, or it is
	// reminded with the next request. What passes since a rule has fired before, or since the budget is used up, is not among
	// them, nor is a rule that has found nothing.
	Told []*stream.Trigger
}

// told are the rules that a release tells of; for texts also those that have broken off the answer before.
func (x *exchange) told(texts bool) []*stream.Trigger {
	if len(x.interrupted)+len(x.reminders.Fired) == 0 {
		return nil
	}
	_, shown := x.reminds() // a hook tells of those that do not fit
	fired := shown.Fired
	if texts {
		fired = slices.Concat(x.interrupted, fired)
	}
	var out []*stream.Trigger
	known := map[*stream.Trigger]bool{}
	for _, f := range fired {
		if !known[f.Trigger] && !x.passed[f.Trigger.Name] {
			known[f.Trigger] = true
			out = append(out, f.Trigger)
		}
	}
	return out
}

// releasing tells of calls that the client gets now.
func (j *judge) releasing(list []said) {
	if j.x.gateway.options.Release == nil {
		return
	}
	for i := range list {
		if p := j.known(&list[i]); p != nil {
			j.tell(p)
		}
	}
}

// tell tells of a call that is whole, once. What no trigger watches is nobody's to tell of.
func (j *judge) tell(p *spoken) {
	if p.kind != callBlock || p.side != plainSide || !p.watched || !p.ended || p.told || j.x.gateway.options.Release == nil {
		return
	}
	p.told = true
	told := j.x.told(false)
	for _, tool := range p.names() {
		for _, arguments := range append([]string{p.text.String()}, p.versions...) {
			j.x.gateway.options.Release(Release{Workspace: j.x.workspace.Dir, IDs: p.calls, Tool: tool, Arguments: arguments, Told: told})
		}
	}
}

// tellEnd tells of the texts of an answer that has ended, all of which is given, and of calls that were not told of. before are
// the texts of answers that were broken off before it, which the client has in one with it: some APIs set them apart.
func (j *judge) tellEnd(before []string, text string) {
	if j.watcher == nil || j.x.gateway.options.Release == nil {
		return
	}
	all := strings.Join(before, "") + text
	texts := []string{all}
	if len(before) > 0 {
		texts = append(texts, strings.Join(append(slices.Clone(before), text), "\n\n"))
	}
	for _, p := range j.parts {
		if p.kind == textBlock && p.side == plainSide && p.text.Len() < len(all) {
			texts = append(texts, p.text.String())
		}
		j.tell(p)
	}
	if all != "" {
		j.x.gateway.options.Release(Release{Workspace: j.x.workspace.Dir, Texts: texts, Told: j.x.told(true)})
	}
}
