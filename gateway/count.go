package gateway

import "github.com/pertain-dev/pertain/gateway/internal/jsontext"

// count puts what the model was told in a conversation into a request that only counts
// its tokens, so that the agent learns what its next request will take, or that has the
// provider make what was said shorter, so that it is not lost in that. Nothing is
// remembered of it: it is no turn.
func (x *exchange) count() {
	root, ok := jsontext.Parse(x.body)
	if !ok || root.Kind() != '{' {
		return
	}
	if inner := root.Get("generateContentRequest"); inner.Kind() == '{' { // Gemini: the request that is meant
		root = inner
	}
	ask := x.to.counts.asks(root, plainPath(x.path))
	real := ""
	before := ask.before.Text()
	var answer *Answer
	if before != "" {
		if answer = x.answer(before); answer != nil {
			real = answer.Real
		}
	}
	var known Conversation
	for _, tools := range []bool{ask.tools, true} { // agents may leave the tools out of what they count
		ask.tools = tools
		id, named := conversationID(x.workspace.Dir, x.r.Header, ask)
		if answer != nil && !named && tools {
			id = answer.Conversation
		}
		if conversation, bound := x.gateway.names.of(id); named && bound {
			id = conversation
		}
		var err error
		if known, err = x.gateway.memory.Load(x.ctx(), id); err != nil {
			x.gateway.logger.Warn("what is remembered of a conversation cannot be read", "error", err)
		}
		if len(known.Splices) > 0 {
			break
		}
	}
	if text := ask.putBack(x.to.counts, x.body, known.Splices, real, x.gateway.endings.of(x.owned(ask.ended()))); text != nil {
		x.body = text
	}
}
