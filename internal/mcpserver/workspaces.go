package mcpserver

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// errClosed is for requests that arrive while the session ends.
var errClosed = errors.New("the session has ended")

// A client that did not name its roots is asked again after a while, then after
// twice as long.
const (
	firstGap = 10 * time.Second
	lastGap  = 10 * time.Minute
)

// workspaces are those of the client's roots, opened when they are first needed.
// Once the roots have changed, the old ones are not given out any more, whatever
// goes wrong with the new ones.
func (c *session) workspaces(ctx context.Context) ([]Workspace, error) {
	select {
	case c.opening <- struct{}{}:
		defer func() { <-c.opening }()
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	c.mu.Lock()
	spaces, former, age, client := c.spaces, c.dirs, c.age, c.client
	current := len(spaces) > 0 && c.opened == age && (c.again.IsZero() || time.Now().Before(c.again))
	c.mu.Unlock()
	if current {
		return spaces, nil
	}
	dirs, unnamed := c.roots(ctx, client)
	if ctx.Err() != nil { // the request was taken back, which says nothing about the roots
		return nil, ctx.Err()
	}
	if unnamed != nil {
		c.parent.options.Logger.Warn("mcp: the client did not name its roots")
		if dirs = former; len(dirs) == 0 {
			dirs = []string{""}
		}
	}
	if len(spaces) == 0 || !slices.Equal(dirs, former) {
		var err error
		if spaces, err = c.open(dirs); err != nil {
			return nil, err
		}
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.opened = age // not the one of now: they may have changed again meanwhile
	if unnamed == nil {
		c.again, c.gap = time.Time{}, 0
	} else {
		c.gap = min(max(2*c.gap, firstGap), lastGap)
		c.again = time.Now().Add(c.gap)
	}
	return spaces, nil
}

// open makes workspaces of folders in place of those that were; opening is held.
func (c *session) open(dirs []string) ([]Workspace, error) {
	var opened []Workspace
	give := func(err error) ([]Workspace, error) {
		for _, w := range opened {
			w.Close()
		}
		return nil, err
	}
	for _, dir := range dirs {
		w, err := c.parent.options.Open(c.ctx, dir)
		if err != nil {
			return give(fmt.Errorf("the folder cannot be opened: %w", err))
		}
		opened = append(opened, w)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.drop()
	if c.ctx.Err() != nil {
		return give(errClosed)
	}
	c.spaces, c.dirs = opened, dirs
	c.watch, c.leave = context.WithCancel(c.ctx)
	for _, w := range opened {
		go c.follow(c.watch, w.Watch)
	}
	return opened, nil
}

// workspace is the one for strategies.
func (c *session) workspace(ctx context.Context) (Workspace, error) {
	spaces, err := c.workspaces(ctx)
	if err != nil {
		return nil, err
	}
	return spaces[0], nil
}

func (c *session) rootsChanged(context.Context, *mcp.RootsListChangedRequest) {
	c.mu.Lock()
	c.age++
	c.mu.Unlock()
	// Not in the handler: asking the client for its roots waits for an answer.
	go c.refresh(true, true)
}
