package httpapi

import (
	"cmp"
	"context"
	"errors"
	"io"
	"log"
	"log/slog"
	"net"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/pertain-dev/pertain"
	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/facts"
)

// Workspace is the folder that is served. It must be safe for concurrent use.
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
	// Decode reads a context that a client sent, JSON or YAML.
	Decode(data []byte) (*facts.Snapshot, error)
	// Watch calls changed with "strategies", "rules" or "skills" until ctx ends.
	Watch(ctx context.Context, changed func(part string)) error
	// WatchContext calls changed when the context may be another, until ctx ends.
	// It reads the desktop all the while.
	WatchContext(ctx context.Context, changed func()) error
}

// Options say how a server works. Token is required.
type Options struct {
	Token   string       // what clients must send; see [NewToken]
	Hosts   []string     // names by which the server is reached, beside localhost and loopback addresses; without a port
	Version string       // of the program
	Logger  *slog.Logger // nil: silent
	MCP     http.Handler // served at /mcp, behind the same checks; nil: none
	Limits  Limits
}

// Limits keep one client from using up the machine. Zero fields are the
// defaults.
type Limits struct {
	Body     int64         // bytes of a request, default 16 MiB: a context may hold a large tree
	Time     time.Duration // for one answer, default 15 s
	Requests int           // at the same time, default 64
	Streams  int           // event streams at the same time, default 1,000
	Drain    time.Duration // for requests that run when the server is told to end, default 5 s
}

func (l Limits) filled() Limits {
	l.Body = cmp.Or(l.Body, 16<<20)
	l.Time = cmp.Or(l.Time, 15*time.Second)
	l.Requests = cmp.Or(l.Requests, 64)
	l.Streams = cmp.Or(l.Streams, 1000)
	l.Drain = cmp.Or(l.Drain, 5*time.Second)
	return l
}

// Server answers for one workspace.
type Server struct {
	workspace Workspace
	options   Options
	limits    Limits
	logger    *slog.Logger
	metrics   *metrics
	events    *hub
	slots     chan struct{} // one for each request under way
	handler   http.Handler
}

// New makes a server for a workspace. It does not listen yet.
func New(workspace Workspace, options Options) *Server {
	options.Hosts = slices.Clone(options.Hosts)
	for i, host := range options.Hosts {
		options.Hosts[i] = strings.ToLower(host)
	}
	s := &Server{workspace: workspace, options: options, limits: options.Limits.filled(), logger: options.Logger}
	if s.logger == nil {
		s.logger = slog.New(slog.DiscardHandler)
	}
	s.metrics = newMetrics(options.Version, func() *pertain.Catalog { return workspace.Engine().Catalog() })
	s.events = newHub(s.limits.Streams)
	s.slots = make(chan struct{}, s.limits.Requests)
	s.handler = s.guard(s.mux())
	return s
}

// Serve answers on the listener until ctx ends; then it lets requests finish and
// ends streams.
func (s *Server) Serve(ctx context.Context, listener net.Listener) error {
	server := &http.Server{
		Handler:           s.handler,
		ReadHeaderTimeout: 5 * time.Second,
		ReadTimeout:       30 * time.Second,
		WriteTimeout:      s.limits.Time + 15*time.Second, // streams move theirs
		IdleTimeout:       2 * time.Minute,
		MaxHeaderBytes:    16 << 10,
		ErrorLog:          log.New(io.Discard, "", 0), // its lines quote what clients sent
	}
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	watched := make(chan struct{})
	go func() {
		defer close(watched)
		s.watch(ctx)
	}()
	failed := make(chan error, 1)
	go func() { failed <- server.Serve(listener) }()
	var err error
	select {
	case <-ctx.Done():
	case err = <-failed:
	}
	stop()
	s.events.close()
	drain, cancel := context.WithTimeout(context.WithoutCancel(ctx), s.limits.Drain)
	defer cancel()
	if server.Shutdown(drain) != nil {
		_ = server.Close()
	}
	<-watched
	if errors.Is(err, http.ErrServerClosed) {
		err = nil
	}
	return err
}

// mux puts the routes together.
func (s *Server) mux() http.Handler {
	mux := http.NewServeMux()
	for _, r := range routes() {
		mux.Handle(r.method+" "+r.path, s.answer(r))
	}
	mux.Handle("GET /api/v1/events", s.measured("/api/v1/events", http.HandlerFunc(s.serveEvents)))
	mux.Handle("GET /api/v1/openapi.json", s.measured("/api/v1/openapi.json", http.HandlerFunc(s.serveOpenAPI)))
	mux.Handle("GET /metrics", s.measured("/metrics", http.HandlerFunc(s.metrics.serve)))
	mux.Handle("GET /healthz", http.HandlerFunc(serveHealth))
	if s.options.MCP != nil {
		mux.Handle("/mcp", s.measured("/mcp", s.streamed(s.options.MCP)))
	}
	mux.Handle("GET /{$}", s.measured("/", pageHandler()))
	mux.Handle("GET /assets/", s.measured("/assets", pageHandler()))
	mux.Handle("/", s.measured("other", http.HandlerFunc(serveNothing)))
	return mux
}

func serveHealth(w http.ResponseWriter, _ *http.Request) {
	writeJSON(w, http.StatusOK, map[string]string{"status": "ok"})
}

func serveNothing(w http.ResponseWriter, _ *http.Request) {
	writeError(w, fail(http.StatusNotFound, "not_found", "there is nothing at this address; see /api/v1/openapi.json"))
}

// streamed lets a handler answer for as long as it likes, until the server ends.
func (s *Server) streamed(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		control := http.NewResponseController(w)
		_ = control.SetWriteDeadline(time.Time{}) // a connection that has none needs no extension
		if r.Method == http.MethodGet {
			_ = control.SetReadDeadline(time.Time{})
		}
		ctx, stop := context.WithCancel(r.Context())
		defer stop()
		defer context.AfterFunc(s.events.ctx, stop)()
		next.ServeHTTP(w, r.WithContext(ctx))
	})
}

// Listen opens the address; it is here because this package is the one that may
// touch the network.
func Listen(address string) (net.Listener, error) { return net.Listen("tcp", address) }

// Handler is the server without a listener, with all its checks.
func (s *Server) Handler() http.Handler { return s.handler }
