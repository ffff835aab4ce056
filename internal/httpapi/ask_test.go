package httpapi_test

import (
	"bufio"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/pertain-dev/pertain"
	"github.com/pertain-dev/pertain/gateway"
	"github.com/pertain-dev/pertain/internal/ask"
	"github.com/pertain-dev/pertain/internal/httpapi"
	"github.com/pertain-dev/pertain/plan"
)

// fakeAsker asks nobody. What it does with a question is the test's.
type fakeAsker struct {
	offered bool
	reads   []string // what has to be agreed to
	refuses string   // why nothing is sent; "": it is
	put     func(ctx context.Context, to ask.Listener) (ask.Answer, error)

	mu   sync.Mutex
	sent []string // prompts
}

func (f *fakeAsker) upstream() ask.Upstream {
	return ask.Upstream{API: ask.OpenAI, URL: &url.URL{Scheme: "https", Host: "models.example", Path: "/v1"}, Model: "m"}
}

func (f *fakeAsker) Offered() (ask.Upstream, bool) { return f.upstream(), f.offered }

func (f *fakeAsker) Question(_ context.Context, _ *pertain.Engine, p *plan.Plan, agreed []string) (httpapi.Question, error) {
	if f.refuses != "" {
		return httpapi.Question{}, &httpapi.AskError{Reason: f.refuses}
	}
	if !slices.Equal(f.reads, agreed) {
		return httpapi.Question{}, &httpapi.AgreementError{Upstream: "openai at models.example", Missing: f.reads}
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.sent = append(f.sent, p.Prompt)
	put := f.put
	if put == nil {
		put = func(_ context.Context, to ask.Listener) (ask.Answer, error) {
			return ask.Answer{Whole: true}, to.Piece("x")
		}
	}
	return httpapi.Question{Upstream: f.upstream(), LeftOut: []string{"the tools"}, Anew: true, Put: put}, nil
}

func (f *fakeAsker) prompts() []string {
	f.mu.Lock()
	defer f.mu.Unlock()
	return slices.Clone(f.sent)
}

// TestAsk: an answer comes piece by piece, with what rules did where they did it.
func TestAsk(t *testing.T) {
	asker := &fakeAsker{offered: true, put: func(_ context.Context, to ask.Listener) (ask.Answer, error) {
		_ = to.Piece("One </script>\n")
		to.Rule("no-x", gateway.Interrupted)
		to.Rule("no-y", gateway.Reminded)
		return ask.Answer{Whole: true, Cut: true, Stop: "length"}, to.Piece("\u202etwo")
	}}
	s := serve(t, httpapi.Options{Ask: asker})
	if _, body := s.ask(t, "GET", "/api/v1/ask", ""); body != `{"offered":true,"model":{"api":"openai","url":"https://models.example/v1","name":"m"}}`+"\n" {
		t.Errorf("offered: %s", body)
	}
	status, body := s.ask(t, "POST", "/api/v1/ask", `{"id":"user.rewrite","input":"politely"}`)
	want := `event: begin
data: {"model":{"api":"openai","url":"https://models.example/v1","name":"m"},"leftOut":["the tools"]}

event: piece
data: {"text":"One \u003c/script\u003e\n"}

event: rule
data: {"rule":"no-x","action":"interrupted","anew":true}

event: rule
data: {"rule":"no-y","action":"reminded","anew":false}

event: piece
data: {"text":"\u202etwo"}

event: end
data: {"complete":true,"cut":true,"stop":"length"}

`
	if status != 200 || body != want {
		t.Errorf("%d %s", status, body)
	}
	if got := asker.prompts(); len(got) != 1 || got[0] != "Rewrite politely: "+secret+"\n" && got[0] != "Rewrite politely: "+secret {
		t.Errorf("sent: %q", got)
	}
	if strings.Contains(s.logs.String(), secret) {
		t.Error("the log holds the prompt")
	}
}

// TestAskIsRefused: nothing is sent that the user has not agreed to, and each reason is
// an error of its own.
func TestAskIsRefused(t *testing.T) {
	for _, tt := range []struct {
		name   string
		asker  httpapi.Asker
		body   string
		status int
		want   string
	}{
		{"no asker", nil, `{"id":"user.rewrite"}`, 403, `"code":"not_offered"`},
		{"not agreed", &fakeAsker{reads: []string{"Reads the selected text"}}, `{"id":"user.rewrite"}`, 409, `"missing":["Reads the selected text"]`},
		{"agreed to something else", &fakeAsker{reads: []string{"Reads the selected text"}}, `{"id":"user.rewrite","agree":["Reads files"]}`, 409, `"code":"agreement"`},
		{"refused", &fakeAsker{refuses: "you have not agreed"}, `{"id":"user.rewrite"}`, 403, `you have not agreed`},
		{"unknown", &fakeAsker{}, `{"id":"user.nothing"}`, 404, `"code":"unknown_strategy"`},
		{"broken", &fakeAsker{}, `{"id":"user.broken"}`, 409, `"code":"no_prompt"`},
		{"another prompt than was shown", &fakeAsker{}, `{"id":"user.rewrite","shown":"Rewrite : something else"}`, 409, `"code":"changed"`},
		{"a field too many", &fakeAsker{}, `{"id":"user.rewrite","url":"https://attacker.example"}`, 400, `"code":"unknown_field"`},
		{"a context of its own", &fakeAsker{}, `{"id":"user.rewrite","context":{}}`, 400, `"code":"unknown_field"`},
	} {
		s := serve(t, httpapi.Options{Ask: tt.asker})
		status, body := s.ask(t, "POST", "/api/v1/ask", tt.body)
		if status != tt.status || !strings.Contains(body, tt.want) {
			t.Errorf("%s: %d %s", tt.name, status, body)
		}
		if f, ok := tt.asker.(*fakeAsker); ok && len(f.prompts()) > 0 {
			t.Errorf("%s: it was sent", tt.name)
		}
		s.stop()
	}
	s := serve(t, httpapi.Options{Ask: &fakeAsker{reads: []string{"a"}}})
	if status, body := s.ask(t, "POST", "/api/v1/ask", `{"id":"user.rewrite","agree":["a"]}`); status != 200 || !strings.Contains(body, "event: end") {
		t.Errorf("agreed: %d %s", status, body)
	}
	if _, body := s.ask(t, "GET", "/api/v1/ask", ""); body != `{"offered":false,"model":null}`+"\n" {
		t.Errorf("offered: %s", body)
	}
}

// TestAskFails: what the upstream refuses is told at the end of the stream, and of other
// errors nothing but that there was one.
func TestAskFails(t *testing.T) {
	_, inWords := ask.Ask(t.Context(), &plan.Plan{}, ask.Options{}, nil)
	for err, want := range map[error]string{
		inWords:             "the prompt is empty, so there is nothing to ask",
		io.ErrUnexpectedEOF: "the answer could not be had",
	} {
		s := serve(t, httpapi.Options{Ask: &fakeAsker{put: func(context.Context, ask.Listener) (ask.Answer, error) { return ask.Answer{}, err }}})
		if _, body := s.ask(t, "POST", "/api/v1/ask", `{"id":"user.rewrite"}`); !strings.HasSuffix(body, "event: failed\ndata: {\"message\":\""+want+"\"}\n\n") {
			t.Errorf("%s", body)
		}
		s.stop()
	}
}

// TestAskEnds: a question ends when its client goes away and when the server ends, and no
// more than the limit run at a time.
func TestAskEnds(t *testing.T) {
	began, ended := make(chan struct{}, 8), make(chan struct{}, 8)
	asker := &fakeAsker{put: func(ctx context.Context, to ask.Listener) (ask.Answer, error) {
		_ = to.Piece("begun")
		began <- struct{}{}
		<-ctx.Done()
		ended <- struct{}{}
		return ask.Answer{}, ctx.Err()
	}}
	s := serve(t, httpapi.Options{Ask: asker, Limits: httpapi.Limits{Asks: 2}})
	open := func() (*http.Response, context.CancelFunc) {
		ctx, cancel := context.WithCancel(t.Context())
		r, err := http.NewRequestWithContext(ctx, http.MethodPost, s.url+"/api/v1/ask", strings.NewReader(`{"id":"user.rewrite"}`))
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Authorization", "Bearer "+token)
		r.Header.Set("Content-Type", "application/json")
		response, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		return response, cancel
	}
	first, leave := open()
	defer first.Body.Close()
	<-began
	if line, err := bufio.NewReader(first.Body).ReadString('\n'); err != nil || line != "event: begin\n" {
		t.Errorf("%q %v", line, err) // before the answer is whole
	}
	second, leaveToo := open()
	defer second.Body.Close()
	defer leaveToo()
	<-began
	status, body := s.ask(t, "POST", "/api/v1/ask", `{"id":"user.rewrite"}`)
	var problem struct{ Error struct{ Code string } }
	if err := json.Unmarshal([]byte(body), &problem); err != nil || status != 503 || problem.Error.Code != "busy" {
		t.Errorf("a third: %d %s", status, body)
	}
	leave()
	<-ended
	s.stop()
	<-ended
}
