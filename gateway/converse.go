package gateway

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/pertain-dev/pertain/gateway/internal/jsontext"
	"github.com/pertain-dev/pertain/stream"
)

// talk is the conversation that a request belongs to.
type talk struct {
	id     string // a hash
	named  bool   // by the agent
	record stream.Record
	known  Conversation
	// opening is the request, by a hash, if it begins a turn of the user.
	opening string
	// began is how it begins, if it is named.
	began Beginning
}

// sessionHeaders are the headers by which agents name a conversation, the surest first.
// Found by running the programs.
var sessionHeaders = []string{
	"X-Pertain-Conversation",
	"X-Claude-Code-Session-Id", // Claude Code
	"Session_id", "Session-Id", // Codex
	"Conversation_id",    // Codex, before 0.50
	"X-Opencode-Session", // OpenCode
	"X-Session-Affinity", // OpenCode
	"X-Session-Id",       // droid, Qwen Code
	"X-Interaction-Id",   // Copilot
	"X-Gemini-Session-Id",
}

// converse finds the conversation of a request, and puts what the model was told in it
// back into the request.
func (x *exchange) converse() {
	x.talk.id, x.talk.named = conversationID(x.workspace.Dir, x.r.Header, x.ask)
	real := ""
	if before := x.ask.before.Text(); before != "" {
		if answer := x.answer(before); answer != nil {
			if real = answer.Real; !x.talk.named && x.ask.tools {
				x.talk.id = answer.Conversation
			}
		}
	}
	if x.talk.named {
		x.talk.began = x.ask.beginning()
		x.talk.id = x.going(x.talk.id)
	}
	known := x.recall(x.talk.id)
	begins := !x.ask.answered()
	if !x.talk.named && begins && !known.empty() {
		known = Conversation{}
		x.remember(func(c *Conversation) { *c = Conversation{} })
	}
	if begins || x.ask.personLast() {
		x.talk.opening = x.ask.opening()
	}
	if x.talk.opening != "" && !known.empty() && !slices.Contains(known.Openings, x.talk.opening) {
		next := func(c *Conversation) {
			c.Record.Turn++
			c.Record.Interrupted, c.Record.Foreign = 0, 0
			c.open(x.talk.opening)
			c.begin(x.talk.began)
		}
		next(&known)
		x.remember(next)
	} else if !known.empty() && !known.begins(x.talk.began) {
		x.remember(func(c *Conversation) { c.begin(x.talk.began) })
	}
	known.Record.Turn = max(known.Record.Turn, 1)
	x.talk.known, x.talk.record = known, known.clone().Record
	if text := x.ask.putBack(x.to.api, x.body, known.Splices, real, x.gateway.endings.of(x.owned(x.ask.ended()))); text != nil {
		if root, ok := jsontext.Parse(text); ok {
			x.body, x.ask = text, x.to.api.asks(root, plainPath(x.path))
		}
	}
}

// recall is what is remembered of a conversation.
func (x *exchange) recall(id string) Conversation {
	known, err := x.gateway.memory.Load(x.ctx(), id)
	if err != nil {
		x.gateway.logger.Warn("what is remembered of a conversation cannot be read", "error", err)
	}
	return known
}

func (c *Conversation) empty() bool {
	return len(c.Record.Injected) == 0 && c.Record.Interrupted == 0 && len(c.Splices) == 0 && len(c.Waiting) == 0
}

// remember changes what is remembered of the conversation.
func (x *exchange) remember(change func(*Conversation)) {
	ctx, done := background(x.ctx())
	defer done()
	if err := x.gateway.memory.Update(ctx, x.talk.id, change); err != nil {
		x.gateway.logger.Warn("a conversation cannot be remembered", "error", err)
	}
}

// answer is what is known of an answer by its id; nil: nothing.
func (x *exchange) answer(id string) *Answer {
	if x.gateway.owners.stranger(id, x.gateway.caller(x.r)) {
		return nil
	}
	known, err := x.gateway.memory.Load(x.ctx(), answerID(id))
	if err != nil {
		x.gateway.logger.Warn("what is remembered of an answer cannot be read", "error", err)
	}
	return known.Answer
}

// realAnswer is a path with the id that the model has of an answer in the place of the
// one that the client has: /v1/responses/ID and what is below it.
func (x *exchange) realAnswer(path string) string {
	const list = "/responses/"
	before, below, ok := strings.Cut(path, list)
	id, _, _ := strings.Cut(below, "/")
	if !ok || id == "" {
		return path
	}
	answer := x.answer(id)
	if answer == nil || answer.Real == "" {
		return path
	}
	return before + list + url.PathEscape(answer.Real) + below[len(id):]
}

// answered writes down to which conversation an answer belongs that later requests may
// name: where there is something to remember, or where the model has another id of it.
func (x *exchange) answered(client, real string) {
	news := !x.talk.known.empty() || len(x.talk.record.Injected) > 0 || x.talk.record.Interrupted > 0 || len(x.reminders.Fired) > 0
	if client == "" || !x.ask.chained || client == real && (x.talk.named || !news) {
		return
	}
	x.gateway.owners.add(client, x.gateway.caller(x.r))
	ctx, done := background(x.ctx())
	defer done()
	if err := x.gateway.memory.Update(ctx, answerID(client), func(c *Conversation) { c.Answer = &Answer{x.talk.id, real} }); err != nil {
		x.gateway.logger.Warn("an answer cannot be remembered", "error", err)
	}
}

// answerID is under what an answer is remembered.
func answerID(id string) string { return digest("answer", id) }

// digest is a hash of texts.
func digest(texts ...string) string {
	sum := sha256.New()
	for _, text := range texts {
		_, _ = sum.Write([]byte(text + "\x00")) // never fails
	}
	return hex.EncodeToString(sum.Sum(nil)[:16])
}

// conversationID names the conversation of a request, and says whether the agent does.
// What has no tools, such as a request for a title, is one of its own. A workspace has its own conversations, whatever they are
// named: a name that comes from a repository must not make rules of another one silent.
func conversationID(dir string, h http.Header, a *asked) (id string, named bool) {
	var by []string
	if header, value := sessionName(h); header != "" {
		by, named = []string{"header", header, value}, true
	}
	switch before := a.before.Text(); {
	case named:
	case before != "": // what was said first is not told again
		by = []string{"after", before}
	case a.kept != "":
		by = []string{"kept", a.kept}
	default:
		by = []string{"first", a.model, a.system, a.first}
	}
	if !a.tools {
		by = append(by, "no tools")
	}
	return digest(append(by, "in", dir)...), named
}

// sessionName is how the agent names the conversation, and in which header; "": it does not.
func sessionName(h http.Header) (header, value string) {
	for _, name := range sessionHeaders {
		if value := strings.TrimSpace(h.Get(name)); value != "" {
			return name, value
		}
	}
	return "", ""
}

// opening is by what a request is known that begins a turn: all that was said up to now.
// Whether its answer is to be streamed does not count.
func (a *asked) opening() string {
	sum := sha256.New()
	_, _ = sum.Write(a.before.Raw()) // never fails
	_, _ = sum.Write(a.list.Raw())
	return hex.EncodeToString(sum.Sum(nil)[:16])
}

// turnMemory is what a watcher of one answer remembers: a rule that fired in this turn of
// the user may fire in it again.
type turnMemory struct{ x *exchange }

func (m turnMemory) Load(context.Context) (stream.Record, error) {
	record := Conversation{Record: m.x.talk.record}.clone().Record
	for name, turn := range record.Injected {
		if turn >= record.Turn {
			delete(record.Injected, name)
		}
	}
	return record, nil
}

func (m turnMemory) Save(_ context.Context, record stream.Record) error {
	now := &m.x.talk.record
	if now.Injected == nil {
		now.Injected = make(map[string]int64)
	}
	for name, turn := range record.Injected {
		now.Injected[name] = max(turn, now.Injected[name])
	}
	// One answer may have several watchers, and what one has counted the others do not know.
	now.Interrupted, now.Foreign = max(record.Interrupted, now.Interrupted), max(record.Foreign, now.Foreign)
	return nil
}

// keepRecord writes down which rules were shown, and how often answers were broken off.
func (x *exchange) keepRecord(c *Conversation) {
	if c.Record.Injected == nil {
		c.Record.Injected = make(map[string]int64)
	}
	for name, turn := range x.talk.record.Injected {
		c.Record.Injected[name] = max(turn, c.Record.Injected[name])
	}
	c.open(x.talk.opening)
	c.begin(x.talk.began)
	c.Record.Turn = max(c.Record.Turn, x.talk.record.Turn)
	c.Record.Interrupted = max(c.Record.Interrupted, x.talk.record.Interrupted)
	c.Record.Foreign = max(c.Record.Foreign, x.talk.record.Foreign)
}
