package gateway_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/pertain-dev/pertain/gateway"
	"github.com/pertain-dev/pertain/internal/modeltest"
	"github.com/pertain-dev/pertain/stream"
)

// asksList sends a request of Gemini whose answer streams as a list.
func asksList(t *testing.T, address string) *reply {
	t.Helper()
	_, body := request(modeltest.Gemini, true, ">hello")
	return post(t, address+"/v1beta/models/m:streamGenerateContent", body, modeltest.Gemini, nil)
}

// item is a part of an answer in a list.
func item(part, more string) string {
	return `{"candidates":[{"content":{"role":"model","parts":[` + part + `]}` + more + `}],"usageMetadata":{"promptTokenCount":7,"candidatesTokenCount":20,"totalTokenCount":27}}`
}

// TestGeminiListProgress: an answer that streams as a list reaches the client item by item, as it came.
func TestGeminiListProgress(t *testing.T) {
	got := make(chan struct{})
	first, rest := "["+item(`{"text":"one "}`, ""), "\n,\r\n"+item(`{"text":"two"}`, `,"finishReason":"STOP"`)+"\n]\n"
	server := before(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		_, _ = io.WriteString(w, first)
		_ = http.NewResponseController(w).Flush()
		select {
		case <-got: // the client has it, before there is more
		case <-r.Context().Done():
		}
		_, _ = io.WriteString(w, rest)
	}), nil)
	_, body := request(modeltest.Gemini, true, ">hello")
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second) // one that holds it waits for ever
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, server.URL+"/v1beta/models/m:streamGenerateContent", strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	response, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = response.Body.Close() }()
	begin := make([]byte, len(first))
	if _, err := io.ReadFull(response.Body, begin); err != nil || string(begin) != first {
		t.Fatalf("%v %q", err, begin)
	}
	close(got)
	if end, err := io.ReadAll(response.Body); err != nil || string(end) != rest || response.Header.Get("Content-Type") != "application/json" {
		t.Errorf("%v %q", err, end)
	}
}

// TestGeminiList: a violation in a list is cut off before it, the second answer goes on in the same list, with the tokens of
// both; a message that was ended after a call is a whole list, and so is one that fails. A cut stays a cut.
func TestGeminiList(t *testing.T) {
	const stop = `,"finishReason":"STOP"`
	bad := item(`{"text":"`+violation+`"}`, "")
	call := item(`{"functionCall":{"name":"write","args":{"path":"/w/a.md","content":"x"}}}`, "")
	better := "[" + item(`{"text":"Better."}`, stop) + "]"
	for _, c := range []struct {
		name    string
		answers []string
		texts   string
		output  float64 // tokens
		asked   int
	}{
		{"after some text", []string{"[" + item(`{"text":"Well. "}`, "") + "\n,\n" + bad + "\n]", better}, "Well. \n\nBetter.", 40, 2},
		{"at once", []string{"[" + bad + "]", better}, "Better.", 40, 2},
		{"after a call", []string{"[" + call + "," + item(`{"functionCall":{"name":"write","args":{"path":"/w/b.md","content":"`+violation+`"}}}`, stop) + "]"}, "", 20, 1},
		{"events after a list", []string{"[" + item(`{"text":"Well. "}`, "") + "," + bad + "]", data(item(`{"text":"x"}`, stop))}, "", 0, 2},
	} {
		address, asked := scripted(t, c.answers, fire)
		r := asksList(t, address)
		if r.hasViolation() || *asked != c.asked {
			t.Errorf("%s: asked %d times, %q", c.name, *asked, r.raw)
		}
		var list []any
		if err := json.Unmarshal([]byte(r.raw), &list); err != nil || len(list) == 0 {
			t.Errorf("%s: %v: %q", c.name, err, r.raw)
			continue
		}
		last := list[len(list)-1]
		if c.name == "events after a list" {
			if r.err == nil || str(last, "error", "status") == "" {
				t.Errorf("%s: %v %q", c.name, r.err, r.raw)
			}
			continue
		}
		var texts strings.Builder
		for _, v := range list {
			for _, candidate := range get(v, "candidates").([]any) {
				for _, part := range get(candidate, "content", "parts").([]any) {
					texts.WriteString(str(part, "text"))
				}
			}
		}
		if n, _ := get(last, "usageMetadata", "candidatesTokenCount").(float64); texts.String() != c.texts || r.err != nil || n != c.output {
			t.Errorf("%s: %v %q, tokens %v: %q", c.name, r.err, texts.String(), n, r.raw)
		}
	}
	server := before(t, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = io.WriteString(w, "["+item(`{"text":"one "}`, "")+",")
		_ = http.NewResponseController(w).Flush()
		panic(http.ErrAbortHandler)
	}), func(*gateway.Options) {})
	if r := asksList(t, server.URL); r.err == nil || !strings.Contains(r.raw, "one") {
		t.Errorf("cut: %v %q", r.err, r.raw)
	}
}

// TestGeminiListPieces: what the client gets of a list is what the upstream sent, however it is cut, if nothing fires.
func TestGeminiListPieces(t *testing.T) {
	text := "[" + item(`{"text":"nearly ЖЩ "}`, "") + "\n,\r\n" + item(`{"text":"Ю]}[\"{"}`, "") + ", " + item(`{"functionCall":{"name":"write","args":{"content":"ЖЩЮ"}}}`, `,"finishReason":"STOP"`) + "\n]\n"
	for _, size := range sizes {
		server := before(t, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			for rest := text; rest != ""; rest = rest[min(size*8, len(rest)):] {
				_, _ = io.WriteString(w, rest[:min(size*8, len(rest))])
				_ = http.NewResponseController(w).Flush()
			}
		}), func(o *gateway.Options) {
			workspace := &gateway.Workspace{Dir: "/w", Triggers: set(t, fire, stream.Trigger{Name: "near", Patterns: []string{fmt.Sprint("nearly ", violation)}})}
			o.Workspace = func(string) *gateway.Workspace { return workspace }
		})
		if r := asksList(t, server.URL); r.raw != text || r.err != nil {
			t.Errorf("pieces of %d: %v %q", size*8, r.err, r.raw)
		}
	}
}

// TestEndedUsage: the last event of a message that was ended after a call has the usage that the provider had told, with
// the tokens since, and no id that the provider has not given.
func TestEndedUsage(t *testing.T) {
	gemini := func(content string, output int, more string) string {
		return fmt.Sprintf(`{"candidates":[{"content":{"role":"model","parts":[{"functionCall":{"name":"write","args":{"path":"/w/a.md","content":"%s"}}}]}}],"usageMetadata":{"promptTokenCount":100,"candidatesTokenCount":%d,"totalTokenCount":%d}%s}`, content, output, 100+output, more)
	}
	for more, keys := range map[string]string{"": "candidates usageMetadata", `,"responseId":"g","modelVersion":"v"`: "candidates modelVersion responseId usageMetadata"} {
		address, _ := scripted(t, []string{data(gemini("x", 1000, more), gemini(violation, 2000, more))}, fire)
		r := ask(t, address, modeltest.Gemini, true, nil, ">hello")
		events := r.events()
		last, _ := events[len(events)-1].(map[string]any)
		if got := fmt.Sprint(last["usageMetadata"]); got != "map[candidatesTokenCount:2000 promptTokenCount:100 totalTokenCount:2100]" || strings.Join(slices.Sorted(maps.Keys(last)), " ") != keys {
			t.Errorf("%q: %v", more, last)
		}
	}
	chat := func(index int, content string) string {
		return fmt.Sprintf(`{"id":"c","created":5,"choices":[{"index":0,"delta":{"tool_calls":[{"index":%d,"id":"c%d","function":{"name":"write","arguments":"{\"content\":\"%s\"}"}}]}}],"usage":{"prompt_tokens":100,"completion_tokens":2000,"total_tokens":2100}}`, index, index, content)
	}
	address, _ := scripted(t, []string{data(chat(0, "x"), deltaOf("function", "1 c1 "), chat(1, violation), "[DONE]")}, fire)
	r := ask(t, address, modeltest.Chat, true, nil, ">hello")
	events := r.events()
	if last := events[len(events)-1]; fmt.Sprint(get(last, "usage")) != "map[completion_tokens:2000 prompt_tokens:100 total_tokens:2100]" || get(last, "created") != 5.0 {
		t.Errorf("%q", r.raw)
	}
}
