package gateway

import (
	"cmp"
	"context"
	"crypto/rand"
	"log/slog"
	"net"
	"net/http"
	"net/url"
	"sync"
	"time"

	"github.com/pertain-dev/pertain/gateway/internal/sse"
	"github.com/pertain-dev/pertain/stream"
)

// Workspace is what is watched for in one folder. It does not change: when rules or
// settings do, there is another one.
type Workspace struct {
	Name     string      // of the path /w/NAME; "" for the usual one
	Dir      string      // the folder, absolute
	Cwd      string      // where the agent works, absolute: relative paths of calls count from there; "": Dir
	Home     string      // the user's, absolute: paths that begin with ~/ count from there; "": as they are written
	Triggers *stream.Set // what is watched for; nil: nothing
	Policy   stream.Policy
	// Binding are the names of the rules that the model must comply with: those of the
	// user's own, and all of a workspace that the user trusts.
	Binding map[string]bool
}

// rules counts the triggers that are watched.
func (w *Workspace) rules() int {
	if w.Triggers == nil || w.Policy.Disabled {
		return 0
	}
	return w.Triggers.Len()
}

// Upstream is where requests of one API go.
type Upstream struct {
	URL *url.URL // a path in it is put before that of the request; nil: the provider's own address
	// Without is a beginning of the request's path that this upstream does not have,
	// such as /v1.
	Without string
}

// Settings are what may change while a gateway runs.
type Settings struct {
	Anthropic, OpenAI, Gemini Upstream
	// Uncertain says that somebody may have set addresses which could not be read: requests go only to those that are here,
	// and never to a provider's own.
	Uncertain bool
}

// Options say how a gateway works. Workspace is required.
type Options struct {
	// Workspace gives the workspace of a name as it is now; nil: there is none.
	Workspace func(name string) *Workspace
	// Settings gives the settings as they are now; nil: the zero value.
	Settings func() Settings
	// Hosts are the names by which the gateway is reached, beside localhost and loopback
	// addresses, without a port. With any, Token is required.
	Hosts []string
	Token string // what clients show as x-pertain-token if there are Hosts

	Memory  Memory  // nil: conversations are forgotten with the process
	Journal Journal // nil: nobody is told
	// Release is called with what was watched before clients get it, so that nobody else tells the model of it again; nil: it is
	// not. It must be safe for concurrent use.
	Release func(Release)
	Logger  *slog.Logger
	Version string
	// Agent is who asks, for the journal; "": the client's name for itself, where it is known.
	Agent  string
	Limits Limits

	// Transport asks upstreams; nil: one of the gateway's own. It must not follow
	// redirects, nor ask for compression.
	Transport http.RoundTripper
}

// Limits bound what a gateway holds. Zero fields are the defaults.
type Limits struct {
	Body      int64         // bytes of a request, and of an answer that is not streamed; default 64 MiB
	Event     int           // bytes of one event of a stream; default 64 MiB
	Call      int           // bytes of events that are held for a tool call; default 64 MiB
	Text      int           // bytes of text that are held while a match may be under way; default 4 KiB
	Wait      time.Duration // for how long; default 2 s
	KeepAlive time.Duration // after how much silence a client is shown that the answer goes on; default 10 s
	Splices   int           // that are remembered of a conversation; default 64
	Held      int64         // bytes of memory that all requests under way take together, as far as it can be told; default 1 GiB
}

func (l Limits) filled() Limits {
	l.Body = cmp.Or(l.Body, 64<<20)
	l.Event = cmp.Or(l.Event, 64<<20)
	l.Call = cmp.Or(l.Call, 64<<20)
	l.Text = cmp.Or(l.Text, 4<<10)
	l.Wait = cmp.Or(l.Wait, 2*time.Second)
	l.KeepAlive = cmp.Or(l.KeepAlive, 10*time.Second)
	l.Splices = cmp.Or(l.Splices, 64)
	l.Held = cmp.Or(l.Held, 1<<30)
	return l
}

// Gateway is an http.Handler. It is safe for concurrent use.
type Gateway struct {
	options   Options
	limits    Limits
	logger    *slog.Logger
	memory    Memory
	journal   Journal
	transport http.RoundTripper
	seen      *seen
	batches   sync.Pool // of *[]gathered
	buffers   sse.Buffers
	endings   endings
	owners    owners
	secret    [32]byte // see caller
	names     names
	held      *held
}

// New makes a gateway.
func New(options Options) *Gateway {
	limits := options.Limits.filled()
	g := &Gateway{options: options, limits: limits, held: &held{size: limits.Held}, logger: options.Logger, memory: options.Memory, journal: options.Journal, transport: options.Transport}
	if g.logger == nil {
		g.logger = slog.New(slog.DiscardHandler)
	}
	if g.memory == nil {
		g.memory = &forgetful{}
	}
	if g.journal == nil {
		g.journal = silent{}
	}
	if g.transport == nil {
		g.transport = newTransport()
	}
	g.seen = newSeen(options.Version)
	_, _ = rand.Read(g.secret[:]) // never fails
	return g
}

// newTransport asks for no compression: what is compressed cannot be watched.
func newTransport() *http.Transport {
	return &http.Transport{
		Proxy:                 http.ProxyFromEnvironment,
		DialContext:           (&net.Dialer{Timeout: 30 * time.Second, KeepAlive: 30 * time.Second}).DialContext,
		ForceAttemptHTTP2:     true,
		MaxIdleConns:          1024,
		MaxIdleConnsPerHost:   512,
		IdleConnTimeout:       90 * time.Second,
		TLSHandshakeTimeout:   15 * time.Second,
		ExpectContinueTimeout: time.Second,
		DisableCompression:    true,
		WriteBufferSize:       2 << 10, // a connection keeps it while an answer streams; larger requests go around it
	}
}

// settings are those of now.
func (g *Gateway) settings() Settings {
	if g.options.Settings == nil {
		return Settings{}
	}
	return g.options.Settings()
}

// Close ends the connections to upstreams that nobody uses.
func (g *Gateway) Close() {
	if t, ok := g.transport.(interface{ CloseIdleConnections() }); ok {
		t.CloseIdleConnections()
	}
}

// background is for what has to be written down although the client is gone.
func background(ctx context.Context) (context.Context, context.CancelFunc) {
	return context.WithTimeout(context.WithoutCancel(ctx), 5*time.Second)
}
