package gateway_test

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"

	"github.com/pertain-dev/pertain/gateway"
	"github.com/pertain-dev/pertain/stream"
)

// A model that is about to break a rule is reminded and asked again; its client sees
// the second answer alone.
func Example() {
	model := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		text := "Just use eval(input)."
		if strings.Contains(string(body), "Never use eval.") {
			text = "Parse the input."
		}
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprintf(w, `{"choices":[{"index":0,"message":{"role":"assistant","content":%q},"finish_reason":"stop"}]}`, text)
	}))
	defer model.Close()

	triggers, _ := stream.Compile([]stream.Trigger{{Name: "no-eval", Patterns: []string{`\beval\(`}, Body: "Never use eval."}}, stream.Options{})
	address, _ := url.Parse(model.URL)
	g := gateway.New(gateway.Options{
		Workspace: func(string) *gateway.Workspace { return &gateway.Workspace{Dir: "/w", Triggers: triggers} },
		Settings:  func() gateway.Settings { return gateway.Settings{OpenAI: gateway.Upstream{URL: address}} },
	})
	server := httptest.NewServer(g)
	defer server.Close()

	answer, err := http.Post(server.URL+"/v1/chat/completions", "application/json", strings.NewReader(`{"model":"m","messages":[{"role":"user","content":"How?"}]}`)) //nolint:noctx // on the loopback
	if err != nil {
		fmt.Println(err)
		return
	}
	defer func() { _ = answer.Body.Close() }()
	text, _ := io.ReadAll(answer.Body)
	fmt.Println(string(text))
	// Output: {"choices":[{"index":0,"message":{"role":"assistant","content":"Parse the input."},"finish_reason":"stop"}]}
}
