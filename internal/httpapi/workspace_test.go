package httpapi_test

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/pertain-dev/pertain"
	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/facts"
	"github.com/pertain-dev/pertain/internal/httpapi"
)

const token = "test-token-test-token"

// secret is in the context; it must never be logged, nor answered unless values
// are asked for.
const secret = "S3CRET-selection"

// space is a workspace on disk whose changes are told by the test.
type space struct {
	dir    string
	env    pertain.Environment
	engine *pertain.Engine

	mu      sync.Mutex
	context string
	seen    func()                // nil: the context is not watched
	stuck   chan struct{}         // told when somebody waits for a context that does not come; nil: it comes
	release chan struct{}         // closed: it comes nevertheless
	broken  bool                  // asking for the context panics
	during  func() (after func()) // called when rules are read; nil: nothing is
}

func (s *space) Root() string            { return s.dir }
func (s *space) Engine() *pertain.Engine { return s.engine }

func (s *space) Rules(ctx context.Context, o pertain.RuleOptions) (*pertain.Rulebook, error) {
	if s.during != nil {
		defer s.during()()
	}
	return pertain.OpenRules(ctx, s.env, o)
}

func (s *space) Decode(data []byte) (*facts.Snapshot, error) { return facts.Decode("<context>", data) }

func (s *space) Snapshot(ctx context.Context, _ string) (*facts.Snapshot, diag.List, error) {
	if s.stuck != nil {
		s.stuck <- struct{}{}
		select {
		case <-ctx.Done():
			return nil, nil, ctx.Err()
		case <-s.release:
		}
	}
	if s.broken {
		panic("a mistake of the program, about " + secret)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	snapshot, err := facts.Decode("<test>", []byte(s.context))
	return snapshot, nil, err
}

func (s *space) Watch(ctx context.Context, _ func(string)) error {
	<-ctx.Done()
	return nil
}

func (s *space) WatchContext(ctx context.Context, changed func()) error {
	s.mu.Lock()
	s.seen = changed
	s.mu.Unlock()
	<-ctx.Done()
	s.mu.Lock()
	s.seen = nil
	s.mu.Unlock()
	return nil
}

// become changes the context and tells of it.
func (s *space) become(t *testing.T, context string) {
	t.Helper()
	for range 500 {
		s.mu.Lock()
		seen := s.seen
		s.context = context
		s.mu.Unlock()
		if seen != nil {
			seen()
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Fatal("nobody follows the workspace")
}

const selectionContext = `{"attachments":{"selection":{"text":"` + secret + `"}}}`

func newSpace(t testing.TB) *space {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{
		".git/HEAD":                      "ref: refs/heads/main\n",
		".cursor/rules/types.mdc":        "---\ndescription: Types\nglobs: \"**/*.ts\"\n---\nUse types.\n",
		".windsurf/rules/types.md":       "---\ndescription: Other types\n---\nShadowed.\n",
		"packages/api/AGENTS.md":         "Nested.\n",
		"strategies/rewrite.strategy.md": "---\nname: Rewrite <b>\nwhen:\n  attachments.selection.text:\n    length: { min: 1 }\ntools:\n  builtin.web.*: true\n---\nRewrite {Argument}: {attachments.selection.text}\n",
		"strategies/broken.strategy.md":  "---\nname: Broken\nwhen:\n  attachments.text: 5\n---\nx\n",
		"strategies/never.strategy.md":   "---\nname: Never\nwhen:\n  clipboard.text:\n    contains: x\n---\nx\n",
	} {
		name = filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	home := t.TempDir()
	env := pertain.Environment{Dir: dir, NoBuiltin: true, Strategies: []string{filepath.Join(dir, "strategies")}, Env: func(name string) string {
		if name == "HOME" {
			return home
		}
		return ""
	}}
	location, err := pertain.Locate(env)
	if err != nil {
		t.Fatal(err)
	}
	engine, err := pertain.Open(t.Context(), location.Options)
	if err != nil {
		t.Fatal(err)
	}
	return &space{dir: dir, env: env, engine: engine, context: selectionContext}
}

// served is a server on a port of this machine.
type served struct {
	*space
	url  string
	logs *syncBuffer
	stop func()
}

type syncBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (b *syncBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.b.Write(p)
}

func (b *syncBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.b.String()
}

func serve(t testing.TB, options httpapi.Options) *served {
	t.Helper()
	return serveSpace(t, newSpace(t), options)
}

func serveSpace(t testing.TB, of *space, options httpapi.Options) *served {
	t.Helper()
	s := &served{space: of, logs: &syncBuffer{}}
	options.Token, options.Version = token, "test"
	options.Logger = slog.New(slog.NewJSONHandler(s.logs, nil))
	listener, err := httpapi.Listen(netip.MustParseAddrPort("127.0.0.1:0"))
	if err != nil {
		t.Fatal(err)
	}
	s.url = "http://" + listener.Addr().String()
	ctx, stop := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- httpapi.New(s.space, options).Serve(ctx, listener) }()
	s.stop = sync.OnceFunc(func() {
		stop()
		select {
		case err := <-done:
			if err != nil {
				t.Error(err)
			}
		case <-time.After(20 * time.Second):
			t.Error("the server did not end")
		}
	})
	t.Cleanup(s.stop)
	return s
}

// ask sends a request with the token and returns status and body.
func (s *served) ask(t testing.TB, method, path, body string, change ...func(*http.Request)) (int, string) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), method, s.url+path, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer "+token)
	if body != "" {
		r.Header.Set("Content-Type", "application/json")
	}
	for _, f := range change {
		f(r)
	}
	client := http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	response, err := client.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	data, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	return response.StatusCode, string(data)
}

func header(name, value string) func(*http.Request) {
	return func(r *http.Request) { r.Header.Set(name, value) }
}

func host(name string) func(*http.Request) {
	return func(r *http.Request) {
		_, port, _ := net.SplitHostPort(r.URL.Host)
		r.Host = strings.ReplaceAll(name, "PORT", port)
	}
}

func decode(t testing.TB, text string) map[string]any {
	t.Helper()
	var value map[string]any
	if err := json.Unmarshal([]byte(text), &value); err != nil {
		t.Fatalf("%v: %s", err, text)
	}
	return value
}
