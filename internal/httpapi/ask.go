package httpapi

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/pertain-dev/pertain"
	"github.com/pertain-dev/pertain/gateway"
	"github.com/pertain-dev/pertain/internal/ask"
	"github.com/pertain-dev/pertain/plan"
)

// Asker asks the model of the user's settings. It must be safe for concurrent use.
type Asker interface {
	// Offered is the model, if one is set up and the user has agreed to it at all, which
	// nobody can do over HTTP.
	Offered() (ask.Upstream, bool)
	// Question is a plan that may be sent. agreed are the sentences of what it reads that
	// the user has seen and agreed to just now. An [AgreementError] says which are missing,
	// an [AskError] why it cannot be sent at all.
	Question(ctx context.Context, engine *pertain.Engine, p *plan.Plan, agreed []string) (Question, error)
}

// Question is what is sent when Put is called.
type Question struct {
	Upstream ask.Upstream
	LeftOut  []string // what of the plan it cannot carry, in words
	Anew     bool     // an answer that a rule interrupts begins anew
	Put      func(ctx context.Context, to ask.Listener) (ask.Answer, error)
}

// AgreementError says what the user has not agreed to send yet.
type AgreementError struct {
	Upstream string
	Missing  []string
}

func (e *AgreementError) Error() string {
	return "this reads more than you have agreed to send to " + e.Upstream
}

// AskError is why a model is not asked, in words for the user.
type AskError struct{ Reason string }

func (e *AskError) Error() string { return e.Reason }

type askQuery struct{}

type askOffer struct {
	Offered bool      `json:"offered" jsonschema:"a model is set up, and the user has agreed to it"`
	Model   *askModel `json:"model" jsonschema:"which; null where none is offered"`
}

type askModel struct {
	API  string `json:"api"`
	URL  string `json:"url"`
	Name string `json:"name"`
}

func shownModel(u ask.Upstream) *askModel { return &askModel{u.API, u.URL.String(), u.Model} }

// askOffered tells whether a model can be asked from here.
func (s *Server) askOffered(context.Context, askQuery) (askOffer, error) {
	if s.options.Ask != nil {
		if u, ok := s.options.Ask.Offered(); ok {
			return askOffer{true, shownModel(u)}, nil
		}
	}
	return askOffer{}, nil
}

// askInput is what [Server.run] takes, and what the user agrees to.
type askInput struct {
	ID        string   `json:"id" jsonschema:"id of the strategy"`
	Input     string   `json:"input,omitempty" jsonschema:"what the user wants to add"`
	Text      *string  `json:"text,omitempty" jsonschema:"attached text"`
	Selection *string  `json:"selection,omitempty" jsonschema:"selected text"`
	Shown     *string  `json:"shown,omitempty" jsonschema:"the prompt as the user has seen it; if it would be another one now, nothing is sent"`
	Agree     []string `json:"agree,omitempty" jsonschema:"what the user was shown and agrees to send from now on: the sentences of an error with the code agreement"`
}

// serveAsk sends the prompt of a strategy to the model and streams the answer.
func (s *Server) serveAsk(w http.ResponseWriter, r *http.Request) {
	if !enter(s.open) {
		hurry(w, r)
		writeError(w, errBusy)
		return
	}
	defer leave(s.open)
	h := &holding{memoryBudget: s.memoryBudget}
	defer h.leave()
	var in askInput
	if !s.receive(w, r, h, func(r *http.Request) (err error) {
		in, err = readBody[askInput](r)
		return err
	}) {
		return
	}
	if !enter(s.slots) {
		writeError(w, errBusy)
		return
	}
	var q Question
	var err error
	refusal := s.make(r.Context(), route{path: askPath}, func(ctx context.Context) (any, error) {
		q, err = s.question(ctx, in)
		return nil, err
	})
	if err != nil {
		refusal.write(w)
		return
	}
	if !enter(s.asks) {
		writeError(w, errBusy)
		return
	}
	defer leave(s.asks)
	s.tellAnswer(w, r, q)
}

// question makes the prompt, and makes sure that it may be sent.
func (s *Server) question(ctx context.Context, in askInput) (Question, error) {
	if s.options.Ask == nil {
		return Question{}, fail(http.StatusForbidden, "not_offered", "no model can be asked over this address")
	}
	x, err := s.run(ctx, runInput{ID: in.ID, Input: in.Input, Text: in.Text, Selection: in.Selection})
	if err != nil {
		return Question{}, err
	}
	if x.Plan == nil {
		return Question{}, fail(http.StatusConflict, "no_prompt", "there is no prompt: %s", x.Reason)
	}
	if in.Shown != nil && *in.Shown != x.Plan.Prompt {
		return Question{}, fail(http.StatusConflict, "changed", "the prompt has changed meanwhile; look at it, and ask again")
	}
	q, err := s.options.Ask.Question(ctx, s.workspace.Engine(), x.Plan, in.Agree)
	var missing *AgreementError
	var refused *AskError
	switch {
	case errors.As(err, &missing):
		own := fail(http.StatusConflict, "agreement", "%s", missing.Error())
		own.missing = missing.Missing
		return q, own
	case errors.As(err, &refused):
		return q, fail(http.StatusForbidden, "not_offered", "%s", refused.Reason)
	}
	return q, err
}

// Events of an answer.
const (
	beginEvent  = "begin"  // {"model", "leftOut"}
	pieceEvent  = "piece"  // {"text"}
	ruleEvent   = "rule"   // {"rule", "action", "anew"}: what a rule did at this place
	endEvent    = "end"    // {"complete", "cut", "stop"}: the last one
	failedEvent = "failed" // {"message"}: the last one, too
)

type answerBegin struct {
	Model   *askModel `json:"model"`
	LeftOut []string  `json:"leftOut"`
}

type answerPiece struct {
	Text string `json:"text"`
}

type answerRule struct {
	Rule   string         `json:"rule"`
	Action gateway.Action `json:"action"`
	Anew   bool           `json:"anew"`
}

type answerEnd struct {
	Complete bool   `json:"complete"`
	Cut      bool   `json:"cut"`
	Stop     string `json:"stop"`
}

// tellAnswer streams an answer until it or the client is gone, or the server ends.
func (s *Server) tellAnswer(w http.ResponseWriter, r *http.Request, q Question) {
	ctx, stop := context.WithCancel(r.Context())
	defer stop()
	defer context.AfterFunc(s.events.ctx, stop)()
	s.metrics.streams.Add(1)
	defer s.metrics.streams.Add(-1)
	w.Header().Set("Content-Type", "text/event-stream")
	w.WriteHeader(http.StatusOK)
	to := &answerStream{w: w, control: http.NewResponseController(w), anew: q.Anew}
	if to.send(beginEvent, answerBegin{shownModel(q.Upstream), append([]string{}, q.LeftOut...)}) != nil {
		return
	}
	about, err := q.Put(ctx, to)
	var told *ask.Error
	switch {
	case err == nil:
		_ = to.send(endEvent, answerEnd{about.Whole, about.Cut, about.Stop})
	case errors.As(err, &told):
		_ = to.send(failedEvent, map[string]string{"message": told.Error()})
	case ctx.Err() == nil:
		_ = to.send(failedEvent, map[string]string{"message": "the answer could not be had"})
	}
}

// answerStream hands an answer on as events.
type answerStream struct {
	w       http.ResponseWriter
	control *http.ResponseController
	anew    bool
}

func (a *answerStream) send(name string, data any) error {
	_ = a.control.SetWriteDeadline(time.Now().Add(10 * time.Second)) // a client that does not read is let go
	e := newEvent(name, data)
	if _, err := fmt.Fprintf(a.w, "event: %s\ndata: %s\n\n", e.name, e.data); err != nil {
		return err
	}
	return a.control.Flush()
}

// Piece is [ask.Listener.Piece].
func (a *answerStream) Piece(text string) error { return a.send(pieceEvent, answerPiece{text}) }

// Rule is [ask.Listener.Rule].
func (a *answerStream) Rule(name string, action gateway.Action) {
	_ = a.send(ruleEvent, answerRule{name, action, a.anew && action == gateway.Interrupted}) // the next piece tells that nobody listens
}
