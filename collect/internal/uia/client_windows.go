package uia

import (
	"context"
	"sync"

	"github.com/pertain-dev/pertain/collect/internal/com"
)

// Client has UI Automation, opened when it is first needed and kept.
type Client struct {
	create  func() (*com.Object, error) // called in the apartment
	opening chan struct{}               // holds one value while somebody opens it

	mu   sync.Mutex
	made *Automation
}

// NewClient opens nothing yet. create makes the object of UI Automation; nil:
// Windows does.
func NewClient(create func() (*com.Object, error)) *Client {
	if create == nil {
		create = createAutomation
	}
	return &Client{create: create, opening: make(chan struct{}, 1)}
}

// Close lets UI Automation go; open makes another.
func (c *Client) Close() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.made = nil
}

// Open is UI Automation, opened when it is first needed.
func (c *Client) Open(ctx context.Context) (*Automation, error) {
	select { // one at a time: the first calls set the library up
	case c.opening <- struct{}{}:
		defer func() { <-c.opening }()
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	c.mu.Lock()
	known := c.made
	c.mu.Unlock()
	if known != nil {
		return known, nil
	}
	made, err := com.Await(ctx, func() (*Automation, error) {
		core, err := c.create()
		if err != nil {
			return nil, err
		}
		if core == nil {
			return nil, errNoObject
		}
		return newAutomation(core)
	}, nil)
	if err != nil {
		return nil, err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.made = made
	return made, nil
}
