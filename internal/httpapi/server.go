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
	"net/netip"
	"slices"
	"strings"
	"time"

	"github.com/pertain-dev/pertain"
	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/facts"
	"github.com/pertain-dev/pertain/internal/tally"
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
	// Fleet tells what rules did on all machines in a period; nil: there is no fleet.
	Fleet  func(ctx context.Context, period time.Duration) (tally.Report, error)
	Ask    Asker // asks a model; nil: none can be asked
	Limits Limits
}

// Limits keep one client from using up the machine. Zero fields are the
// defaults.
type Limits struct {
	Body     int64         // bytes of a request, default 16 MiB: a context may hold a large tree
	Answer   int64         // bytes of an answer, default 64 MiB: the longest prompt, each of its bytes escaped in six, fits
	Held     int64         // bytes that requests and answers take up at the same time, as far as it can be told; default 640 MiB
	Time     time.Duration // for a request to come, for its answer to be made, and for the client to take it, each; default 15 s
	Requests int           // that are worked on at the same time, default 64
	Rules    int           // of these, questions about rules, default 4: others wait, since a stranger's rules decide what one takes in memory
	Open     int           // requests at the same time, those included that are still being sent or read; default 512
	Streams  int           // event streams at the same time, default 1,000
	Asks     int           // questions to a model at the same time, default 4: they cost the user's money
	Sessions int           // of MCP at the same time, default 48; beyond that the one that was silent for longest ends
	Drain    time.Duration // for requests that run when the server is told to end, default 500 ms: who ends it waits no second

	// Heartbeat is how often a quiet stream shows that it lives, so that both sides
	// notice when the other is gone; default 15 s.
	Heartbeat time.Duration
}

func (l Limits) filled() Limits {
	l.Body = cmp.Or(l.Body, 16<<20)
	l.Answer = cmp.Or(l.Answer, 64<<20)
	l.Held = cmp.Or(l.Held, 640<<20)
	l.Time = cmp.Or(l.Time, 15*time.Second)
	l.Requests = cmp.Or(l.Requests, 64)
	l.Rules = cmp.Or(l.Rules, 4)
	l.Open = cmp.Or(l.Open, 512)
	l.Streams = cmp.Or(l.Streams, 1000)
	l.Asks = cmp.Or(l.Asks, 4)
	l.Sessions = cmp.Or(l.Sessions, 48)
	l.Drain = cmp.Or(l.Drain, 500*time.Millisecond)
	l.Heartbeat = cmp.Or(l.Heartbeat, 15*time.Second)
	return l
}

// Server answers for one workspace.
type Server struct {
	workspace    Workspace
	options      Options
	limits       Limits
	logger       *slog.Logger
	metrics      *serverMetrics
	events       *hub
	open         chan struct{} // one for each request under way
	slots        chan struct{} // one for each request that is worked on
	turns        chan struct{} // one for each question about rules that is worked on
	asks         chan struct{} // one for each question to a model
	memoryBudget *memoryBudget
	handler      http.Handler
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
	s.open = make(chan struct{}, s.limits.Open)
	s.slots = make(chan struct{}, s.limits.Requests)
	s.turns = make(chan struct{}, s.limits.Rules)
	s.asks = make(chan struct{}, s.limits.Asks)
	s.memoryBudget = &memoryBudget{size: s.limits.Held}
	s.handler = s.guard(s.mux())
	return s
}

// headerBytes is how long the first line and the headers of a request may be.
const headerBytes = 16 << 10

// Serve answers on the listener until ctx ends; then it lets requests finish and
// ends streams.
func (s *Server) Serve(ctx context.Context, listener net.Listener) error {
	server := &http.Server{
		Handler:           s.handler,
		ReadHeaderTimeout: 5 * time.Second,
		ReadTimeout:       30 * time.Second,
		WriteTimeout:      s.limits.Time + 15*time.Second, // streams move theirs
		IdleTimeout:       2 * time.Minute,
		MaxHeaderBytes:    headerBytes - 4<<10,        // net/http takes 4 KiB more than it is told
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
	methods := map[string][]string{} // by path
	handle := func(method, path string, handler http.Handler) {
		mux.Handle(method+" "+path, handler)
		methods[path] = append(methods[path], method)
		if method == http.MethodGet {
			methods[path] = append(methods[path], http.MethodHead)
		}
	}
	for _, r := range routes() {
		handle(r.method, r.path, s.answer(r))
	}
	for _, r := range extras() {
		handle(r.method(), r.path, s.measured(r.path, plain(r.handler(s))))
	}
	if s.options.MCP != nil {
		mux.Handle("/mcp", s.measured("/mcp", s.streamed(s.held(newSessions(s.options.MCP, s.limits.Sessions)))))
	}
	handle(http.MethodGet, "/{$}", s.measured("/", pageHandler()))
	handle(http.MethodGet, "/assets/", s.measured("/assets", pageHandler()))
	mux.Handle("/", s.measured("other", http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		path := r.URL.Path
		if path == "/" {
			path = "/{$}"
		} else if strings.HasPrefix(path, "/assets/") {
			path = "/assets/"
		}
		hurry(w, r)
		if allowed := methods[path]; allowed != nil {
			w.Header().Set("Allow", strings.Join(allowed, ", "))
			writeError(w, fail(http.StatusMethodNotAllowed, "method", "this address does not answer to that method; it does to %s", strings.Join(allowed, ", ")))
			return
		}
		serveNothing(w, r)
	})))
	return mux
}

// plain is for addresses that take no parameters.
func plain(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.RawQuery != "" {
			hurry(w, r)
			writeError(w, unknownParameter(nil))
			return
		}
		next.ServeHTTP(w, r)
	})
}

func serveHealth(w http.ResponseWriter, _ *http.Request) {
	writeJSON(w, http.StatusOK, healthAnswer{"ok"})
}

func serveNothing(w http.ResponseWriter, _ *http.Request) {
	writeError(w, fail(http.StatusNotFound, "not_found", "there is nothing at this address; see /api/v1/openapi.json"))
}

// Listen opens an address with a port, such as 127.0.0.1:0, and no other: one of
// version 4 is not one of version 6 as well. Only [::] is both. It is here because
// this package is the one that may touch the network.
func Listen(address netip.AddrPort) (net.Listener, error) {
	network := "tcp"
	if address.Addr().Is4() {
		network = "tcp4"
	}
	return net.Listen(network, address.String())
}

// Handler is the server without a listener, with all its checks.
func (s *Server) Handler() http.Handler { return s.handler }
