package gateway

import (
	"crypto/hmac"
	"crypto/sha256"
	"net/http"
	"slices"
	"sync"
)

// ending is an answer that was ended for the client before the model had finished it,
// since a call after one that was released broke a rule. Its provider does not keep what
// was broken off: a request that goes on from it by its id is sent with what was said
// instead.
type ending struct {
	answer string   // the id of it that the client has
	before []byte   // the id from which its request went on, as JSON
	said   [][]byte // what was asked, and what the client has got of the answer
}

func (e *ending) size() int {
	n := len(e.before)
	for _, text := range e.said {
		n += len(text)
	}
	return n
}

// Bounds of what is kept of such answers.
const (
	maxEndings    = 256
	maxEndingSize = 32 << 20
)

// endings keeps them for as long as the process lives, and nowhere else: they hold texts
// of conversations. Of one that is forgotten, the provider says that it does not know it,
// at which agents send everything again.
type endings struct {
	mu    sync.Mutex
	all   map[string]*ending // by the id that the client has, and whose it is: see owned
	order []string           // the oldest first
	bytes int
}

func (e *endings) add(id string, end *ending) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if id == "" {
		return
	}
	e.forget(id)
	if e.all == nil {
		e.all = make(map[string]*ending)
	}
	e.all[id] = end
	e.order = append(e.order, id)
	e.bytes += end.size()
	for len(e.order) > maxEndings || e.bytes > maxEndingSize {
		e.forget(e.order[0])
	}
}

func (e *endings) forget(id string) {
	if at := slices.Index(e.order, id); at >= 0 {
		e.bytes -= e.all[id].size()
		delete(e.all, id)
		e.order = slices.Delete(e.order, at, at+1)
	}
}

// over forgets an ending that the provider knows of now.
func (e *endings) over(id string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.forget(id)
}

// credentialHeaders are the headers by which clients show who they are.
var credentialHeaders = []string{
	"Authorization", "X-Api-Key", "Api-Key", "X-Goog-Api-Key", "Cookie", "Proxy-Authorization",
	"Openai-Organization", "Openai-Project", "Chatgpt-Account-Id",
}

// caller tells clients apart by what they show of themselves, and by more texts. It is known to this process alone: nobody can tell by
// it what they have shown.
func (g *Gateway) caller(r *http.Request, more ...string) string {
	sum := hmac.New(sha256.New, g.secret[:])
	take := func(text string) { _, _ = sum.Write([]byte(text + "\x00")) } // never fails
	for _, name := range credentialHeaders {
		for _, value := range r.Header.Values(name) {
			take(name)
			take(value)
		}
	}
	for _, value := range r.URL.Query()["key"] { // Gemini
		take("key")
		take(value)
	}
	take("")
	for _, text := range more {
		take(text)
	}
	return string(sum.Sum(nil))
}

// owned is under what something is kept for this client alone, in this workspace and in the conversation that it names: ids are no
// secrets, and what is kept is sent on with the key of whoever asks.
func (x *exchange) owned(id string) string {
	if id == "" {
		return ""
	}
	header, name := sessionName(x.r.Header)
	return x.gateway.caller(x.r, x.workspace.Dir, header, name) + id
}

// owners are whose answers are that came since the gateway was started, by their ids. It is safe for concurrent use.
type owners struct {
	mu    sync.Mutex
	known map[string]string
	order []string // the oldest first
}

func (o *owners) add(id, caller string) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.known == nil {
		o.known = make(map[string]string)
	}
	if _, known := o.known[id]; !known {
		o.order = append(o.order, id)
	}
	o.known[id] = caller
	if len(o.order) > maxForgetful {
		delete(o.known, o.order[0])
		o.order = o.order[1:]
	}
}

// stranger tells whether an answer is known to be another client's.
func (o *owners) stranger(id, caller string) bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	owner, known := o.known[id]
	return known && owner != caller
}

// ended is under what the ending is kept that a request goes on from; "": it can be none.
func (a *asked) ended() string {
	if before := a.before.Text(); before != "" {
		return before
	}
	if a.kept != "" {
		return keptID(a.kept)
	}
	return ""
}

// keptID tells a conversation that a provider keeps from an answer.
func keptID(conversation string) string { return "conversation " + conversation }

// of is the ending of an answer; nil: it has none, or is not known any more.
func (e *endings) of(id string) *ending {
	if id == "" {
		return nil
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.all[id]
}

// ends is how an answer to the request is remembered of which the client has got some
// entries.
func (a *asked) ends(answer string, got [][]byte) *ending {
	e := &ending{answer: answer, before: []byte("null")}
	if a.before.Exists() {
		e.before = slices.Clone(a.before.Raw())
	}
	if a.list.Kind() == '"' {
		e.said = append(e.said, a.saidOnce())
	}
	for i := range a.entries {
		e.said = append(e.said, slices.Clone(a.entries[i].value.Raw()))
	}
	e.said = append(e.said, got...)
	return e
}
