package cli

import (
	"context"
	"errors"
	"log/slog"
	"slices"
	"time"

	"github.com/pertain-dev/pertain"
	"github.com/pertain-dev/pertain/internal/ask"
	"github.com/pertain-dev/pertain/internal/httpapi"
	"github.com/pertain-dev/pertain/plan"
	"github.com/pertain-dev/pertain/stream"
)

// servedAsker asks a model for clients of serve, by the rules of `pertain ask`: the
// settings, the key and what was agreed to are looked at anew for each question.
type servedAsker struct {
	app    *app
	logger *slog.Logger
}

// servedAsk is who asks a model at an address. Whoever can be on another machine must not
// send things with this user's key.
func (a *app) servedAsk(at serveAddress, logger *slog.Logger) httpapi.Asker {
	if !at.local() || len(at.hosts) > 0 {
		return nil
	}
	return servedAsker{a, logger}
}

// Offered is [httpapi.Asker.Offered].
func (s servedAsker) Offered() (ask.Upstream, bool) {
	u, err := s.app.upstream("")
	if err != nil {
		return u, false
	}
	agreed, err := s.app.agreements().Upstream(u)
	return u, agreed && err == nil
}

// Question is [httpapi.Asker.Question].
func (s servedAsker) Question(ctx context.Context, engine *pertain.Engine, p *plan.Plan, agreed []string) (httpapi.Question, error) {
	q, err := s.question(ctx, engine, p, agreed)
	var known *exit
	if errors.As(err, &known) { // words for the user, which hold nothing of the context
		err = &httpapi.AskError{Reason: known.message}
	}
	return q, err
}

func (s servedAsker) question(ctx context.Context, engine *pertain.Engine, p *plan.Plan, agreed []string) (httpapi.Question, error) {
	u, err := s.app.upstream("")
	if err != nil {
		return httpapi.Question{}, err
	}
	q := questionOf(engine, p)
	missing, known, err := s.app.agreements().Missing(u, q.subject)
	switch {
	case err != nil:
		return httpapi.Question{}, usage("%s", err)
	case !known: // who gets it is decided where only the user is
		return httpapi.Question{}, usage("you have not agreed to send anything to %s yet; run `pertain ask %s` in a terminal once", u.Name(), q.subject.ID)
	case slices.ContainsFunc(missing, func(sentence string) bool { return !slices.Contains(agreed, sentence) }):
		return httpapi.Question{}, &httpapi.AgreementError{Upstream: u.Name(), Missing: missing}
	}
	options := ask.Options{Upstream: u, Version: Version(), Journal: gatewayJournal{s.app}}
	if options.Key, err = s.app.key(u); err != nil {
		return httpapi.Question{}, err
	}
	options.Rules, err = s.app.watchedNow(ctx, func(rule, message string) {
		s.logger.Warn("a trigger is not watched", "rule", rule, "problem", message)
	})
	if err != nil {
		return httpapi.Question{}, err
	}
	if len(missing) > 0 {
		if err := s.app.agreements().Add(ctx, u, q.subject, time.Now()); err != nil {
			return httpapi.Question{}, usage("nothing was sent, since it cannot be remembered that you agree: %s", err)
		}
	}
	return httpapi.Question{
		Upstream: u, LeftOut: q.leftOut, Anew: options.Rules.Policy.ContextMode != stream.Keep,
		Put: func(ctx context.Context, to ask.Listener) (ask.Answer, error) { return ask.Ask(ctx, p, options, to) },
	}, nil
}
