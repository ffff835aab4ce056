package modeltest_test

import (
	"bufio"
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/pertain-dev/pertain/internal/modeltest"
)

const (
	words     = "I write «it» now."
	arguments = `{"path":"a","content":"x"}`
)

// asks are requests of each API with one tool, and where it is asked.
var asks = map[modeltest.API]struct{ path, streamed, body string }{
	modeltest.Messages:  {"/v1/messages", "/v1/messages", `{"model":"m","stream":STREAM,"system":"be kind","messages":[{"role":"user","content":"hi"}],"tools":[{"name":"write"}]}`},
	modeltest.Chat:      {"/v1/chat/completions", "/v1/chat/completions", `{"model":"m","stream":STREAM,"messages":[{"role":"system","content":"be kind"}],"tools":[{"type":"function","function":{"name":"write"}}]}`},
	modeltest.Responses: {"/v1/responses", "/v1/responses", `{"model":"m","stream":STREAM,"instructions":"be kind","input":[{"role":"user","content":"hi"}],"tools":[{"type":"custom","name":"write"}]}`},
	modeltest.Gemini:    {"/v1beta/models/m:generateContent", "/v1beta/models/m:streamGenerateContent?alt=sse", `{"contents":[{"role":"user","parts":[{"text":"be kind"}]}],"tools":[{"functionDeclarations":[{"name":"write"}]}]}`},
}

// TestAnswers: in each API, streamed and whole, the words and the arguments arrive
// as they were scripted, and the script sees what was asked.
func TestAnswers(t *testing.T) {
	for api, ask := range asks {
		for _, stream := range []bool{true, false} {
			var seen *modeltest.Request
			model := modeltest.Start(func(r *modeltest.Request) modeltest.Answer {
				seen = r
				return modeltest.Answer{Thinking: "hm", Text: words, Calls: []modeltest.Call{{Name: "write", Arguments: arguments}}, Piece: 3}
			})
			path, body := ask.path, strings.Replace(ask.body, "STREAM", "false", 1)
			if stream {
				path, body = ask.streamed, strings.Replace(ask.body, "STREAM", "true", 1)
			}
			said := post(t, model.URL+path, body)
			if !strings.Contains(texts(t, said, stream), words) {
				t.Errorf("%s, streamed %v: %s", api, stream, said)
			}
			if seen == nil || seen.Model != "m" || seen.Stream != stream || seen.Offers("Write") != "write" || !seen.Has("be kind") || !model.Saw("be kind") || model.Saw("unkind") {
				t.Errorf("%s: %+v", api, seen)
			}
			model.Close()
		}
	}
}

func post(t *testing.T, url, body string) string {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = response.Body.Close() }()
	data, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// texts joins everything that an answer says, where it says it in pieces or whole.
func texts(t *testing.T, said string, stream bool) string {
	t.Helper()
	if !stream {
		return said
	}
	var all strings.Builder
	for lines := bufio.NewScanner(strings.NewReader(said)); lines.Scan(); {
		data, ok := strings.CutPrefix(lines.Text(), "data: ")
		if !ok || data == "[DONE]" {
			continue
		}
		var tree any
		if err := json.Unmarshal([]byte(data), &tree); err != nil {
			t.Fatalf("%q: %v", data, err)
		}
		gather(tree, &all)
	}
	return all.String()
}

// gather takes the texts of pieces alone.
func gather(value any, to *strings.Builder) {
	switch v := value.(type) {
	case []any:
		for _, item := range v {
			gather(item, to)
		}
	case map[string]any:
		for _, key := range []string{"text", "content"} {
			if text, ok := v[key].(string); ok {
				to.WriteString(text)
			}
		}
		if text, ok := v["delta"].(string); ok {
			to.WriteString(text)
		}
		for _, key := range []string{"delta", "choices", "candidates", "parts", "content"} {
			gather(v[key], to)
		}
	}
}

// TestCut: an answer can break off.
func TestCut(t *testing.T) {
	model := modeltest.Start(func(*modeltest.Request) modeltest.Answer { return modeltest.Answer{Text: words, Cut: 3} })
	defer model.Close()
	body := strings.Replace(asks[modeltest.Messages].body, "STREAM", "true", 1)
	response, err := http.Post(model.URL+"/v1/messages", "application/json", strings.NewReader(body)) //nolint:noctx // on the loopback
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = response.Body.Close() }()
	data, err := io.ReadAll(response.Body)
	if err == nil || strings.Contains(string(data), "message_stop") {
		t.Errorf("%q, %v", data, err)
	}
}

// TestConversation: what the model has said and what its tools brought is known.
func TestConversation(t *testing.T) {
	for api, body := range map[modeltest.API]string{
		modeltest.Messages:  `{"messages":[{"role":"user","content":"a"},{"role":"assistant","content":[{"type":"tool_use"}]},{"role":"user","content":[{"type":"tool_result","content":"brought"}]}]}`,
		modeltest.Chat:      `{"messages":[{"role":"user","content":"a"},{"role":"assistant"},{"role":"tool","content":"brought"}]}`,
		modeltest.Responses: `{"input":[{"role":"user","content":"a"},{"type":"function_call"},{"type":"function_call_output","output":"brought"}]}`,
		modeltest.Gemini:    `{"contents":[{"role":"user","parts":[]},{"role":"model","parts":[]},{"role":"user","parts":[{"functionResponse":{"response":{"x":"brought"}}}]}]}`,
	} {
		model := modeltest.Start(func(r *modeltest.Request) modeltest.Answer {
			if r.Said != 1 || len(r.Results) != 1 || !strings.Contains(r.Results[0], "brought") {
				t.Errorf("%s: said %d, results %q", api, r.Said, r.Results)
			}
			return modeltest.Answer{Status: http.StatusTeapot, Body: "{}"}
		})
		post(t, model.URL+asks[api].path, body)
		if len(model.Requests()) != 1 {
			t.Errorf("%s: %d requests", api, len(model.Requests()))
		}
		model.Close()
	}
}
