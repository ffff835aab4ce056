package httpapi_test

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pertain-dev/pertain/internal/httpapi"
)

// request makes one for a handler.
func request(method, path string, body io.Reader) *http.Request {
	r := httptest.NewRequest(method, "http://localhost"+path, body)
	r.Header.Set("Authorization", "Bearer "+token)
	r.Header.Set("Content-Type", "application/json")
	return r
}

// TestMemoryBudget holds that large requests under way have a limit together, that
// small ones get through, and that what ended holds nothing.
func TestMemoryBudget(t *testing.T) {
	for _, path := range []string{"/api/v1/match", "/mcp"} {
		handler := httpapi.New(newSpace(t), httpapi.Options{
			Token: token, Limits: httpapi.Limits{Held: 4 << 20},
			MCP: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if _, err := io.ReadAll(r.Body); err != nil {
					w.WriteHeader(http.StatusServiceUnavailable)
				}
			}),
		}).Handler()
		ask := func(path, body string) *httptest.ResponseRecorder {
			answer := httptest.NewRecorder()
			handler.ServeHTTP(answer, request("POST", path, strings.NewReader(body)))
			return answer
		}
		large := `{"text":"` + strings.Repeat("x", 300<<10) + `"}`
		if got := ask("/api/v1/match", large); got.Code != 200 {
			t.Fatalf("alone it fits: got %d %s", got.Code, got.Body)
		}
		body, write := io.Pipe()
		ended := make(chan int)
		go func() {
			answer := httptest.NewRecorder()
			handler.ServeHTTP(answer, request("POST", path, body))
			ended <- answer.Code
		}()
		if _, err := io.WriteString(write, large[:len(large)-1]); err != nil {
			t.Fatal(err)
		}
		if _, err := io.WriteString(write, " "); err != nil { // read when all before it has been counted
			t.Fatal(err)
		}
		if got := ask("/api/v1/match", large); got.Code != 503 || got.Header().Get("Retry-After") == "" || !strings.Contains(got.Body.String(), `"code":"busy"`) {
			t.Errorf("%s: two do not fit: got %d %s", path, got.Code, got.Body)
		}
		if got := ask("/mcp", large); got.Code != 503 {
			t.Errorf("%s: nor does a message: got %d", path, got.Code)
		}
		if got := ask("/api/v1/match", `{"text":"`+strings.Repeat("x", 30<<10)+`"}`); got.Code != 200 {
			t.Errorf("%s: a small one: got %d %s", path, got.Code, got.Body)
		}
		_, _ = io.WriteString(write, "}")
		_ = write.Close()
		if code := <-ended; code != 200 {
			t.Errorf("%s: the first one: got %d", path, code)
		}
		if got := ask("/api/v1/match", large); got.Code != 200 {
			t.Errorf("%s: nothing is held any more: got %d %s", path, got.Code, got.Body)
		}
	}
}

// TestMemoryBudgetCountsValues: many small values take more memory than one long text.
func TestMemoryBudgetCountsValues(t *testing.T) {
	handler := httpapi.New(newSpace(t), httpapi.Options{Token: token, Limits: httpapi.Limits{Held: 8 << 20}}).Handler()
	answer := httptest.NewRecorder()
	handler.ServeHTTP(answer, request("POST", "/api/v1/match", strings.NewReader(`{"context":{"attachments":{"files":[`+strings.Repeat("{},", 100_000)+`{}]}}}`)))
	if answer.Code != 413 {
		t.Errorf("got %d %s", answer.Code, answer.Body)
	}
}

// TestAnswersHaveALimit: one that is too long is not sent.
func TestAnswersHaveALimit(t *testing.T) {
	handler := httpapi.New(newSpace(t), httpapi.Options{Token: token, Limits: httpapi.Limits{Answer: 10_000}}).Handler()
	for size, want := range map[int]int{100: 200, 20_000: 500} {
		answer := httptest.NewRecorder()
		body := `{"source":"---\nname: X\n---\n{Argument}","input":"` + strings.Repeat("x", size) + `"}`
		handler.ServeHTTP(answer, request("POST", "/api/v1/try", strings.NewReader(body)))
		if answer.Code != want || want == 500 && !strings.Contains(answer.Body.String(), `"answer_too_large"`) {
			t.Errorf("%d bytes: got %d %.300s", size, answer.Code, answer.Body)
		}
	}
}

// TestHeavyRequest: one that would take more than all requests may have together is told
// so, and what to do about it.
func TestHeavyRequest(t *testing.T) {
	handler := httpapi.New(newSpace(t), httpapi.Options{Token: token, Limits: httpapi.Limits{Held: 1 << 20}}).Handler()
	answer := httptest.NewRecorder()
	body := `{"context":{"clipboard":{"files":[` + strings.Repeat(`{},`, 100_000) + `{}]}}}`
	handler.ServeHTTP(answer, request("POST", "/api/v1/match", strings.NewReader(body)))
	if got := answer.Body.String(); answer.Code != 413 || !strings.Contains(got, "too_large") || !strings.Contains(got, "leave out what is not needed") {
		t.Errorf("got %d %s", answer.Code, got)
	}
}

// TestMemoryBudgetOfYAML: a context in YAML is counted by its values, which take more than its text.
func TestMemoryBudgetOfYAML(t *testing.T) {
	yaml := `attachments:\n  list:\n` + strings.Repeat(`  - 1\n`, 40_000)
	for _, held := range []int64{8 << 20, 64 << 20} {
		handler := httpapi.New(newSpace(t), httpapi.Options{Token: token, Limits: httpapi.Limits{Held: held}}).Handler()
		for path, body := range map[string]string{
			"/api/v1/query": `{"query":"//Button","context":"` + yaml + `"}`,
			"/api/v1/try":   `{"source":"---\nname: x\n---\nText\n","context":"` + yaml + `"}`,
			"/api/v1/try?":  `{"source":"---\nname: x\n` + yaml + `---\nText\n","context":""}`,
		} {
			answer := httptest.NewRecorder()
			handler.ServeHTTP(answer, request("POST", path, strings.NewReader(body)))
			if want := held < 20<<20; (answer.Code == http.StatusRequestEntityTooLarge) != want {
				t.Errorf("%s with %d bytes: got %d %.200s", path, held, answer.Code, answer.Body)
			}
			answer = httptest.NewRecorder()
			handler.ServeHTTP(answer, request("POST", path, strings.NewReader(strings.Replace(body, yaml, `a: 1\nb: 2\n`, 1))))
			if answer.Code != http.StatusOK {
				t.Errorf("%s with a small context: got %d %.200s", path, answer.Code, answer.Body)
			}
		}
	}
}

// TestMemoryBudgetOfTrees: a small question may have a large condition tree for its answer. The tree has a limit, and there is no
// answer where there is no room for it.
func TestMemoryBudgetOfTrees(t *testing.T) {
	of := newSpace(t)
	const source = "---\nname: Many\noptions: {matchingTimeout: 1000s, conditionTimeout: 1000s}\nwhen:\n  any:\n"
	many := source + strings.Repeat("    - attachments.files: {any: {path: {equals: zz}}}\n", 100) + "---\nx\n"
	if err := os.WriteFile(filepath.Join(of.dir, "strategies", "many.strategy.md"), []byte(many), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := of.engine.Reload(t.Context()); err != nil {
		t.Fatal(err)
	}
	files := func(n int) string {
		return `{"attachments":{"files":[` + strings.TrimSuffix(strings.Repeat(`{"path":"/a"},`, n), ",") + `]}}`
	}
	for path, body := range map[string]func(n int) any{
		"/api/v1/explain": func(n int) any {
			return map[string]any{"id": "user.many", "showValues": true, "context": json.RawMessage(files(n))}
		},
		"/api/v1/try": func(n int) any {
			return map[string]any{"source": many, "showValues": true, "context": files(n)}
		},
	} {
		ask := func(held int64, n int) *httptest.ResponseRecorder {
			text, err := json.Marshal(body(n))
			if err != nil {
				t.Fatal(err)
			}
			answer := httptest.NewRecorder()
			httpapi.New(of, httpapi.Options{Token: token, Limits: httpapi.Limits{Held: held}}).Handler().
				ServeHTTP(answer, request("POST", path, strings.NewReader(string(text))))
			return answer
		}
		if got := ask(640<<20, 3000); got.Code != http.StatusOK || got.Body.Len() > 6<<20 || !strings.Contains(got.Body.String(), `"notListed":2999`) {
			t.Errorf("%s: got %d with %d bytes: %.200s", path, got.Code, got.Body.Len(), got.Body)
		}
		if got := ask(16<<20, 3000); got.Code != http.StatusRequestEntityTooLarge {
			t.Errorf("%s with little memory: got %d %.200s", path, got.Code, got.Body)
		}
		if got := ask(16<<20, 1); got.Code != http.StatusOK {
			t.Errorf("%s with little memory, and a small tree: got %d %.200s", path, got.Code, got.Body)
		}
	}
}
