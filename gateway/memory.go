package gateway

import (
	"context"
	"maps"
	"slices"
	"sync"

	"github.com/pertain-dev/pertain/stream"
)

// Conversation is what is remembered of one.
type Conversation struct {
	// Record is which rules were injected at which turn of the user, and how much of the
	// budget of the present turn is used up.
	Record stream.Record `json:"record"`
	// Openings are the last requests that began a turn of the user, by hashes, the newest
	// last. One that comes again is no new turn: agents repeat what broke off.
	Openings []string `json:"openings,omitempty"`
	// Began are the requests that have gone on with a conversation that its agent names, by what was said first in them: agents that
	// work for others share the name. By them one that begins later under the same name is told apart.
	Began []Beginning `json:"began,omitempty"`
	// Splices are the reminders that the model has got and the agent knows nothing of.
	Splices []Splice `json:"splices,omitempty"`
	// Answer says for the id of an answer to which conversation that belongs; nil for any
	// other id.
	Answer *Answer `json:"answer,omitempty"`
	// Waiting are entries of the journal whose rules are heeded or not with the next answer.
	Waiting []Waiting `json:"waiting,omitempty"`
}

// Beginning is how requests of a conversation begin.
type Beginning struct {
	First string `json:"first"` // hash of what the user said first
	Size  int    `json:"size"`  // how much had been said when something was remembered last, in entries
}

// Waiting is an entry of the journal.
type Waiting struct {
	Entry string `json:"entry"`
	Rule  string `json:"rule"`
}

// Answer is one that later requests may name by its id instead of repeating it.
type Answer struct {
	Conversation string `json:"conversation"` // the id of that
	Real         string `json:"real"`         // the id that the model has of the answer
}

// Splice says where reminders belong. It holds no text of a conversation: answers are
// known by the ids of their calls, or by hashes.
type Splice struct {
	Calls  []string `json:"calls,omitempty"`  // ids of the calls of the answer
	Text   string   `json:"text,omitempty"`   // hash of its text
	Answer string   `json:"answer,omitempty"` // the id that the agent has of it, where requests name answers by ids
	// After says that the reminder stands after the agent's reply to the answer, which
	// holds results of tools. Else it stands before the answer.
	After bool   `json:"after,omitempty"`
	Keep  bool   `json:"keep,omitempty"` // what the agent got of an answer that was broken off stays in the conversation
	Steps []Step `json:"steps"`
}

// Step is one answer that was broken off: what the agent got of it, and the reminder.
type Step struct {
	Released []Part `json:"released,omitempty"`
	Reminder string `json:"reminder"`
}

// Part is a text that the agent got.
type Part struct {
	Thinking bool   `json:"thinking,omitempty"`
	Partial  bool   `json:"partial,omitempty"` // thinking that was not finished, and is never sent back
	Hash     string `json:"hash"`
	Size     int    `json:"size"` // characters without white space
	// White space at its ends, which agents may not keep and the model has seen.
	Before string `json:"before,omitempty"`
	After  string `json:"after,omitempty"`
}

// Memory keeps conversations, by their ids: hashes. It must be safe for concurrent use,
// and an update is made whole or not at all. What it keeps for longer than the process
// lives is there after a restart.
type Memory interface {
	// Load gives what is remembered; a zero Conversation if nothing is.
	Load(ctx context.Context, id string) (Conversation, error)
	// Update changes what is remembered.
	Update(ctx context.Context, id string, change func(*Conversation)) error
}

// maxForgetful is how many conversations are remembered without a memory.
const maxForgetful = 1024

// forgetful is a memory that lives as long as the process.
type forgetful struct {
	mu    sync.Mutex
	all   map[string]Conversation
	order []string // the oldest first
}

func (f *forgetful) Load(_ context.Context, id string) (Conversation, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.all[id].clone(), nil
}

func (f *forgetful) Update(_ context.Context, id string, change func(*Conversation)) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	c, known := f.all[id]
	if !known {
		if f.all == nil {
			f.all = make(map[string]Conversation)
		}
		if f.order = append(f.order, id); len(f.order) > maxForgetful {
			delete(f.all, f.order[0])
			f.order = f.order[1:]
		}
	}
	c = c.clone()
	change(&c)
	f.all[id] = c
	return nil
}

func (c Conversation) clone() Conversation {
	c.Record.Injected = maps.Clone(c.Record.Injected)
	c.Splices, c.Waiting, c.Openings = slices.Clone(c.Splices), slices.Clone(c.Waiting), slices.Clone(c.Openings)
	c.Began = slices.Clone(c.Began)
	return c
}

// maxOpenings is how many requests are told apart that agents which share a conversation
// may repeat.
const maxOpenings = 8

// open takes note of a request that begins a turn; "": of none.
func (c *Conversation) open(request string) {
	if request == "" || slices.Contains(c.Openings, request) {
		return
	}
	c.Openings = append(c.Openings, request)
	if more := len(c.Openings) - maxOpenings; more > 0 {
		c.Openings = slices.Delete(c.Openings, 0, more)
	}
}
