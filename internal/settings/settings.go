package settings

import (
	"time"

	"github.com/pertain-dev/pertain/internal/glob"
)

// Settings is everything a user can set. [Default] is what holds without a file; the zero value is not.
type Settings struct {
	Disabled  []string // ids of strategies, as written
	Options   Options
	Assistant Assistant
	Private   Private
	TTSR      TTSR
	Journal   Journal
	Gateway   Gateway
	Fleet     Fleet
	Ask       Ask
}

// Options are the default time limits (docs/reference/strategies.md); a strategy may set its own.
type Options struct {
	MatchingTimeout    time.Duration // one strategy
	ConditionTimeout   time.Duration // one condition node
	RegexTimeout       time.Duration // one regex operation
	VisualQueryTimeout time.Duration // one visual query
	ExtraTimeout       time.Duration // one call of a collector
	MatchBudget        time.Duration // a whole match
}

// Assistant describes the assistant that prompts go to (docs/reference/paths.md). What is empty or nil is unknown, and so is the condition that
// asks for it.
type Assistant struct {
	ID    string
	Name  string
	Model Model
}

// Model is the assistant's language model.
type Model struct {
	ID               string
	Modalities       []string // nil: unknown; empty: none
	SupportsToolCall *bool    // nil: unknown
}

// Private is what is never read from the desktop, as globs compared without case.
type Private struct {
	Applications []string // names of programs and window classes
	Titles       []string // titles of windows
	Defaults     bool     // whether what is usually private is so, too
	Broken       bool     // what the file says of this cannot be read as it was meant: nothing of the desktop may be
}

// TTSR is how rules with a trigger watch a stream (docs/reference/triggers.md).
type TTSR struct {
	Enabled       bool
	ContextMode   string // `discard` or `keep`
	RepeatMode    string // `once` or `after-gap`
	RepeatGap     int    // turns
	InterruptMode string // `always`, `prose-only`, `tool-only` or `never`
	Budget        int    // interruptions for one user turn
	Broken        bool   // what the file says of this cannot be read as it was meant
}

// Journal is what is kept of what rules did (docs/reference/triggers.md).
type Journal struct {
	Enabled bool
}

// Gateway is where the models are that a gateway stands before (docs/reference/triggers.md). Empty addresses are the providers' own.
type Gateway struct {
	Anthropic  string
	OpenAI     string
	Gemini     string
	Workspaces map[string]string // folders by their names
	Broken     bool              // what the file says of this cannot be read as it was meant: an address may be missing
}

// Fleet is what many machines share (docs/fleet.md). Without an address there is none: nothing is dialled, nothing of it is read.
type Fleet struct {
	URL         []string // addresses of NATS servers of one cluster; empty: no fleet
	Namespace   string
	Credentials string   // file of a NATS user; may begin with `~/`
	CA          string   // file of certificates that the servers' are checked with; empty: the system's
	Keys        []string // public keys whose revisions are taken, in minisign's form
	SigningKey  string   // file of the user's own private key
	Member      string   // whose memory and journal this machine writes
	Journal     string   // `off`, `counts` or `entries`
}

// Enabled tells whether there is a fleet.
func (f *Fleet) Enabled() bool { return len(f.URL) > 0 }

// Ask is the model that `pertain ask` asks (docs/reference/ask.md). Without an upstream there is none.
type Ask struct {
	Upstream    string        // which API it speaks: `anthropic`, `openai` or `ollama`
	URL         string        // empty: the provider's own address
	Model       string        // by the upstream's name for it
	KeyVariable string        // the environment variable that holds the key; the key itself is never set here
	MaxTokens   int           // of an answer, where the API must be told
	Timeout     time.Duration // for which the upstream may be silent
}

// Disables tells whether the user has switched off the strategy. Ids are compared without case.
func (s *Settings) Disables(id string) bool {
	for _, d := range s.Disabled {
		if glob.EqualFold(d, id) {
			return true
		}
	}
	return false
}
