package ask_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/pertain-dev/pertain/internal/ask"
	"github.com/pertain-dev/pertain/internal/settings"
)

func TestConfigured(t *testing.T) {
	for _, c := range []struct {
		set       settings.Ask
		url, keys string
	}{
		{settings.Ask{Upstream: "anthropic"}, "https://api.anthropic.com", "ANTHROPIC_API_KEY"},
		{settings.Ask{Upstream: "openai"}, "https://api.openai.com/v1", "OPENAI_API_KEY"},
		{settings.Ask{Upstream: "ollama"}, "http://127.0.0.1:11434/v1", ""},
		{settings.Ask{Upstream: "ollama", URL: "http://localhost:1"}, "http://localhost:1/v1", ""},
		{settings.Ask{Upstream: "openai", URL: "https://openrouter.ai/api/v1/", KeyVariable: "OPENROUTER_KEY"}, "https://openrouter.ai/api/v1", "OPENROUTER_KEY"},
		// A key that is meant for the provider goes to nobody else by itself.
		{settings.Ask{Upstream: "openai", URL: "https://example.org"}, "https://example.org/v1", ""},
		{settings.Ask{Upstream: "anthropic", URL: "https://example.org/"}, "https://example.org", ""},
		{settings.Ask{Upstream: "anthropic", URL: "http://[::1]:80/x"}, "http://[::1]:80/x", ""},
	} {
		c.set.MaxTokens = 1
		u, err := ask.Configured(c.set)
		if err != nil || u.URL.String() != c.url || u.KeyVariable != c.keys {
			t.Errorf("%+v: %v %s, %v", c.set, u.URL, u.KeyVariable, err)
		}
	}
}

func TestMisconfigured(t *testing.T) {
	if _, err := ask.Configured(settings.Default().Ask); !errors.Is(err, ask.ErrNone) {
		t.Error(err)
	}
	for want, set := range map[string]settings.Ask{
		"must begin with https":        {Upstream: "openai", URL: "http://example.org/v1", MaxTokens: 1},
		"must have no user":            {Upstream: "openai", URL: "https://sk-secret@example.org/v1", MaxTokens: 1},
		"no question mark":             {Upstream: "openai", URL: "https://example.org/v1?key=sk-secret", MaxTokens: 1},
		"ask.url is no address":        {Upstream: "openai", URL: "sk-secret", MaxTokens: 1},
		"is no address":                {Upstream: "openai", URL: "file:///etc/sk-secret", MaxTokens: 1},
		"no name of an environment":    {Upstream: "openai", KeyVariable: "sk-secret", MaxTokens: 1},
		"the key itself does not":      {Upstream: "openai", KeyVariable: "sk-secret", MaxTokens: 1},
		"ask.maxTokens must be at lea": {Upstream: "anthropic"},
	} {
		_, err := ask.Configured(set)
		if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "sk-secret") {
			t.Errorf("%+v: %v", set, err)
		}
	}
}
