package cli

import (
	"fmt"
	"log/slog"
	"strings"
	"sync"

	"github.com/pertain-dev/pertain"
	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/gateway"
	"github.com/pertain-dev/pertain/internal/files"
	"github.com/pertain-dev/pertain/internal/settings"
	"github.com/pertain-dev/pertain/stream"
)

// gatewayConfig is what a gateway works with of the settings, as they are now. Where they have a mistake, those hold that
// were read last without one: a request must not go somewhere else because of a missing bracket.
type gatewayConfig struct {
	app    *app
	named  upstreams // by flags, or by the environment of an agent
	lent   upstreams // by a project that is not trusted, for a provider of its own; what the user sets wins, also later
	logger *slog.Logger

	mu     sync.Mutex
	set    settings.Gateway
	to     upstreams     // of set
	known  bool          // set was read without a mistake
	ttsr   settings.TTSR // from which policy was made; the zero value: it was not
	policy stream.Policy
	told   string // the mistake that was told last; "": none
	// next is closed when a reading has ended that has not begun yet; nil: nobody waits for one. busy says that readings go on.
	next chan struct{}
	busy bool
}

// openConfig reads the settings. With a mistake about where models are, and no other address, there is nowhere to send
// requests to.
func (a *app) openConfig(named, lent upstreams, logger *slog.Logger) (*gatewayConfig, error) {
	c := &gatewayConfig{app: a, named: named, lent: lent, logger: logger}
	problems, why := c.read()
	if why == "" { // of other parts, whose defaults hold
		for _, d := range problems {
			if d.Code != diag.StrategyUntrusted { // which was told
				logger.Warn("the settings file has a mistake", "message", d.Message)
			}
		}
	}
	some := named.anthropic.URL != nil || named.openai.URL != nil || named.gemini.URL != nil
	if !c.known && !some {
		return nil, usage("the settings do not say for sure where the models are: %s; mend that, or name an address with --anthropic, --openai or --gemini", why)
	}
	return c, nil
}

// read reads the settings again. It says why those hold that were known, or none; "": they do not.
func (c *gatewayConfig) read() (problems diag.List, why string) {
	values, problems, err := c.app.paths().Load(files.OS())
	c.mu.Lock()
	defer c.mu.Unlock()
	var to upstreams
	if err == nil && !values.Gateway.Broken {
		to, err = settingsUpstreams(values.Gateway)
	}
	switch {
	case err != nil:
		why = err.Error()
	case values.Gateway.Broken || values.TTSR.Broken:
		why = mistakes(problems)
	}
	if err == nil && !values.Gateway.Broken {
		c.set, c.to, c.known = values.Gateway, to, true
	}
	if err == nil && !values.TTSR.Broken && c.ttsr != values.TTSR { // mostly they are what they were, which takes no second look
		if policy, _, err := pertain.StreamPolicy(c.app.environment()); err == nil {
			c.policy, c.ttsr = policy, values.TTSR
		}
	}
	if why != c.told {
		c.told = why
		if why != "" {
			c.logger.Warn("the settings file has a mistake; what was known before holds", "message", why)
		} else {
			c.logger.Info("the settings file is right again")
		}
	}
	return problems, why
}

// renew waits for a reading that begins now or later. Requests that come at the same time share one. It is none of their
// goroutines that reads: what that takes of a stack, each would keep for as long as its answer streams.
func (c *gatewayConfig) renew() {
	c.mu.Lock()
	if c.next == nil {
		c.next = make(chan struct{})
	}
	next := c.next
	if !c.busy {
		c.busy = true
		go c.readings()
	}
	c.mu.Unlock()
	<-next
}

// readings reads for as long as somebody waits for a reading.
func (c *gatewayConfig) readings() {
	for {
		c.mu.Lock()
		next := c.next
		c.next, c.busy = nil, next != nil
		c.mu.Unlock()
		if next == nil {
			return
		}
		c.read()
		close(next)
	}
}

// mistakes are those of a settings file, in one line.
func mistakes(problems diag.List) string {
	var texts []string
	for _, d := range problems {
		if p, ok := d.Position(); ok {
			texts = append(texts, fmt.Sprintf("line %d: %s", p.Line, d.Message))
			continue
		}
		texts = append(texts, d.Message)
	}
	return strings.Join(texts, "; ")
}

// settings are those of now.
func (c *gatewayConfig) settings() gateway.Settings {
	c.renew()
	c.mu.Lock()
	defer c.mu.Unlock()
	pick := func(named, set, lent gateway.Upstream) gateway.Upstream {
		switch {
		case named.URL != nil:
			return named
		case set.URL != nil || !c.known: // what the settings say is not known, so that nobody knows that it is nothing
			return set
		}
		return lent
	}
	return gateway.Settings{
		Anthropic: pick(c.named.anthropic, c.to.anthropic, c.lent.anthropic), OpenAI: pick(c.named.openai, c.to.openai, c.lent.openai), Gemini: pick(c.named.gemini, c.to.gemini, c.lent.gemini),
		Uncertain: !c.known,
	}
}

// folder is that of a workspace; "" if there is none of this name.
func (c *gatewayConfig) folder(name string) string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.set.Workspaces[name]
}

// watches is how rules watch.
func (c *gatewayConfig) watches() stream.Policy {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.policy
}
