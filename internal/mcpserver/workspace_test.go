package mcpserver_test

import (
	"context"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/pertain-dev/pertain"
	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/facts"
	"github.com/pertain-dev/pertain/internal/files"
	"github.com/pertain-dev/pertain/internal/mcpserver"
	"github.com/pertain-dev/pertain/internal/writing"
	"github.com/pertain-dev/pertain/skill"
	"github.com/pertain-dev/pertain/stream"
)

// space is a workspace on disk whose changes are told by the test.
type space struct {
	dir    string
	at     pertain.Environment
	engine *pertain.Engine

	mu      sync.Mutex
	context string // JSON
	changed func(string)
	seen    func() // nil: the context is not watched
	closed  bool
	asked   int // how often rules were read for files
}

func (s *space) Root() string            { return s.dir }
func (s *space) Engine() *pertain.Engine { return s.engine }
func (s *space) Rules(ctx context.Context, o pertain.RuleOptions) (*pertain.Rulebook, error) {
	if len(o.Files) > 0 {
		s.mu.Lock()
		s.asked++
		s.mu.Unlock()
	}
	return pertain.OpenRules(ctx, s.at, o)
}

func (s *space) Snapshot(context.Context, string) (*facts.Snapshot, diag.List, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	snapshot, err := facts.Decode("<test>", []byte(s.context))
	return snapshot, nil, err
}

func (s *space) StreamPolicy() (stream.Policy, error) {
	policy, _, err := pertain.StreamPolicy(s.at)
	return policy, err
}

func (s *space) Skills() skill.Library {
	return skill.Library{Tree: files.OS(), Roots: []skill.Root{
		{Source: "agents", Dir: filepath.Join(s.dir, "skills"), Enabled: true, Trusted: true},
		{Source: "claude", Dir: filepath.Join(s.dir, "others"), Enabled: false, Trusted: true},
	}}
}

func (s *space) Watch(ctx context.Context, changed func(string)) error {
	s.mu.Lock()
	s.changed = changed
	s.mu.Unlock()
	<-ctx.Done()
	return nil
}

func (s *space) WatchContext(ctx context.Context, changed func()) error {
	s.mu.Lock()
	s.seen = changed
	s.mu.Unlock()
	<-ctx.Done()
	return nil
}

func (s *space) Close() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.closed = true
}

// tell waits until the session follows the workspace, then says that a part is
// another.
func (s *space) tell(t *testing.T, part string) {
	t.Helper()
	for range 500 {
		s.mu.Lock()
		changed, seen := s.changed, s.seen
		s.mu.Unlock()
		if part == "context" && seen != nil {
			seen()
			return
		}
		if part != "context" && changed != nil {
			changed(part)
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Fatal("nobody follows the workspace")
}

const strategyText = `---
name: Rewrite
description: Rewrites what is selected
when:
  attachments.selection.text:
    length: { min: 1 }
---
Rewrite this {Argument}: {attachments.selection.text}
`

const ruleText = "---\ndescription: Types\nglobs: [\"**/*.ts\"]\n---\nUse types.\n"

// world writes files below a new folder that is a project of its own.
func world(t *testing.T, content map[string]string) string {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(filepath.Join(dir, ".git"), 0o755); err != nil {
		t.Fatal(err)
	}
	for name, text := range content {
		write(t, filepath.Join(dir, filepath.FromSlash(name)), text)
	}
	return dir
}

func write(t *testing.T, name, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		t.Fatal(err)
	}
	target, err := writing.OwnTarget(name)
	if err == nil {
		err = target.Write([]byte(text), 0o600)
	}
	if err != nil { // nobody reads half of it
		t.Fatal(err)
	}
}

// bench is a server with one client.
type bench struct {
	*mcp.ClientSession
	spaces  map[string]*space // by folder
	news    chan string       // notifications that the client got
	mu      sync.Mutex
	opening []string // folders that were opened, in order
	home    string
}

// legacy is the newest version with a handshake; with it, clients have roots.
const legacy = "2025-11-25"

func connect(t *testing.T, version, dir string, roots ...string) *bench {
	t.Helper()
	b := &bench{}
	return b.connect(t, b.options(t, dir), version, roots...)
}

// connect starts a server with options of its own.
func (b *bench) connect(t *testing.T, options mcpserver.Options, version string, roots ...string) *bench {
	t.Helper()
	c := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, &mcp.ClientOptions{
		ResourceListChangedHandler: func(context.Context, *mcp.ResourceListChangedRequest) { b.news <- "resources" },
		PromptListChangedHandler:   func(context.Context, *mcp.PromptListChangedRequest) { b.news <- "prompts" },
		ResourceUpdatedHandler: func(_ context.Context, r *mcp.ResourceUpdatedNotificationRequest) {
			b.news <- "updated " + r.Params.URI
		},
	})
	for _, root := range roots {
		c.AddRoots(&mcp.Root{URI: root}) //nolint:staticcheck // as clients of older versions do
	}
	return b.start(t, options, c, version)
}

// options make workspaces that the test knows.
func (b *bench) options(t *testing.T, dir string) mcpserver.Options {
	t.Helper()
	b.spaces, b.news = map[string]*space{}, make(chan string, 100)
	b.home = t.TempDir()
	return mcpserver.Options{Version: "test", Open: func(ctx context.Context, folder string) (mcpserver.Workspace, error) {
		b.mu.Lock()
		defer b.mu.Unlock()
		if folder == "" {
			folder = dir
		}
		b.opening = append(b.opening, folder)
		env := map[string]string{"HOME": b.home}
		at := pertain.Environment{Dir: folder, Env: func(n string) string { return env[n] }, Strategies: []string{filepath.Join(folder, "strategies")}, NoBuiltin: true}
		location, err := pertain.Locate(at)
		if err != nil {
			return nil, err
		}
		engine, err := pertain.Open(ctx, location.Options)
		if err != nil {
			return nil, err
		}
		s := &space{dir: folder, at: at, engine: engine, context: `{}`}
		b.spaces[folder] = s
		return s, nil
	}}
}

// start runs the server on two pipes, as a process would.
func (b *bench) start(t *testing.T, options mcpserver.Options, client *mcp.Client, version string) *bench {
	t.Helper()
	toServer, fromClient, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	toClient, fromServer, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan error, 1)
	go func() {
		done <- mcpserver.New(options).Serve(context.Background(), toServer, fromServer)
		fromServer.Close()
	}()
	session, err := client.Connect(t.Context(), &mcp.IOTransport{Reader: toClient, Writer: fromClient}, &mcp.ClientSessionOptions{ProtocolVersion: version})
	if err != nil {
		t.Fatal(err)
	}
	b.ClientSession = session
	t.Cleanup(func() {
		session.Close()
		select {
		case <-done:
		case <-time.After(10 * time.Second):
			t.Error("the server did not end with its client")
		}
	})
	return b
}

// wait returns when a notification has come.
func (b *bench) wait(t *testing.T, want string) {
	t.Helper()
	if !b.told(want, 20*time.Second) {
		t.Fatalf("the client was not told of %s", want)
	}
}

func (b *bench) told(want string, within time.Duration) bool {
	late := time.After(within)
	for {
		select {
		case got := <-b.news:
			if got == want {
				return true
			}
		case <-late:
			return false
		}
	}
}
