package mcpserver

import (
	"context"
	"fmt"
	"hash/maphash"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/pertain-dev/pertain/internal/follow"
	"github.com/pertain-dev/pertain/rule"
	"github.com/pertain-dev/pertain/skill"
)

// maxSubscriptions is how many resources a client may follow.
const maxSubscriptions = 1000

// subscription is a resource that the client wants to hear of, listed or not.
type subscription struct {
	text  uint64   // hash of what can be read there; 0: nothing
	files []string // that it was last read from
}

var textSeed = maphash.MakeSeed()

// subscribe refuses what does not exist, so that a client cannot pile up
// addresses.
func (c *session) subscribe(ctx context.Context, req *mcp.SubscribeRequest) error {
	uri := req.Params.URI
	now, err := c.lookAt(ctx, newShelf(c, uri), uri)
	if err != nil {
		return err
	}
	c.listing.Lock()
	defer c.listing.Unlock()
	if c.subscribed[uri] == nil && len(c.subscribed) >= maxSubscriptions {
		return &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: fmt.Sprintf("a client can subscribe to %d resources", maxSubscriptions)}
	}
	if c.subscribed == nil {
		c.subscribed = map[string]*subscription{}
	}
	c.subscribed[uri] = &now
	c.watchSubscribed()
	return nil
}

func (c *session) unsubscribe(_ context.Context, req *mcp.UnsubscribeRequest) error {
	c.listing.Lock()
	defer c.listing.Unlock()
	delete(c.subscribed, req.Params.URI)
	c.watchSubscribed()
	return nil
}

// lookAt reads what an address leads to now.
func (c *session) lookAt(ctx context.Context, rules *shelf, uri string) (subscription, error) {
	switch own := ownScheme(uri); {
	case strings.HasPrefix(own, rule.Scheme):
		r, err := rules.rule(ctx, uri)
		if err != nil {
			return subscription{}, err
		}
		return subscription{maphash.String(textSeed, r.Content) | 1, append([]string{r.Path}, r.Includes...)}, nil
	case strings.HasPrefix(own, skill.Scheme):
		found, err := c.skillFile(ctx, uri)
		if err != nil {
			return subscription{}, err
		}
		return subscription{maphash.Bytes(textSeed, found.Data) | 1, []string{found.File}}, nil
	}
	return subscription{}, notFound(uri, errScheme)
}

// tellSubscribers tells of texts that are others now, and of those that are gone
// or there again; listing is held.
func (c *session) tellSubscribers(ctx context.Context) error {
	rules := newShelf(c, slices.Collect(maps.Keys(c.subscribed))...)
	for uri, known := range c.subscribed {
		now, err := c.lookAt(ctx, rules, uri)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil {
			now = subscription{files: known.files} // where it may come back
		}
		told := now.text == known.text
		*known = now
		if told {
			continue
		}
		if err := c.server.ResourceUpdated(ctx, &mcp.ResourceUpdatedNotificationParams{URI: uri}); err != nil {
			return err
		}
	}
	c.watchSubscribed()
	return nil
}

// watchSubscribed watches the files of subscriptions themselves: workspaces watch
// where rules for everything are, and one of a nested folder may be subscribed to.
// listing is held.
func (c *session) watchSubscribed() {
	var roots []string
	for _, s := range c.subscribed {
		roots = append(roots, s.files...)
	}
	slices.Sort(roots)
	roots = slices.Compact(roots)
	if slices.Equal(roots, c.watchedFiles) {
		return
	}
	if c.unwatch != nil {
		c.unwatch()
		c.unwatch = nil
	}
	c.watchedFiles = roots
	if len(roots) == 0 {
		return
	}
	ctx, stop := context.WithCancel(c.ctx)
	c.unwatch = stop
	go c.follow(ctx, func(ctx context.Context, changed func(string)) error {
		return follow.Changes(ctx, follow.Options{}, func(ctx context.Context) (time.Duration, error) {
			follow.Note(ctx, roots...)
			changed("rules") // the first time too: what happened before is not told otherwise
			return 0, nil
		})
	})
}
