package gateway

import (
	"slices"
	"sync"
)

// A name that a client gives its conversations may be the same for all of them: a repository's settings can fix it. As long as the
// gateway runs, a name is one conversation, whatever is said in it. What was remembered before it was started belongs to the first
// request of a name only if that goes on with it; else another conversation begins.

// names are the conversations of names that came since the gateway was started. It is safe for concurrent use.
type names struct {
	mu    sync.Mutex
	known map[string]string // ids of conversations, by those of names
	order []string          // the oldest first
}

func (n *names) of(id string) (conversation string, known bool) {
	n.mu.Lock()
	defer n.mu.Unlock()
	conversation, known = n.known[id]
	return conversation, known
}

// bind says which conversation a name is, unless somebody else was faster.
func (n *names) bind(id, conversation string) string {
	n.mu.Lock()
	defer n.mu.Unlock()
	if bound, known := n.known[id]; known {
		return bound
	}
	if n.known == nil {
		n.known = map[string]string{}
	}
	n.known[id] = conversation
	if n.order = append(n.order, id); len(n.order) > maxForgetful {
		delete(n.known, n.order[0])
		n.order = n.order[1:]
	}
	return conversation
}

// going is the conversation that a name means: the one that was remembered under it, or another that begins.
func (x *exchange) going(id string) string {
	if conversation, known := x.gateway.names.of(id); known {
		return conversation
	}
	conversation := id
	if known := x.recall(id); !x.continues(&known) {
		conversation = digest("begun", id, x.talk.began.First)
		if known := x.recall(conversation); !x.continues(&known) {
			ctx, done := background(x.ctx())
			defer done()
			if err := x.gateway.memory.Update(ctx, conversation, func(c *Conversation) { *c = Conversation{} }); err != nil {
				x.gateway.logger.Warn("a conversation cannot be remembered", "error", err)
			}
		}
	}
	return x.gateway.names.bind(id, conversation)
}

// continues tells whether the request goes on with what is remembered: the model has answered before, and either it begins in the same
// way and nothing is missing of it, or an answer is in it of which a reminder is remembered. Where nothing is remembered, anything does.
func (x *exchange) continues(known *Conversation) bool {
	switch {
	case known.empty() || x.ask.before.Exists(): // what was said before is with the provider
		return true
	case !x.ask.answered():
		return false
	case len(known.Began) == 0: // by an older version
		return true
	case slices.ContainsFunc(known.Began, func(b Beginning) bool { return b.First == x.talk.began.First && b.Size <= x.talk.began.Size }):
		return true
	}
	return x.ask.putBack(x.to.api, x.body, known.Splices, "", nil) != nil
}

// beginning is how a request begins.
func (a *asked) beginning() Beginning { return Beginning{digest("first", a.first), len(a.entries)} }

// maxBegan is how many beginnings are told apart that one conversation has.
const maxBegan = 8

// begins tells whether a beginning is remembered; none is always.
func (c *Conversation) begins(b Beginning) bool {
	return b.First == "" || slices.ContainsFunc(c.Began, func(known Beginning) bool { return known.First == b.First })
}

// begin takes note of how a request begins; none: of nothing.
func (c *Conversation) begin(b Beginning) {
	if b.First == "" {
		return
	}
	c.Began = slices.DeleteFunc(c.Began, func(known Beginning) bool { return known.First == b.First })
	c.Began = append(c.Began, b)
	if more := len(c.Began) - maxBegan; more > 0 {
		c.Began = slices.Delete(c.Began, 0, more)
	}
}
