package hook

import (
	"context"
	"time"
)

// A repository may hold rules that take longer to read or to compile than an agent can wait. What the user relies on must not be
// lost to them: when a call takes long, the user's own rules are asked beside all others, and what they say is said, even if
// nothing else is known by then. What the project says when a conversation begins is then owed. Where the agent works in what is no
// folder, they are the only ones that are asked.

// alone is a session of the same call that asks the user's own rules.
func (s *session) alone() *session {
	return &session{
		ctx: s.ctx, agent: s.agent, dialect: s.dialect, request: s.request, segments: s.segments, environment: s.environment, paths: s.paths, variables: s.variables, account: s.account, startedIn: s.startedIn, usual: s.usual, otherHome: s.otherHome, usualPolicy: s.usualPolicy, gateway: s.gateway, sample: s.sample,
		own: true, turn: s.turn, started: s.started, dir: s.dir, workspace: s.workspace, policy: s.policy, lack: s.lack,
	}
}

// takeTurn tells whether this session is the one that answers: the first that asks, of all rules or of the user's own.
func (s *session) takeTurn() bool {
	s.answers = s.turn.CompareAndSwap(false, true)
	return s.answers
}

// ownAnswer asks the user's own rules. Nothing is decided before the others have had their time: what they find counts as well.
func (s *session) ownAnswer(ctx context.Context, others <-chan time.Time) <-chan outcome {
	done := make(chan outcome)
	go func() {
		var own *session
		select {
		case own = <-s.located:
		case <-ctx.Done(): // the call was never read
			return
		}
		select {
		case out := <-own.background(func() (answer, error) { return own.decideAlone(others) }):
			select {
			case done <- out:
			case <-ctx.Done():
				out.session.forget()
			}
		case <-ctx.Done():
		}
	}()
	return done
}

// decideAlone is what a call comes to by the user's own rules. A call that they let through was not checked.
func (s *session) decideAlone(others <-chan time.Time) (answer, error) {
	f, err := s.find()
	if err != nil || !s.concerned(f) {
		return answer{}, err
	}
	select {
	case <-others:
	case <-s.ctx.Done():
		return answer{}, nil
	}
	if !s.takeTurn() {
		return answer{}, nil
	}
	s.problem(errProject)
	out := s.reply(f)
	if s.request.moment == before && !out.deny {
		return out, errProject
	}
	return out, nil
}

// concerned tells whether the user's own rules may have something to say.
func (s *session) concerned(f found) bool {
	switch s.request.moment {
	case before, end, said:
		return len(f.hits) > 0
	}
	return s.book != nil && len(s.book.Rules()) > 0
}
