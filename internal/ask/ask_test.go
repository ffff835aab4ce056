package ask_test

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"

	"github.com/pertain-dev/pertain/gateway"
	"github.com/pertain-dev/pertain/internal/ask"
	"github.com/pertain-dev/pertain/internal/modeltest"
	"github.com/pertain-dev/pertain/internal/settings"
	"github.com/pertain-dev/pertain/plan"
	"github.com/pertain-dev/pertain/stream"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// kinds are the upstreams that settings can name.
var kinds = []string{ask.Anthropic, ask.OpenAI, ask.Ollama}

const key = "sk-test-0123456789abcdef"

// upstream is a model of a test as the settings name it.
func upstream(t *testing.T, kind, address string) ask.Upstream {
	t.Helper()
	s := settings.Default().Ask
	s.Upstream, s.URL, s.Model, s.KeyVariable = kind, address, "scripted", "SOME_KEY"
	u, err := ask.Configured(s)
	if err != nil {
		t.Fatal(err)
	}
	return u
}

// heard writes down what a listener hears.
type heard struct {
	text   strings.Builder
	events []string // rules, and the text before each
	fail   error
}

func (h *heard) Piece(text string) error {
	h.text.WriteString(text)
	return h.fail
}

func (h *heard) Rule(name string, action gateway.Action) {
	h.events = append(h.events, h.text.String()+"|"+name+" "+string(action))
}

func rules(t *testing.T, triggers ...stream.Trigger) *gateway.Workspace {
	t.Helper()
	set, problems := stream.Compile(triggers, stream.Options{})
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	return &gateway.Workspace{Dir: t.TempDir(), Triggers: set}
}

var question = &plan.Plan{ID: "user.x", Prompt: "What is this: <b>&amp;</b>?", SystemPrompt: "Be brief."}

func TestAnswer(t *testing.T) {
	for _, kind := range kinds {
		t.Run(kind, func(t *testing.T) {
			model := modeltest.Start(func(*modeltest.Request) modeltest.Answer {
				return modeltest.Answer{Thinking: "Let me see.", Text: "It is a tag, näturlich."}
			})
			defer model.Close()
			var got heard
			answer, err := ask.Ask(t.Context(), question, ask.Options{Upstream: upstream(t, kind, model.URL), Key: key, Version: "1"}, &got)
			if err != nil || got.text.String() != "It is a tag, näturlich." || !answer.Whole || answer.Cut || answer.Output == 0 {
				t.Errorf("%q, %+v, %v", got.text.String(), answer, err)
			}
			r := model.Requests()[0]
			wantPath, carrier := "/v1/chat/completions", "Authorization"
			if kind == ask.Anthropic {
				wantPath, carrier = "/v1/messages", "X-Api-Key"
			}
			if r.Path != wantPath || r.Model != "scripted" || !r.Stream || len(r.Tools) > 0 || !r.Has(question.Prompt) || !r.Has(question.SystemPrompt) {
				t.Errorf("asked for %s: %s", r.Path, r.Body)
			}
			if !strings.HasSuffix(r.Header.Get(carrier), key) {
				t.Errorf("%s: %q", carrier, r.Header.Get(carrier))
			}
			for name := range r.Header {
				switch name {
				case "Accept", "Accept-Encoding", "Anthropic-Version", "Content-Length", "Content-Type", "User-Agent", carrier:
				default:
					t.Errorf("the upstream is told %s: %s", name, r.Header.Get(name))
				}
			}
			if agent := r.Header.Get("User-Agent"); agent != "pertain/1" {
				t.Errorf("User-Agent: %s", agent)
			}
		})
	}
}

// TestTrigger: a rule that fires in the middle lets nothing of the violation out, however
// the answer is cut into pieces, and the answer goes on.
func TestTrigger(t *testing.T) {
	for _, kind := range kinds {
		for piece := 1; piece <= 40; piece++ {
			model := modeltest.Start(func(r *modeltest.Request) modeltest.Answer {
				if r.Has("Never unwrap.") {
					return modeltest.Answer{Text: "Use the question mark.", Piece: piece}
				}
				return modeltest.Answer{Text: "First. Call value.unwrap() here.", Piece: piece}
			})
			var got heard
			watched := rules(t, stream.Trigger{Name: "no-unwrap", Patterns: []string{`value\s*\.\s*unwrap\(`}, Body: "Never unwrap."})
			answer, err := ask.Ask(t.Context(), question, ask.Options{Upstream: upstream(t, kind, model.URL), Key: key, Rules: watched}, &got)
			if err != nil || !answer.Whole {
				t.Fatalf("%s, %d: %v", kind, piece, err)
			}
			text := got.text.String()
			before, ok := strings.CutSuffix(text, "Use the question mark.")
			if before != "" { // the two are apart
				before, ok = strings.CutSuffix(before, "\n\n")
			}
			if !ok || !strings.HasPrefix("First. Call ", before) {
				t.Errorf("%s, %d: %q", kind, piece, text)
			}
			want := []string{before + "|no-unwrap interrupted"}
			if diff := cmp.Diff(want, got.events); diff != "" {
				t.Errorf("%s, %d: %s", kind, piece, diff)
			}
			if len(model.Requests()) != 2 {
				t.Errorf("%s, %d: %d requests", kind, piece, len(model.Requests()))
			}
			model.Close()
		}
	}
}

// TestSlowMatch: a match that is under way for long is held back for as long; agents get
// its beginning after two seconds or 4 KiB.
func TestSlowMatch(t *testing.T) {
	long := "begin " + strings.Repeat("of a long text ", 1000) + "end"
	model := modeltest.Start(func(r *modeltest.Request) modeltest.Answer {
		if r.Has("Not that.") {
			return modeltest.Answer{Text: "Fine."}
		}
		return modeltest.Answer{Text: long, Piece: 300}
	})
	defer model.Close()
	var got heard
	watched := rules(t, stream.Trigger{Name: "long", Patterns: []string{`begin[\s\S]*end`}, Body: "Not that."})
	_, err := ask.Ask(t.Context(), question, ask.Options{Upstream: upstream(t, ask.Anthropic, model.URL), Rules: watched}, &got)
	if err != nil || got.text.String() != "Fine." {
		t.Errorf("%q, %v", got.text.String(), err)
	}
}

// TestBudget: who does not listen is let through in the end, and that is told.
func TestBudget(t *testing.T) {
	model := modeltest.Start(func(*modeltest.Request) modeltest.Answer { return modeltest.Answer{Text: "eval(x)"} })
	defer model.Close()
	var got heard
	watched := rules(t, stream.Trigger{Name: "no-eval", Patterns: []string{`eval\(`}, Body: "No."})
	watched.Policy = stream.Policy{Budget: 2}
	_, err := ask.Ask(t.Context(), question, ask.Options{Upstream: upstream(t, ask.OpenAI, model.URL), Rules: watched}, &got)
	if err != nil || got.text.String() != "eval(x)" || len(got.events) != 3 || !strings.HasSuffix(got.events[2], "no-eval passed") {
		t.Errorf("%q, %v, %v", got.text.String(), got.events, err)
	}
}

func TestShow(t *testing.T) {
	for _, kind := range kinds {
		model := modeltest.Start(func(*modeltest.Request) modeltest.Answer { return modeltest.Answer{Text: "x"} })
		options := ask.Options{Upstream: upstream(t, kind, model.URL), Key: key, Version: "1"}
		shown, err := ask.Show(t.Context(), question, options)
		if err != nil || len(model.Requests()) > 0 {
			t.Fatalf("%v, %d requests", err, len(model.Requests()))
		}
		if _, err := ask.Ask(t.Context(), question, options, &heard{}); err != nil {
			t.Fatal(err)
		}
		sent := model.Requests()[0]
		if diff := cmp.Diff(string(sent.Body), string(shown.Body)); diff != "" || shown.URL != model.URL+sent.Path || shown.Method != http.MethodPost {
			t.Errorf("%s: %s %s\n%s", kind, shown.Method, shown.URL, diff)
		}
		for name, values := range shown.Header {
			if strings.Contains(strings.Join(values, " "), key) {
				t.Errorf("%s: %s holds the key", kind, name)
			}
		}
		model.Close()
	}
}

// TestNoEnvironment: what SDKs would read of the environment by themselves does not count.
func TestNoEnvironment(t *testing.T) {
	for _, name := range []string{"ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN", "OPENAI_API_KEY", "OPENAI_ORG_ID", "OPENAI_PROJECT_ID"} {
		t.Setenv(name, "leaked")
	}
	t.Setenv("ANTHROPIC_BASE_URL", "http://127.0.0.1:1")
	t.Setenv("OPENAI_BASE_URL", "http://127.0.0.1:1")
	t.Setenv("ANTHROPIC_CUSTOM_HEADERS", "X-Leak: leaked")
	for _, kind := range kinds {
		model := modeltest.Start(func(*modeltest.Request) modeltest.Answer { return modeltest.Answer{Text: "x"} })
		if _, err := ask.Ask(t.Context(), question, ask.Options{Upstream: upstream(t, kind, model.URL)}, &heard{}); err != nil {
			t.Fatal(err)
		}
		for name, values := range model.Requests()[0].Header {
			if strings.Contains(strings.Join(values, " "), "leaked") {
				t.Errorf("%s: %s", kind, name)
			}
		}
		model.Close()
	}
}

// TestRefusals: what goes wrong is told in words, without the key and without the text.
func TestRefusals(t *testing.T) {
	const secret = "a very private sentence of the user"
	p := &plan.Plan{ID: "user.x", Prompt: secret}
	for _, c := range []struct {
		name   string
		answer modeltest.Answer
		want   string
	}{
		{"key", modeltest.Answer{Status: 401, Body: `{"error":{"type":"authentication_error","message":"Incorrect API key provided: ` + key[:9] + `***cdef"}}`}, "does not accept the key of SOME_KEY (status 401): authentication_error"},
		{"model", modeltest.Answer{Status: 404, Body: `{"error":{"type":"not_found_error","message":"model: scripted"}}`}, "knows no such model, or has no such address: check ask.model and ask.url (status 404): model: scripted"},
		{"quoted", modeltest.Answer{Status: 400, Body: `{"error":{"type":"invalid_request_error","message":"bad input: ` + secret + `"}}`}, "refuses the request (status 400): invalid_request_error"},
		{"credit", modeltest.Answer{Status: 400, Body: `{"error":{"type":"invalid_request_error","message":"Your credit balance is too low."}}`}, "refuses the request (status 400): Your credit balance is too low."},
		{"busy", modeltest.Answer{Status: 529, Body: `{"error":{"type":"overloaded_error","message":"Overloaded"}}`}, "has a problem of its own, or is overloaded (status 529): Overloaded"},
		{"rate", modeltest.Answer{Status: 429, Body: `slow down, ` + secret}, "allows no more requests for now (status 429)"},
		{"cut", modeltest.Answer{Text: "some text that goes on", Cut: 4}, "has broken its answer off"},
		{"unfinished", modeltest.Answer{Text: "some text that goes on", Ends: 3}, "has broken its answer off"},
	} {
		for _, kind := range kinds {
			t.Run(c.name+" "+kind, func(t *testing.T) {
				model := modeltest.Start(func(*modeltest.Request) modeltest.Answer { return c.answer })
				defer model.Close()
				_, err := ask.Ask(t.Context(), p, ask.Options{Upstream: upstream(t, kind, model.URL), Key: key}, &heard{})
				var told *ask.Error
				if !errors.As(err, &told) || !strings.HasSuffix(err.Error(), c.want) {
					t.Fatalf("%v\nwant %s", err, c.want)
				}
				if strings.Contains(err.Error(), "private") || strings.Contains(err.Error(), "sk-") {
					t.Error(err)
				}
			})
		}
	}
}

// TestStrangeServers are upstreams that are none.
func TestStrangeServers(t *testing.T) {
	elsewhere := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		t.Errorf("the redirect was followed: %v", r.Header)
	}))
	defer elsewhere.Close()
	for name, c := range map[string]struct {
		handler http.HandlerFunc
		want    string
	}{
		"redirect": {func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, elsewhere.URL+r.URL.Path, http.StatusTemporaryRedirect)
		}, "redirects to another address, which is not followed"},
		"page": {func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/html")
			_, _ = w.Write([]byte("<html>hello</html>"))
		}, "is it an API of the kind"},
		"empty events": {func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/event-stream")
			_, _ = w.Write([]byte("\n\n: hello\n\n"))
		}, ""},
		"no JSON": {func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/event-stream")
			_, _ = w.Write([]byte("event: content_block_delta\ndata: {{{\n\n"))
		}, ""},
		"silent": {func(_ http.ResponseWriter, r *http.Request) {
			_, _ = io.Copy(io.Discard, r.Body) // only then is it seen that the client has left
			<-r.Context().Done()
		}, "was silent for"},
		"silent later": {func(w http.ResponseWriter, r *http.Request) {
			_, _ = io.Copy(io.Discard, r.Body)
			w.Header().Set("Content-Type", "text/event-stream")
			_, _ = w.Write([]byte(": hello\n\n"))
			_ = http.NewResponseController(w).Flush()
			<-r.Context().Done()
		}, "was silent for"},
	} {
		for _, kind := range kinds {
			t.Run(name+" "+kind, func(t *testing.T) {
				server := httptest.NewServer(c.handler)
				defer server.Close()
				u := upstream(t, kind, server.URL)
				if strings.HasPrefix(name, "silent") {
					u.Silence = 50 * time.Millisecond
				}
				_, err := ask.Ask(t.Context(), question, ask.Options{Upstream: u, Key: key}, &heard{})
				var told *ask.Error
				if !errors.As(err, &told) || !strings.Contains(err.Error(), c.want) {
					t.Errorf("%v, want %q", err, c.want)
				}
			})
		}
	}
}

// TestComments: signs of life between events are no events, whatever an SDK takes them for.
func TestComments(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream; charset=utf-8")
		for _, line := range []string{
			": PROCESSING\r\n\r\n", "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"a: b\"}}]}\r\n\r\n", ": alive\n\n", "\n",
			"data: {\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":\"length\"}]}\n\n", "data: [DONE]\n\n",
		} {
			for _, c := range []byte(line) {
				_, _ = w.Write([]byte{c})
				_ = http.NewResponseController(w).Flush()
			}
		}
	}))
	defer server.Close()
	var got heard
	answer, err := ask.Ask(t.Context(), question, ask.Options{Upstream: upstream(t, ask.Ollama, server.URL)}, &got)
	if err != nil || got.text.String() != "a: b" || !answer.Cut {
		t.Errorf("%q, %+v, %v", got.text.String(), answer, err)
	}
}

func TestUnreachable(t *testing.T) {
	server := httptest.NewServer(http.NotFoundHandler())
	address := server.URL
	server.Close()
	_, err := ask.Ask(t.Context(), question, ask.Options{Upstream: upstream(t, ask.Anthropic, address)}, &heard{})
	if err == nil || !strings.Contains(err.Error(), "cannot be reached") {
		t.Error(err)
	}
}

// TestEnds: the listener's own error and the end of the context come back as they are, and
// nothing is left running.
func TestEnds(t *testing.T) {
	model := modeltest.Start(func(*modeltest.Request) modeltest.Answer {
		return modeltest.Answer{Text: strings.Repeat("long ", 1000), Pause: 5 * time.Millisecond}
	})
	defer model.Close()
	full := errors.New("the disk is full")
	if _, err := ask.Ask(t.Context(), question, ask.Options{Upstream: upstream(t, ask.OpenAI, model.URL)}, &heard{fail: full}); !errors.Is(err, full) {
		t.Error(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	var got stopping
	got.stop = stop
	if _, err := ask.Ask(ctx, question, ask.Options{Upstream: upstream(t, ask.Anthropic, model.URL)}, &got); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

// stopping ends its question with the first piece.
type stopping struct {
	heard

	stop func()
}

func (s *stopping) Piece(string) error { s.stop(); return nil }

func TestEmptyPrompt(t *testing.T) {
	_, err := ask.Ask(t.Context(), &plan.Plan{ID: "user.x", Prompt: " \n"}, ask.Options{Upstream: ask.Upstream{API: ask.Ollama, URL: &url.URL{Scheme: "http", Host: "127.0.0.1:1"}}}, &heard{})
	if err == nil || !strings.Contains(err.Error(), "the prompt is empty") {
		t.Error(err)
	}
}
