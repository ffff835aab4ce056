package gateway

import (
	"slices"
	"strings"
)

// Release is something that a client gets after it was watched: a tool call, whole, or the texts of an answer. It is
// told of before the client has the last of it.
type Release struct {
	Workspace string // the folder whose rules have watched it

	IDs       []string // of a call, as the client gets them; none: it is a text, or the API gives no ids
	Tool      string   // of a call; "": it is a text
	Arguments string   // of a call, as the model wrote them

	Texts []string // of an answer that has ended: each alone, and all of them in one
}

// releasing tells of calls that the client gets now.
func (j *judge) releasing(list []said) {
	if j.x.gateway.options.Release == nil {
		return
	}
	for i := range list {
		if p := j.known(list[i].key); p != nil {
			j.tell(p)
		}
	}
}

// tell tells of a call that is whole, once. What no trigger watches is nobody's to tell of.
func (j *judge) tell(p *spoken) {
	if p.kind != callBlock || !p.watched || !p.ended || p.told || j.x.gateway.options.Release == nil {
		return
	}
	p.told = true
	j.x.gateway.options.Release(Release{Workspace: j.x.workspace.Dir, IDs: p.calls, Tool: p.call.Tool, Arguments: p.text.String()})
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
		if p.kind == textBlock && p.text.Len() < len(all) {
			texts = append(texts, p.text.String())
		}
		j.tell(p)
	}
	if all != "" {
		j.x.gateway.options.Release(Release{Workspace: j.x.workspace.Dir, Texts: texts})
	}
}
