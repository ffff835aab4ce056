package ask

import (
	"context"
	"errors"
	"io"
	"net/http"
	"strings"
	"time"

	"github.com/pertain-dev/pertain/gateway"
	"github.com/pertain-dev/pertain/plan"
)

// Options say how a model is asked. Upstream is required.
type Options struct {
	Upstream Upstream
	Key      string             // "": none is sent
	Rules    *gateway.Workspace // whose triggers watch; nil: none do
	Journal  gateway.Journal    // nil: nobody is told
	Version  string             // of this program, which upstreams are told
}

// Listener hears an answer. Its methods are called one after the other, in the order of
// what happened, and never after [Ask] has returned.
type Listener interface {
	// Piece is the next piece of the answer's text. An error ends the answer.
	Piece(text string) error
	// Rule says what a rule did at this place of the answer.
	Rule(name string, action gateway.Action)
}

// Answer is what there is to tell of an answer beside its text.
type Answer struct {
	Whole         bool   // it came to its end
	Cut           bool   // at the length that the upstream allows, or was told
	Stop          string // why it ended, in the upstream's word
	Input, Output int64  // tokens; 0: the upstream did not tell
}

// request is what a model is asked.
type request struct{ system, prompt string }

func requested(p *plan.Plan) request { return request{p.SystemPrompt, p.Prompt} }

// errNoText says that there is nothing to ask.
var errNoText = errors.New("the prompt is empty, so there is nothing to ask")

// Ask sends a plan and hands the answer on. The error is an [Error] in words for the
// user, that of the listener, or that of a context that ended.
func Ask(ctx context.Context, p *plan.Plan, o Options, to Listener) (Answer, error) {
	asked := requested(p)
	if strings.TrimSpace(asked.prompt) == "" {
		return Answer{}, &Error{errNoText.Error()}
	}
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	out := newOutward(o.Upstream)
	defer out.transport.CloseIdleConnections()
	way := newInward(o, out, to)
	defer way.wait()
	defer stop() // before it is waited for
	answer, err := o.speak(ctx, way.client(), asked, to)
	if err == nil && !answer.Whole {
		err = errUnfinished
	}
	return answer, o.worded(ctx, err, out, asked)
}

// speak asks in the upstream's API.
func (o Options) speak(ctx context.Context, client *http.Client, asked request, to Listener) (Answer, error) {
	if o.Upstream.API == Anthropic {
		return o.messages(ctx, client, asked, to)
	}
	return o.chat(ctx, client, asked, to)
}

// Outgoing is a request as an upstream would get it, without the key.
type Outgoing struct {
	Method, URL string
	Header      http.Header
	Body        []byte
}

// errShown ends a request that is shown instead of sent.
var errShown = errors.New("shown")

// Show is what [Ask] would send, byte for byte. Nothing is sent.
func Show(ctx context.Context, p *plan.Plan, o Options) (Outgoing, error) {
	var out Outgoing
	o.Key, o.Journal = "", nil
	g := o.gateway(roundTrip(func(r *http.Request) (*http.Response, error) {
		body, err := io.ReadAll(r.Body)
		out = Outgoing{r.Method, r.URL.String(), r.Header, body}
		return nil, errors.Join(errShown, err)
	}))
	way := &inward{handler: g, version: o.Version}
	_, _ = o.speak(ctx, way.client(), requested(p), deaf{}) // it ends with errShown
	way.wait()
	if out.Method == "" {
		return out, &Error{"the request could not be made"}
	}
	return out, ctx.Err()
}

type deaf struct{}

func (deaf) Piece(string) error          { return nil }
func (deaf) Rule(string, gateway.Action) {}

type roundTrip func(*http.Request) (*http.Response, error)

func (f roundTrip) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

// held is how much of an answer waits while a rule's match may be under way. Agents need
// their events soon, and take the risk; a text that somebody reads or keeps can wait.
const held = 256 << 10

// gateway is one for a single question.
func (o Options) gateway(transport http.RoundTripper) *gateway.Gateway {
	rules := o.Rules
	if rules == nil {
		rules = &gateway.Workspace{}
	}
	return gateway.New(gateway.Options{
		Workspace: func(string) *gateway.Workspace { return rules },
		Settings:  o.Upstream.settings,
		Journal:   o.Journal,
		Version:   o.Version,
		Agent:     "ask",
		Limits:    gateway.Limits{Text: held, Wait: 24 * time.Hour, KeepAlive: 24 * time.Hour},
		Transport: transport,
	})
}
