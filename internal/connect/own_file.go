package connect

import (
	"errors"
	"fmt"
	"strings"
)

// ownFile is a file that is ours alone.
type ownFile struct {
	text func(c Caller) string
	mark string // that tells it from one of somebody else
	// server: it names our MCP server; otherwise it calls a hook.
	server bool
}

func (ownFile) whole() bool { return true }

func (e ownFile) with(text string, c Caller) (string, []splice, error) {
	want := e.text(c)
	if text == want {
		return text, nil, nil
	}
	if text != "" && !strings.Contains(text, e.mark) {
		if e.server {
			return "", nil, errors.New("it is not one that `pertain setup` wrote; move it away, or name the server `pertain mcp` in it")
		}
		return "", nil, fmt.Errorf("it is not one that `pertain setup` wrote; move it away, or call %s from it", c.hook(""))
	}
	return want, []splice{{0, text, want}}, nil
}

func (e ownFile) without(text string, c Caller, kept []string) (string, bool, error) {
	switch {
	case len(kept) > 0:
	case text == e.text(c), text != "" && strings.Contains(text, e.mark):
		return "", true, nil
	}
	return text, false, nil
}

func (e ownFile) has(text string, c Caller) []string {
	if text == e.text(c) || strings.Contains(text, e.mark) {
		return []string{e.mark}
	}
	return nil
}
