package lsp_test

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"

	"github.com/creachadair/jrpc2"
	"github.com/creachadair/jrpc2/channel"

	"github.com/pertain-dev/pertain/internal/cli"
)

// editor is a client of the server, by the library's own framing.
type editor struct {
	t      *testing.T
	dir    string
	client *jrpc2.Client
	in     *io.PipeWriter
	code   chan int

	mu        sync.Mutex
	changed   *sync.Cond
	published map[string][]publication
	asked     []string // methods that the server called
}

type publication struct {
	URI         string
	Version     *int
	Diagnostics []struct {
		Range    rng
		Severity int
		Code     string
		Source   string
		Message  string
	}
}

type (
	pos struct{ Line, Character int }
	rng struct{ Start, End pos }
)

// world writes files below a new folder with a home beside it.
func world(t *testing.T, texts map[string]string) string {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range texts {
		path := filepath.Join(dir, "work", filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for _, folder := range []string{"work/.git", "home"} {
		if err := os.MkdirAll(filepath.Join(dir, folder), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	return filepath.Join(dir, "work")
}

func environment(dir string) func(string) string {
	home := filepath.Join(filepath.Dir(dir), "home")
	env := map[string]string{"HOME": home, "USERPROFILE": home, "APPDATA": filepath.Join(home, "AppData"), "XDG_CONFIG_HOME": filepath.Join(home, ".config")}
	return func(name string) string { return env[name] }
}

// configFile is the user's settings file.
func configFile(dir string) string {
	home := filepath.Join(filepath.Dir(dir), "home")
	if runtime.GOOS == "windows" {
		return filepath.Join(home, "AppData", "pertain", "config.yaml")
	}
	return filepath.Join(home, ".config", "pertain", "config.yaml")
}

// start runs the server in a folder.
func start(t *testing.T, dir string) *editor {
	t.Helper()
	return startWith(context.Background(), t, dir)
}

func startWith(ctx context.Context, t *testing.T, dir string) *editor {
	t.Helper()
	e := &editor{t: t, dir: dir, code: make(chan int, 1), published: map[string][]publication{}}
	e.changed = sync.NewCond(&e.mu)
	inReader, inWriter := io.Pipe()
	outReader, outWriter := io.Pipe()
	e.in = inWriter
	go func() {
		var errs bytes.Buffer
		code := cli.Main(ctx, cli.Invocation{
			Args: []string{"lsp"}, Stdin: inReader, Stdout: outWriter, Stderr: &errs, Dir: dir, Env: environment(dir),
		})
		if errs.Len() > 0 {
			t.Errorf("on standard error: %s", errs.String())
		}
		_ = outWriter.Close()
		_ = inReader.Close()
		e.code <- code
	}()
	e.client = jrpc2.NewClient(channel.Header("")(outReader, inWriter), &jrpc2.ClientOptions{
		OnNotify: e.notified,
		OnCallback: func(_ context.Context, r *jrpc2.Request) (any, error) {
			e.mu.Lock()
			defer e.mu.Unlock()
			e.asked = append(e.asked, r.Method())
			e.changed.Broadcast()
			return nil, nil
		},
	})
	t.Cleanup(func() { _ = e.client.Close() })
	return e
}

func (e *editor) notified(r *jrpc2.Request) {
	var p publication
	if r.Method() != "textDocument/publishDiagnostics" || r.UnmarshalParams(&p) != nil {
		return
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	e.published[p.URI] = append(e.published[p.URI], p)
	e.changed.Broadcast()
}

// initialize says hello; more is laid over the parameters.
func (e *editor) initialize(more map[string]any) json.RawMessage {
	e.t.Helper()
	params := map[string]any{"processId": nil, "rootUri": uri(e.dir), "capabilities": map[string]any{}}
	for name, value := range more {
		params[name] = value
	}
	result := e.call("initialize", params)
	e.tell("initialized", map[string]any{})
	return result
}

func (e *editor) call(method string, params any) json.RawMessage {
	e.t.Helper()
	response, err := e.client.Call(e.t.Context(), method, params)
	if err != nil {
		e.t.Fatalf("%s: %v", method, err)
	}
	var raw json.RawMessage
	if err := response.UnmarshalResult(&raw); err != nil {
		e.t.Fatal(err)
	}
	return raw
}

// answer calls a method and reads its result.
func answer[T any](e *editor, method string, params any) T {
	e.t.Helper()
	var out T
	raw := e.call(method, params)
	if err := json.Unmarshal(raw, &out); err != nil {
		e.t.Fatalf("%s: %v in %s", method, err, raw)
	}
	return out
}

func (e *editor) tell(method string, params any) {
	e.t.Helper()
	if err := e.client.Notify(e.t.Context(), method, params); err != nil {
		e.t.Fatal(err)
	}
}

func uri(path string) string {
	slash := filepath.ToSlash(path)
	if !strings.HasPrefix(slash, "/") {
		slash = "/" + slash
	}
	return (&url.URL{Scheme: "file", Path: slash}).String()
}

// file is the address of a file of the folder.
func (e *editor) file(name string) string { return uri(filepath.Join(e.dir, filepath.FromSlash(name))) }

func (e *editor) open(name string, version int, text string) {
	e.t.Helper()
	e.tell("textDocument/didOpen", map[string]any{"textDocument": map[string]any{"uri": e.file(name), "languageId": "markdown", "version": version, "text": text}})
}

// change replaces the whole text.
func (e *editor) change(name string, version int, text string) {
	e.t.Helper()
	e.tell("textDocument/didChange", map[string]any{
		"textDocument": map[string]any{"uri": e.file(name), "version": version}, "contentChanges": []any{map[string]any{"text": text}},
	})
}

// wait waits for a publication about a file that is as wanted.
func (e *editor) wait(name string, wanted func(publication) bool) publication {
	e.t.Helper()
	stop := context.AfterFunc(e.t.Context(), e.changed.Broadcast)
	defer stop()
	e.mu.Lock()
	defer e.mu.Unlock()
	for {
		for _, p := range e.published[e.file(name)] {
			if wanted(p) {
				return p
			}
		}
		if e.t.Context().Err() != nil {
			e.t.Fatal("the test ended")
		}
		e.changed.Wait()
	}
}

// version waits for the first word on a version of a document.
func (e *editor) version(name string, version int) publication {
	e.t.Helper()
	return e.wait(name, func(p publication) bool { return p.Version != nil && *p.Version == version })
}

// codes are those of a publication.
func (p publication) codes() []string {
	out := []string{}
	for _, d := range p.Diagnostics {
		out = append(out, d.Code)
	}
	return out
}

// goodbye ends the conversation in order.
func (e *editor) goodbye() {
	e.t.Helper()
	e.call("shutdown", nil)
	e.tell("exit", nil)
	if code := <-e.code; code != 0 {
		e.t.Errorf("exit code %d", code)
	}
}

// lintJSON is what `pertain lint --json` says about a file.
func lintJSON(t *testing.T, dir, path string) []map[string]any {
	t.Helper()
	var out, errs bytes.Buffer
	cli.Main(t.Context(), cli.Invocation{
		Args: []string{"lint", "--json", path}, Stdin: strings.NewReader(""), Stdout: &out, Stderr: &errs, Dir: dir, Env: environment(dir),
	})
	var report struct{ Diagnostics []map[string]any }
	if err := json.Unmarshal(out.Bytes(), &report); err != nil {
		t.Fatalf("lint %s: %v: %s%s", path, err, out.String(), errs.String())
	}
	return report.Diagnostics
}
