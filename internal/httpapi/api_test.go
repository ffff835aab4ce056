package httpapi_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pertain-dev/pertain"
	"github.com/pertain-dev/pertain/internal/httpapi"
)

// TestMatchIsTheCommandLines holds that the API's form is the CLI's, and more.
func TestMatchIsTheCommandLines(t *testing.T) {
	s := serve(t, httpapi.Options{})
	status, body := s.ask(t, "GET", "/api/v1/match?all=true", "")
	if status != 200 {
		t.Fatal(body)
	}
	snapshot, _, err := s.Snapshot(t.Context(), "")
	if err != nil {
		t.Fatal(err)
	}
	m, err := s.engine.Match(t.Context(), snapshot, pertain.MatchOptions{All: true})
	if err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(m)
	if err != nil {
		t.Fatal(err)
	}
	want, got := decode(t, string(text)), decode(t, body)
	if diff := cmp.Diff(map[string]any{"user.rewrite": []any{"attachments.selection.text"}}, got["reasons"]); diff != "" {
		t.Errorf("reasons (-want +got):\n%s", diff)
	}
	delete(got, "reasons")
	untimed(want)
	untimed(got)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if strings.Contains(body, secret) {
		t.Error("the answer holds a value of the context")
	}
}

// untimed takes out what is different in every run.
func untimed(value any) {
	switch v := value.(type) {
	case map[string]any:
		delete(v, "durationMs")
		for _, child := range v {
			untimed(child)
		}
	case []any:
		for _, child := range v {
			untimed(child)
		}
	}
}

func TestAnswers(t *testing.T) {
	s := serve(t, httpapi.Options{})
	for _, c := range []struct {
		name, method, path, body string
		status                   int
		want, not                string // parts of the answer
	}{
		{"given context", "POST", "/api/v1/match", `{"context":{"clipboard":{"text":"x"}}}`, 200, `"id":"user.never"`, "user.rewrite"},
		{"given selection", "POST", "/api/v1/match", `{"selection":""}`, 200, `"candidates":[]`, ""},
		{"context of the wrong kind", "POST", "/api/v1/match", `{"context":[1]}`, 400, "bad_context", ""},
		{"explained", "POST", "/api/v1/explain", `{"id":"user.rewrite"}`, 200, `"tree":{`, secret},
		{"explained with values", "POST", "/api/v1/explain", `{"id":"user.rewrite","showValues":true}`, 200, secret, ""},
		{"explained, broken", "POST", "/api/v1/explain", `{"id":"user.broken"}`, 200, `"tree":null`, ""},
		{"explained, unknown", "POST", "/api/v1/explain", `{"id":"user.rewrit"}`, 404, "did you mean `user.rewrite`", ""},
		{"run, unknown", "POST", "/api/v1/run", `{"id":"rewrite"}`, 404, `"nearest":["user.rewrite"]`, ""},
		{"run, like none", "POST", "/api/v1/run", `{"id":"zzzzzzzzzzzz"}`, 404, `/api/v1/match?all=true lists them"`, `"nearest"`},
		{"run", "POST", "/api/v1/run", `{"id":"user.rewrite","input":"it"}`, 200, `"prompt":"Rewrite it: ` + secret, ""},
		{"run, broken", "POST", "/api/v1/run", `{"id":"user.broken"}`, 200, `"prompt":null`, ""},
		{"run with a context", "POST", "/api/v1/run", `{"id":"user.rewrite","context":{}}`, 400, "unknown_field", ""},
		{"problems", "GET", "/api/v1/problems", "", 200, `4 |   attachments.text: 5`, ""},
		{"rules", "GET", "/api/v1/rules", "", 200, `"name":"types"`, `"shadowed":true`},
		{"all rules", "GET", "/api/v1/rules?all=1", "", 200, `"shadowed":true`, ""},
		{"agents of a rule", "GET", "/api/v1/rules", "", 200, `"agents":["crush","cursor","omp"]`, `"when"`},
		{"rules of an agent", "GET", "/api/v1/rules?agent=cursor", "", 200, `"when":"touch"`, ".windsurf"},
		{"rules of no agent", "GET", "/api/v1/rules?agent=Cursr", "", 400, `"nearest":["cursor"]`, ""},
		{"agents", "GET", "/api/v1/agents", "", 200, `{"name":"claude","title":"Claude Code"}`, ""},
		{"rule of an agent", "GET", "/api/v1/rules/text?name=types&agent=windsurf", "", 200, `"path":"`, "Use types."},
		{"rule of another agent", "GET", "/api/v1/rules/text?name=types&agent=codex", "", 404, "unknown_rule", ""},
		{"rules of an agent for a file", "GET", "/api/v1/rules/for?file=src/a.ts&agent=cursor", "", 200, `"when":"touch"`, ""},
		{"rules of no agent for a file", "GET", "/api/v1/rules/for?file=src/a.ts&agent=x", "", 400, "unknown_agent", ""},
		{"rule", "GET", "/api/v1/rules/text?name=types", "", 200, `"content":"Use types."`, ""},
		{"nested rule", "GET", "/api/v1/rules/text?name=rule://packages/api/AGENTS", "", 200, `"content":"Nested."`, ""},
		{"no such rule", "GET", "/api/v1/rules/text?name=../../secret", "", 404, "unknown_rule", ""},
		{"rule like another", "GET", "/api/v1/rules/text?name=rule://type", "", 404, `"nearest":["types"]`, ""},
		{"no name", "GET", "/api/v1/rules/text", "", 400, "`name` is missing", ""},
		{"no id in the query", "GET", "/api/v1/strategies/text", "", 400, "`id` is missing", ""},
		{"run, no id", "POST", "/api/v1/run", `{}`, 400, "`id` is missing", ""},
		{"explained, no id", "POST", "/api/v1/explain", `{"showValues":true}`, 400, "`id` is missing", ""},
		{"tried, no source", "POST", "/api/v1/try", `{}`, 400, "`source` is missing", ""},
		{"queried, no query", "POST", "/api/v1/query", `{}`, 400, "`query` is missing", ""},
		{"half a character", "POST", "/api/v1/match", `{"selection":"a\ud83d"}`, 400, "not Unicode", ""},
		{"the other half", "POST", "/api/v1/match", `{"selection":"\ude00"}`, 400, "not Unicode", ""},
		{"two halves", "POST", "/api/v1/match", `{"selection":"\ud83d\ude00"}`, 200, "user.rewrite", ""},
		{"no half", "POST", "/api/v1/match", `{"selection":"\\ud83d"}`, 200, "user.rewrite", ""},
		{"bytes that are no text", "POST", "/api/v1/match", "{\"selection\":\"\xff\"}", 400, "not Unicode", ""},
		{"parameter of none", "GET", "/healthz?x=1", "", 400, "it takes none", ""},
		{"parameter of the metrics", "GET", "/metrics?x=1", "", 400, "it takes none", ""},
		{"parameter of the events", "GET", "/api/v1/events?x=1", "", 400, "it takes none", ""},
		{"what there is instead", "GET", "/api/v1/match?al=true", "", 400, "it takes `all`", ""},
		{"more elements than fit", "POST", "/api/v1/query", `{"query":"//Button","context":"{\"visual\":{\"roots\":[{\"type\":\"TopLevel\",\"children\":[` + strings.Repeat(`{\"type\":\"Button\"},`, 5999) + `{\"type\":\"Button\"}]}]}}"}`, 200, `"count":6000,"total":6001,"truncated":true`, ""},
		{"rules for a file", "GET", "/api/v1/rules/for?file=src/a.ts", "", 200, `"why":"glob"`, "no-glob-match"},
		{"rules not for a file", "GET", "/api/v1/rules/for?file=a.go&all=true", "", 200, `"why":"no-glob-match"`, ""},
		{"file outside", "GET", "/api/v1/rules/for?file=../../etc/passwd", "", 400, "outside", ""},
		{"file far outside", "GET", "/api/v1/rules/for?file=/etc/passwd", "", 400, "outside", ""},
		{"no file", "GET", "/api/v1/rules/for", "", 400, "bad_field", ""},
		{"NUL", "GET", "/api/v1/rules/for?file=a%00b", "", 400, "outside", ""},
		{"tried", "POST", "/api/v1/try", `{"source":"---\nname: T\nwhen:\n  attachments.text:\n    equals: a\n---\nb","context":"attachments: {text: a}"}`, 200, `"result":true`, "contextError"},
		{"tried, wrong", "POST", "/api/v1/try", `{"source":"---\nname: T\nwhen:\n  attachments.text: a\n---\nb"}`, 200, "strategy.invalid_when", ""},
		{"tried, nothing", "POST", "/api/v1/try", `{"source":""}`, 200, "strategy.missing_frontmatter", ""},
		{"tried, from a file", "POST", "/api/v1/try", `{"source":"---\nname: T\nfrom: /etc/passwd\n---\n"}`, 200, "strategy.invalid_from", "root:"},
		{"tried, no context", "POST", "/api/v1/try", `{"source":"x","context":"{"}`, 200, "contextError", ""},
		{"queried", "POST", "/api/v1/query", `{"query":"//Button","context":"{\"visual\":{\"roots\":[{\"type\":\"TopLevel\",\"children\":[{\"type\":\"Button\",\"name\":\"Save\",\"bounds\":{\"x\":1,\"y\":2,\"width\":3,\"height\":4}}]}]}}"}`, 200, `"matches":[{"id":"","type":"Button","path":"/TopLevel/Button"}]`, "Save"},
		{"queried wrongly", "POST", "/api/v1/query", `{"query":"//Buton","context":"{}"}`, 200, `"diagnostics":[{"severity":"error","code":"visual.query_invalid"`, ""},
		{"queried rightly", "POST", "/api/v1/query", `{"query":"//Button","context":"visual: {roots: [{type: Button}]}"}`, 200, `"problems":[]`, `"diagnostics"`},
		{"values of nothing", "POST", "/api/v1/query", `{"query":"//Button/@name","context":"{}","showValues":true}`, 200, `"values":[]`, ""},
		{"values of elements", "POST", "/api/v1/query", `{"query":"//Button","context":"{}","showValues":true}`, 200, `"count":0`, `"values"`},
		{"unknown parameter", "GET", "/api/v1/match?al=true", "", 400, "unknown_field", ""},
		{"parameter of the wrong kind", "GET", "/api/v1/match?all=perhaps", "", 400, "bad_field", ""},
		{"parameter given twice", "GET", "/api/v1/match?all=true&all=false", "", 400, "`all` is given more than once", ""},
		{"query that is none", "GET", "/api/v1/match?%zz", "", 400, "bad_query", ""},
		{"no JSON", "POST", "/api/v1/match", `{`, 400, "bad_json", ""},
		{"no object", "POST", "/api/v1/match", `[]`, 400, "send a JSON object", "``"},
		{"nothing at all", "POST", "/api/v1/run", `null`, 400, "send a JSON object", ""},
		{"nested too deeply", "POST", "/api/v1/match", `{"context":` + strings.Repeat("[", 20_000) + strings.Repeat("]", 20_000) + `}`, 400, "nested too deeply", "not one"},
		{"more than one document", "POST", "/api/v1/match", `{}{}`, 400, "bad_json", ""},
		{"misspelt field", "POST", "/api/v1/explain", `{"idd":"x"}`, 400, "unknown_field", ""},
		{"field of the wrong kind", "POST", "/api/v1/explain", `{"id":5}`, 400, "`id` must be a string", ""},
		{"switch of the wrong kind", "POST", "/api/v1/match", `{"all":1}`, 400, "`all` must be true or false", ""},
		{"text of the wrong kind", "POST", "/api/v1/explain", `{"id":"user.rewrite","text":5}`, 400, "`text` must be a string", ""},
		{"field in capitals", "POST", "/api/v1/run", `{"ID":"user.rewrite"}`, 400, "unknown_field", ""},
		{"field given twice", "POST", "/api/v1/run", `{"id":"user.rewrite","id":"user.never"}`, 400, "`id` is given more than once", ""},
		{"metrics", "GET", "/metrics", "", 200, "pertain_http_requests_total", "rewrite"},
	} {
		t.Run(c.name, func(t *testing.T) {
			status, body := s.ask(t, c.method, c.path, c.body)
			if status != c.status || !strings.Contains(body, c.want) {
				t.Errorf("got %d, want %d with %q: %s", status, c.status, c.want, body)
			}
			if c.not != "" && strings.Contains(body, c.not) {
				t.Errorf("the answer holds %q: %s", c.not, body)
			}
		})
	}
	if _, body := s.ask(t, "GET", "/api/v1/match", ""); !strings.Contains(body, `Rewrite \u003cb\u003e`) {
		t.Errorf("markup is not escaped: %s", body)
	}
	s.stop()
	logs := s.logs.String()
	for _, word := range []string{secret, token, "passwd", "rewrite", "attachments"} {
		if strings.Contains(logs, word) {
			t.Errorf("the log holds %q", word)
		}
	}
	if !strings.Contains(logs, `"route":"/api/v1/rules/for","status":400`) {
		t.Errorf("requests are not logged:\n%s", logs)
	}
}

func TestContentType(t *testing.T) {
	s := serve(t, httpapi.Options{})
	for _, kind := range []string{"", "text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x"} {
		status, body := s.ask(t, "POST", "/api/v1/match", `{}`, func(r *http.Request) { r.Header.Set("Content-Type", kind) })
		if status != 415 {
			t.Errorf("%q: got %d: %s", kind, status, body)
		}
	}
}

// TestBodiesThatAreOdd holds that the quick reader of a match takes nothing that
// the strict one would refuse, and refuses nothing that it would take.
func TestBodiesThatAreOdd(t *testing.T) {
	s := serve(t, httpapi.Options{})
	for body, want := range map[string]int{
		`{}`: 200, ` { "all" : true } `: 200, `{"ALL":true}`: 400, `{"all":null}`: 200, `{"text":null,"selection":null,"context":null}`: 200,
		`{"context":{"attachments":{"text":"\ud83d\ude00 \u00e9\n"}}}`: 200, `{"text":"a","text":"b"}`: 400, `{"all":true,"all":true}`: 400, `{"context":{},"context":null}`: 400, `{"selection":"a","s\u0065lection":"b"}`: 400, `null`: 400,
		`{"context":{a: b}}`: 400, `{"context":{"a":1,}}`: 400, `{"context":"x"}`: 400, `{"context":[]}`: 400, `{"all":1}`: 400, `{"text":5}`: 400,
		`{"other":1}`: 400, `{"all":true}}`: 400, `{"all":true} x`: 400, `{"all":tru}`: 400, `[]`: 400, ``: 400, `"x"`: 400,
		"{\"text\":\"a\nb\"}": 400, `{"context":` + strings.Repeat("[", 100_000): 400,
		"{\"context\":{\"attachments\":{\"text\":\"\xff\"}}}": 400,
	} {
		if status, answer := s.ask(t, "POST", "/api/v1/match", body, header("Content-Type", "application/json")); status != want {
			t.Errorf("%.60q: got %d, want %d: %.200s", body, status, want, answer)
		}
	}
}

// FuzzRequest holds that no request, whatever it is, makes the server fail.
func FuzzRequest(f *testing.F) {
	f.Add("GET", "/api/v1/match?all=true", "")
	f.Add("POST", "/api/v1/try", `{"source":"---\nname: x\n---\n","context":"{}"}`)
	f.Add("POST", "/api/v1/query", `{"query":"//*[@name='x']","context":"visual: {roots: []}"}`)
	f.Add("POST", "/api/v1/match", `{"context":{"attachments":{"files":[{}]}}}`)
	f.Add("GET", "/api/v1/rules/for?file=../x&all=1", "")
	f.Add("GET", "/api/v1/rules/text?name=rule://%00", "")
	handler := httpapi.New(newSpace(f), httpapi.Options{Token: token}).Handler()
	f.Fuzz(func(t *testing.T, method, path, body string) {
		r, err := http.NewRequestWithContext(t.Context(), method, "http://localhost"+path, strings.NewReader(body))
		if err != nil || r.URL.Path == "/api/v1/events" {
			return
		}
		r.Header.Set("Authorization", "Bearer "+token)
		r.Header.Set("Content-Type", "application/json")
		w := &answer{header: http.Header{}}
		handler.ServeHTTP(w, r)
		if w.status >= 500 {
			t.Errorf("got %d: %s", w.status, w.body.String())
		}
	})
}

type answer struct {
	header http.Header
	status int
	body   strings.Builder
}

func (a *answer) Header() http.Header         { return a.header }
func (a *answer) WriteHeader(status int)      { a.status = status }
func (a *answer) Write(p []byte) (int, error) { return a.body.Write(p) }
