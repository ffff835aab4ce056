package ask

import (
	"errors"
	"fmt"
	"net/netip"
	"net/url"
	"strings"
	"time"

	"github.com/pertain-dev/pertain/gateway"
	"github.com/pertain-dev/pertain/internal/settings"
)

// The APIs that an upstream may speak, as the settings name them.
const (
	Anthropic = "anthropic"
	OpenAI    = "openai"
	Ollama    = "ollama"
)

// Upstream is a model, and where it is asked.
type Upstream struct {
	API         string
	URL         *url.URL // as SDKs of the providers take it: with the version where the API's is /v1, but for Anthropic
	Model       string
	KeyVariable string        // the environment variable that holds the key; "": none is sent
	MaxTokens   int           // of an answer, where the API must be told
	Silence     time.Duration // for which it may say nothing
}

// provider is what is known of an API.
type provider struct {
	url         string
	keyVariable string // that counts at this address
}

func providers(api string) (provider, bool) {
	switch api {
	case Anthropic:
		return provider{"https://api.anthropic.com", "ANTHROPIC_API_KEY"}, true
	case OpenAI:
		return provider{"https://api.openai.com/v1", "OPENAI_API_KEY"}, true
	case Ollama:
		return provider{"http://127.0.0.1:11434/v1", ""}, true
	}
	return provider{}, false
}

// ErrNone says that the settings name no upstream.
var ErrNone = errors.New("no model is set up to be asked; set ask.upstream and ask.model in the settings, see `pertain help ask`")

// Configured is the upstream that the settings name. What is wrong with them is told in
// words for the user.
func Configured(s settings.Ask) (Upstream, error) {
	known, ok := providers(s.Upstream)
	if !ok {
		return Upstream{}, ErrNone
	}
	u := Upstream{API: s.Upstream, Model: strings.TrimSpace(s.Model), KeyVariable: s.KeyVariable, MaxTokens: s.MaxTokens, Silence: s.Timeout}
	if s.URL == "" {
		s.URL = known.url
		if u.KeyVariable == "" {
			u.KeyVariable = known.keyVariable
		}
	}
	if u.KeyVariable != "" && !isVariable(u.KeyVariable) {
		// It is not repeated: it may be the key itself.
		return Upstream{}, errors.New("the setting ask.keyVariable is no name of an environment variable, such as ANTHROPIC_API_KEY; the key itself does not belong into the settings")
	}
	if u.MaxTokens < 1 {
		return Upstream{}, errors.New("the setting ask.maxTokens must be at least 1")
	}
	var err error
	if u.URL, err = address(s.URL); err != nil {
		return Upstream{}, err
	}
	if path := strings.TrimRight(u.URL.Path, "/"); path == "" && u.API != Anthropic {
		u.URL.Path = "/v1"
	} else {
		u.URL.Path, u.URL.RawPath = path, ""
	}
	return u, nil
}

// address reads the setting ask.url. It is not repeated where it may hold a secret.
func address(text string) (*url.URL, error) {
	u, err := url.Parse(strings.TrimSpace(text))
	switch {
	case err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Hostname() == "":
		return nil, errors.New("the setting ask.url is no address; write such as https://host/v1")
	case u.User != nil || u.RawQuery != "" || u.Fragment != "":
		return nil, errors.New("the setting ask.url must have no user, no question mark and no #; the key is taken from the environment variable that ask.keyVariable names")
	case u.Scheme == "http" && !onThisMachine(u.Hostname()):
		return nil, fmt.Errorf("the setting ask.url must begin with https: what is sent to %s could be read on the way", u.Hostname())
	}
	return u, nil
}

// onThisMachine tells the names of the loopback.
func onThisMachine(host string) bool {
	if strings.EqualFold(host, "localhost") {
		return true
	}
	ip, err := netip.ParseAddr(host)
	return err == nil && ip.IsLoopback()
}

func isVariable(name string) bool {
	for i, r := range name {
		if r != '_' && (r < 'A' || r > 'Z') && (r < 'a' || r > 'z') && (i == 0 || r < '0' || r > '9') {
			return false
		}
	}
	return name != "" && len(name) <= 128
}

// Name is the upstream in one word for people: the API and the host.
func (u Upstream) Name() string { return u.API + " at " + u.URL.Host }

// identity is what the user agrees to: who gets it, and which key.
func (u Upstream) identity() string { return u.API + " " + u.URL.String() + " " + u.KeyVariable }

// settings lead the gateway there.
func (u Upstream) settings() gateway.Settings {
	if u.API == Anthropic {
		return gateway.Settings{Anthropic: gateway.Upstream{URL: u.URL}}
	}
	return gateway.Settings{OpenAI: gateway.Upstream{URL: u.URL, Without: "/v1"}}
}
