package mcpserver

import (
	"cmp"
	"context"
	"io"
	"log/slog"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/pertain-dev/pertain"
	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/facts"
	"github.com/pertain-dev/pertain/skill"
	"github.com/pertain-dev/pertain/stream"
)

// Workspace is one folder with its strategies, rules and context. It must be
// safe for concurrent use.
type Workspace interface {
	// Root is the folder, absolute.
	Root() string
	// Engine holds the strategies; it follows their files while Watch runs.
	Engine() *pertain.Engine
	// Rules loads the rules as they are on disk now.
	Rules(ctx context.Context, options pertain.RuleOptions) (*pertain.Rulebook, error)
	// Snapshot is the context now: what matching needs, or with an id, what
	// running that strategy reads. The list says what could not be collected.
	Snapshot(ctx context.Context, id string) (*facts.Snapshot, diag.List, error)
	// StreamPolicy is what the user's settings say about rules with a trigger.
	StreamPolicy() (stream.Policy, error)
	// Skills are those of the user and of the folder.
	Skills() skill.Library
	// Watch calls changed with "strategies", "rules" or "skills" until ctx ends.
	Watch(ctx context.Context, changed func(part string)) error
	// WatchContext calls changed when the context may be another, until ctx ends.
	// It reads the desktop all the while.
	WatchContext(ctx context.Context, changed func()) error
	// Close ends what the workspace holds.
	Close()
}

// Options say how a server works. Open is required.
type Options struct {
	// Open makes the workspace of a folder: an absolute path, or "" for the one
	// that the server was started in, where a client names none.
	Open func(ctx context.Context, dir string) (Workspace, error)

	Version string       // of the program
	Logger  *slog.Logger // nil: silent; it never gets text of files or of the context

	// IgnoreRoots keeps every client in the server's own folder, for clients on
	// other machines, whose folders mean nothing here.
	IgnoreRoots bool

	// PromptTime is how long the prompt of a strategy may take to be made; 0: 15 s, as an answer over HTTP.
	PromptTime time.Duration
}

// Server makes a session for each client.
type Server struct {
	options  Options
	schemas  *mcp.SchemaCache
	sessions atomic.Int64  // that have not ended
	turns    chan struct{} // one for each request that is worked on

	mu   sync.Mutex
	made map[string]*jsonschema.Schema // by tool and side
}

// New makes a server. It opens nothing until a client asks.
func New(options Options) *Server {
	if options.Logger == nil {
		options.Logger = slog.New(slog.DiscardHandler)
	}
	options.PromptTime = cmp.Or(options.PromptTime, 15*time.Second)
	return &Server{options: options, schemas: mcp.NewSchemaCache(), turns: make(chan struct{}, maxTurns), made: map[string]*jsonschema.Schema{}}
}

// Serve talks to one client until it hangs up or ctx ends. Only messages are
// written to out. When in ends, the requests that it held are answered first.
func (s *Server) Serve(ctx context.Context, in io.ReadCloser, out io.WriteCloser) error {
	session := s.newSession(ctx)
	defer session.close()
	err := session.server.Run(ctx, &lineTransport{in: in, out: out, limit: maxMessage})
	if ctx.Err() != nil {
		return nil // being told to end is no failure
	}
	return err
}

// idleSession is how long a session over HTTP is kept for a client that is
// silent, and maxSessions how many there may be.
const (
	idleSession = 2 * time.Hour
	maxSessions = 64
)

// Handler serves clients over streamable HTTP. Who may call is the caller's to
// decide: it checks neither a token nor where a request comes from. Sessions end
// with ctx.
func (s *Server) Handler(ctx context.Context) http.Handler {
	type beginning struct{ session *session }
	type key struct{}
	// The SDK asks for a server with every request, but takes one only for the
	// first of a session.
	handler := mcp.NewStreamableHTTPHandler(func(r *http.Request) *mcp.Server {
		begun, ok := r.Context().Value(key{}).(*beginning)
		if !ok {
			return nil
		}
		if begun.session == nil {
			begun.session = s.newSession(ctx)
		}
		return begun.session.server
	}, &mcp.StreamableHTTPOptions{
		Logger:                     slog.New(slog.DiscardHandler), // the SDK's own lines hold addresses of resources
		SessionTimeout:             idleSession,
		MaxRequestBodyBytes:        maxMessage,
		DisableLocalhostProtection: true, // the caller knows more names of this machine than localhost
	})
	return checked(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodPost || r.Header.Get("Mcp-Session-Id") != "" {
			handler.ServeHTTP(w, r)
			return
		}
		if s.sessions.Load() >= maxSessions {
			w.Header().Set("Retry-After", "60")
			http.Error(w, "too many sessions", http.StatusServiceUnavailable)
			return
		}
		begun := &beginning{}
		handler.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), key{}, begun)))
		if begun.session != nil && !begun.session.met() {
			begun.session.close() // the request was none that begins a session
		}
	}))
}
