package hook

import (
	"context"
	"time"
)

// A repository may hold rules that take longer to read or to compile than an agent can wait. What the user relies on must not be
// lost to them: when a call takes long, the user's own rules are asked beside all others, and what they deny is denied, even if
// nothing else is known by then.

// alone is a session of the same call that asks the user's own rules.
func (s *session) alone() *session {
	return &session{
		ctx: s.ctx, agent: s.agent, dialect: s.dialect, request: s.request, environment: s.environment, paths: s.paths, gateway: s.gateway, sample: s.sample,
		own: true, started: s.started, dir: s.dir, workspace: s.workspace, policy: s.policy,
	}
}

// ownAnswer asks the user's own rules. Nothing is decided before the others have had their time: what they find counts as well.
func (s *session) ownAnswer(ctx context.Context, others <-chan time.Time) <-chan outcome {
	done := make(chan outcome, 1)
	go func() {
		select {
		case own := <-s.located:
			if own.request.moment == before && own.watches() {
				done <- <-own.background(func() (answer, error) { return own.judgeAlone(others) })
			}
		case <-ctx.Done(): // the call was never read
		}
	}()
	return done
}

func (s *session) judgeAlone(others <-chan time.Time) (answer, error) {
	s.problem(errProject)
	if err := s.load(nil); err != nil {
		return answer{}, err
	}
	r := &s.request
	parts := touches(r.tool, r.arguments, s.dir, s.root)
	hits := watchCall(s.use(s.watchers()), r.tool, parts)
	if len(hits) == 0 {
		return answer{}, nil
	}
	select {
	case <-others:
	case <-s.ctx.Done():
		return answer{}, nil
	}
	s.open()
	defer s.close()
	return s.calling(parts, hits), nil
}
