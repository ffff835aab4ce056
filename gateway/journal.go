package gateway

import (
	"context"
	"time"

	"github.com/pertain-dev/pertain/internal/quota"
	"github.com/pertain-dev/pertain/stream"
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

// Journal takes note of what rules did. It must be safe for concurrent use. What rules did
// at the same time is told in one call. Rules that are not the user's own leave only so
// many entries in one request, so that they push out no others.
type Journal interface {
	// Add adds entries and gives the names by which they are found again, in the same order;
	// none: they are not.
	Add(ctx context.Context, entries ...Entry) (ids []string, err error)
	// Heed says of interruptions whether the model has heeded the rules.
	Heed(ctx context.Context, heeded bool, ids ...string) error
}

// silent is a journal that nobody reads.
type silent struct{}

func (silent) Add(context.Context, ...Entry) ([]string, error) { return nil, nil }
func (silent) Heed(context.Context, bool, ...string) error     { return nil }

// noteAll writes into the journal that rules did one thing.
func (x *exchange) noteAll(v stream.Verdict, action Action) []heard {
	actions := make([]Action, len(v.Fired))
	for i := range actions {
		actions[i] = action
	}
	return x.note(v.Fired, actions)
}

// note writes into the journal what rules did at once, in one go. Rules of others have a quota of entries for each request.
func (x *exchange) note(fired []stream.Fired, actions []Action) []heard {
	ctx, done := background(x.ctx())
	defer done()
	var entries []Entry
	var noted []stream.Fired
	files := map[string]string{} // those that are touched, by kind and path
	more := 0
	for i, f := range fired {
		x.gateway.seen.acts(actions[i])
		if !f.Trigger.Own {
			if x.others >= quota.Others {
				more++
				continue
			}
			x.others++
		}
		e := Entry{Agent: x.agent(), Workspace: x.workspace.Dir, Conversation: x.talk.id, Rule: f.Trigger.Name, Action: actions[i]}
		if len(f.Source.Paths) > 0 {
			key := f.Source.Does.String() + " " + f.Source.Paths[0]
			file, known := files[key]
			if !known {
				file = x.workspace.touched(f.Source)
				files[key] = file
			}
			e.Path = file
		}
		entries, noted = append(entries, e), append(noted, f)
		x.gateway.logger.Info("rule", "rule", e.Rule, "action", string(e.Action), "api", x.to.api.name(), "workspace", e.Workspace, "conversation", e.Conversation, "path", e.Path)
	}
	if more > 0 {
		x.gateway.logger.Info("more rules", "count", more, "api", x.to.api.name(), "workspace", x.workspace.Dir, "conversation", x.talk.id)
	}
	if len(entries) == 0 {
		return nil
	}
	ids, err := x.gateway.journal.Add(ctx, entries...)
	if err != nil {
		x.gateway.logger.Warn("the journal cannot be written", "error", err)
	}
	out := make([]heard, len(entries))
	for i, e := range entries {
		out[i].rule = e.Rule
		if i < len(ids) {
			out[i].entry = ids[i]
		}
	}
	x.gateway.seen.intervenes(noted, entries, out)
	return out
}

// heed says of entries whether the model has heeded their rules.
func (x *exchange) heed(entries []string, heeded bool) {
	x.gateway.seen.heeds(entries, heeded)
	var known []string
	for _, entry := range entries {
		if entry != "" {
			known = append(known, entry)
		}
	}
	if len(known) == 0 {
		return
	}
	ctx, done := background(x.ctx())
	defer done()
	if err := x.gateway.journal.Heed(ctx, heeded, known...); err != nil {
		x.gateway.logger.Warn("the journal cannot be written", "error", err)
	}
}
