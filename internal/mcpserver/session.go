package mcpserver

import (
	"context"
	"sync"
	"sync/atomic"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// session is what one client sees: its workspaces, and the resources and prompts
// that were made of them.
type session struct {
	parent *Server
	server *mcp.Server
	ctx    context.Context // ends with the session
	end    context.CancelFunc

	opening chan struct{} // holds one: one look at the roots at a time
	mu      sync.Mutex    // guards what follows
	client  *mcp.ServerSession
	age     int           // of the client's roots: how often they have changed
	opened  int           // the age of those that spaces are of
	again   time.Time     // when the client is asked again for roots that it did not name; zero: never
	gap     time.Duration // how long it was left in peace before that
	dirs    []string      // that spaces are of, as [Options.Open] takes them
	spaces  []Workspace   // the first is the one for strategies; empty: not opened yet
	leave   context.CancelFunc
	watch   context.Context // ends when the workspaces are others
	seeing  bool            // the context is watched

	tellResources, tellPrompts atomic.Bool // the lists that the client knows are others now

	listing    sync.Mutex               // one update of the lists at a time; guards what follows
	resources  map[string]*resource     // by address; nil: never asked for
	prompts    map[string]*prompt       // by name; nil: never asked for
	subscribed map[string]*subscription // by address, as the client wrote it

	watchedFiles []string           // of subscriptions
	unwatch      context.CancelFunc // nil: none are watched
}

// instructions are what a model reads about this server.
const instructions = `Rules of this repository and prompts for what the user is doing now.
Before you create or edit files, call rules_for_files with their paths and follow the rules it names: their text is in the answer, or read the resource at its uri.
Before you show or write longer text or code, check_text tells whether it breaks a rule.
match_strategies tells which prepared prompts fit the situation; render_strategy returns one ready to use.`

func (s *Server) newSession(ctx context.Context) *session {
	c := &session{parent: s, opening: make(chan struct{}, 1)}
	s.sessions.Add(1)
	c.ctx, c.end = context.WithCancel(ctx)
	context.AfterFunc(c.ctx, func() { s.sessions.Add(-1) })
	c.server = mcp.NewServer(&mcp.Implementation{Name: "pertain", Title: "Pertain", Version: s.options.Version}, &mcp.ServerOptions{
		Instructions: instructions,
		SchemaCache:  s.schemas,
		Capabilities: &mcp.ServerCapabilities{
			Tools:     &mcp.ToolCapabilities{},
			Prompts:   &mcp.PromptCapabilities{ListChanged: true},
			Resources: &mcp.ResourceCapabilities{ListChanged: true, Subscribe: true},
		},
		CompletionHandler:       c.complete,
		SetCacheable:            func(_ context.Context, _ mcp.Request, about *mcp.Cacheable) { about.CacheScope = "private" },
		SubscribeHandler:        c.subscribe,
		UnsubscribeHandler:      c.unsubscribe,
		RootsListChangedHandler: c.rootsChanged, //nolint:staticcheck // clients of older versions have roots, and no other way to name a folder
	})
	c.server.AddReceivingMiddleware(c.oversee, c.takeTurn, c.prepare)
	c.server.AddSendingMiddleware(c.announce)
	c.addTemplates()
	addTools(c)
	return c
}

func (c *session) close() {
	c.end()
	c.opening <- struct{}{}
	defer func() { <-c.opening }()
	c.mu.Lock()
	defer c.mu.Unlock()
	c.drop()
}

// drop lets go of the workspaces; mu is held.
func (c *session) drop() {
	if c.leave != nil {
		c.leave()
	}
	for _, w := range c.spaces {
		w.Close()
	}
	c.spaces, c.dirs, c.leave, c.watch, c.seeing = nil, nil, nil, nil, false
}

// prepare opens the workspaces before the first request that needs them, and
// brings the lists up to date before they are read.
func (c *session) prepare(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
		if client, ok := req.GetSession().(*mcp.ServerSession); ok {
			c.meet(client)
		}
		var err error
		switch method {
		case "resources/list", "subscriptions/listen":
			err = c.updateResources(ctx)
		case "resources/subscribe": // which looks at its resource itself; the list has to be there for news of it to be followed
			if !c.asked(c.hasResources) {
				err = c.updateResources(ctx)
			}
		case "prompts/list", "prompts/get":
			err = c.updatePrompts(ctx)
		}
		if err != nil {
			return nil, err
		}
		result, err := next(ctx, method, req)
		return c.amend(ctx, req, result, err)
	}
}

// meet remembers the client, and ends the session when it leaves.
func (c *session) meet(client *mcp.ServerSession) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.client != nil {
		return
	}
	c.client = client
	go func() {
		_ = client.Wait()
		c.close()
	}()
}

// met tells whether a client has sent anything.
func (c *session) met() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.client != nil
}

// gatherNews is how long changes are put together before the lists are made
// again: a checkout changes many files at once.
const gatherNews = 200 * time.Millisecond

// see begins to follow the context, once somebody has asked for what depends on
// it.
func (c *session) see() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.seeing || len(c.spaces) == 0 {
		return
	}
	c.seeing = true
	w := c.spaces[0]
	go c.follow(c.watch, func(ctx context.Context, changed func(string)) error {
		return w.WatchContext(ctx, func() { changed("context") })
	})
}

// follow keeps the lists current while something changes.
func (c *session) follow(ctx context.Context, watch func(context.Context, func(part string)) error) {
	news, ended := make(chan string, 1), make(chan struct{})
	go func() {
		defer close(ended)
		// What cannot be watched is looked at when the client asks.
		_ = watch(ctx, func(part string) {
			select {
			case news <- part:
			case <-ended:
			case <-ctx.Done():
			}
		})
	}()
	parts := map[string]bool{}
	var due <-chan time.Time
	for {
		select {
		case <-ended:
			return
		case part := <-news:
			parts[part] = true
			if due == nil {
				due = time.After(gatherNews)
			}
		case <-due:
			c.refresh(parts["rules"] || parts["skills"], parts["strategies"] || parts["context"])
			clear(parts)
			due = nil
		}
	}
}

// refresh makes the lists again that the client has asked for; the SDK tells it
// what is new.
func (c *session) refresh(rules, prompts bool) {
	ctx, stop := context.WithTimeout(c.ctx, 30*time.Second)
	defer stop()
	if rules && c.asked(c.hasResources) {
		if err := c.updateResources(ctx); err != nil {
			c.parent.options.Logger.Warn("mcp: the rules were not read again", "error", err)
		}
	}
	if prompts && c.asked(c.hasPrompts) {
		if err := c.updatePrompts(ctx); err != nil {
			c.parent.options.Logger.Warn("mcp: the prompts were not made again", "error", err)
		}
	}
}

func (c *session) asked(has func() bool) bool {
	c.listing.Lock()
	defer c.listing.Unlock()
	return has()
}
