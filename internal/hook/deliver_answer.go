package hook

import (
	"context"
	"io"
	"slices"
	"time"
)

// exitDenied is a denial as an exit code.
const exitDenied = 2

// deliver gives the agent its answer, and tells whether it has it. A denial that cannot be written is one by the exit code, with the
// reason on standard error, where the agent knows that: a full disk or a closed pipe lets nothing through.
func (c Call) deliver(d dialect, r request, a answer) (code int, told bool) {
	out := d.write(r, a)
	_, err := io.WriteString(c.Stdout, out.output)
	if err != nil && a.deny && slices.Contains(d.exits, r.moment) {
		out.errors, out.code = a.reason+"\n", exitDenied
	}
	_, _ = io.WriteString(c.Stderr, out.errors) // the exit code denies without it, too
	return out.code, err == nil || out.code == exitDenied || a == answer{}
}

// conclude keeps what came of a call, if the agent has been told, and gives what went wrong. A disk that does not answer does not
// keep the agent waiting.
func (s *session) conclude(out outcome, told bool, patience patience) []error {
	at := out.session
	if at == nil { // nothing has come of it in time, and something may be at work on it still
		at = s
	}
	done := make(chan []error, 1)
	go func() {
		ctx, cancel := context.WithTimeout(context.Background(), maxWait)
		defer cancel()
		if at.workspace == "" { // it was not read far enough; nothing of the user's is kept in the workspace all the same
			at.trimHere()
		}
		problems := out.problems
		add := func(err error) {
			if err != nil && !slices.Contains(problems, err) {
				problems = append(problems, err)
			}
		}
		if told {
			add(at.keepJournal(ctx))
			add(at.save())
		}
		at.forget()
		at.seen(ctx, problems)
		done <- problems
	}()
	select {
	case problems := <-done:
		return problems
	case <-time.After(patience.all):
		return append(out.problems, errTime)
	}
}

// trimHere is trim where the agent has not told where it works.
func (s *session) trimHere() {
	if s.variables == nil {
		s.trim()
	}
}

// save writes what the conversation remembers.
func (s *session) save() error {
	if s.memory == nil {
		return nil
	}
	m := s.memory
	s.memory = nil
	if m.close() != nil {
		return errMemory
	}
	return nil
}

// forget lets others go on with the conversation, as if nothing had come of this call.
func (s *session) forget() {
	if s.memory != nil {
		s.memory.withdraw()
		s.memory.unlock()
		s.memory = nil
	}
}
