package gateway

import (
	"context"
	"time"
)

// Action is what a rule did.
type Action string

const (
	Interrupted Action = "interrupted" // an answer was broken off
	Reminded    Action = "reminded"    // it went through, and the model is reminded with the next request
	Passed      Action = "passed"      // it went through: the budget of interruptions was used up
)

// Entry is one thing that a rule did. It never holds text of the user, the model or a
// file.
type Entry struct {
	Time         time.Time
	Agent        string
	Workspace    string // the folder
	Conversation string // a hash
	Rule         string
	Path         string // the file that a tool call touches; "": none
	Action       Action
}

// Journal takes note of what rules did. It must be safe for concurrent use.
type Journal interface {
	// Add adds an entry and gives the name by which it is found again.
	Add(ctx context.Context, entry Entry) (id string, err error)
	// Heed says of an interruption whether the model has heeded the rule.
	Heed(ctx context.Context, id string, heeded bool) error
}

// silent is a journal that nobody reads.
type silent struct{}

func (silent) Add(context.Context, Entry) (string, error) { return "", nil }
func (silent) Heed(context.Context, string, bool) error   { return nil }
