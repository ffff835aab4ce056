package httpapi

import (
	"context"
	"encoding/json"
	"net/http"
	"unicode/utf8"

	"github.com/pertain-dev/pertain"
	"github.com/pertain-dev/pertain/cond"
	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/facts"
	"github.com/pertain-dev/pertain/internal/jsonscan"
)

type matchQuery struct {
	All bool `json:"all,omitempty" jsonschema:"also what is not recommended"`
}

// given is the context that a client sends, or what it lays over the live one.
type given struct {
	Context   json.RawMessage `json:"context,omitempty" jsonschema:"a whole context instead of the live one: an object"`
	Text      *string         `json:"text,omitempty" jsonschema:"attached text"`
	Selection *string         `json:"selection,omitempty" jsonschema:"selected text"`
}

type matchInput struct {
	matchQuery
	given
}

// scan fills the input from JSON quickly; false leaves whatever is not quite
// right to the slow way, which has the words for it.
func (in *matchInput) scan(r *jsonscan.Reader) bool {
	optional := func(to **string) bool {
		if r.Null() {
			return true
		}
		text, ok := r.String()
		*to = &text
		return ok
	}
	var all, text, selection, context bool // was given
	first := func(given *bool) bool {
		again := *given
		*given = true
		return !again
	}
	return r.Object(func(key string) (ok bool) {
		switch key {
		case "all":
			in.All, ok = r.Bool()
			ok = first(&all) && ok
		case "text":
			ok = first(&text) && optional(&in.Text)
		case "selection":
			ok = first(&selection) && optional(&in.Selection)
		case "context":
			var raw string
			raw, ok = r.Raw()
			ok = first(&context) && ok
			in.Context = json.RawMessage(raw)
		}
		return ok
	})
}

// matchAnswer is a match and the reasons of what is recommended.
type matchAnswer struct{ pertain.Match }

// MarshalJSON writes the form of [matchForm].
func (a matchAnswer) MarshalJSON() ([]byte, error) { return a.AppendJSON(nil) }

// AppendJSON appends the form of [matchForm].
func (a matchAnswer) AppendJSON(b []byte) ([]byte, error) {
	b, err := a.Match.AppendJSON(b)
	if err != nil {
		return b, err
	}
	b = append(b[:len(b)-1], `,"reasons":{`...) // in place of the brace
	first := true
	for _, c := range a.Candidates {
		if c.Result != cond.True { // why not is told by explain
			continue
		}
		if !first {
			b = append(b, ',')
		}
		first = false
		b = append(appendText(b, c.Strategy.ID), ':', '[')
		for i, reason := range c.Reasons {
			if i > 0 {
				b = append(b, ',')
			}
			b = appendText(b, reason)
		}
		b = append(b, ']')
	}
	return append(b, "}}"...), nil
}

// appendText appends a JSON string.
func appendText(b []byte, text string) []byte {
	for i := range len(text) {
		switch c := text[i]; {
		case c < ' ', c >= utf8.RuneSelf, c == '"', c == '\\', c == '<', c == '>', c == '&':
			quoted, _ := json.Marshal(text) // strings always marshal
			return append(b, quoted...)
		}
	}
	b = append(b, '"')
	b = append(b, text...)
	return append(b, '"')
}

func (s *Server) matchNow(ctx context.Context, in matchQuery) (matchAnswer, error) {
	return s.match(ctx, in.All, given{})
}

func (s *Server) matchGiven(ctx context.Context, in matchInput) (matchAnswer, error) {
	return s.match(ctx, in.All, in.given)
}

func (s *Server) match(ctx context.Context, all bool, g given) (matchAnswer, error) {
	snapshot, gathered, err := s.situation(ctx, g)
	if err != nil {
		return matchAnswer{}, err
	}
	m, err := s.workspace.Engine().Match(ctx, snapshot, pertain.MatchOptions{All: all, Reasons: true})
	if err != nil {
		return matchAnswer{}, err
	}
	s.metrics.matches.Add(1)
	if len(m.Notices) > 0 {
		s.metrics.slow.Add(1)
	}
	m.Diagnostics = append(m.Diagnostics, gathered...)
	return matchAnswer{m}, nil
}

// situation is the context of a request.
func (s *Server) situation(ctx context.Context, g given) (*facts.Snapshot, diag.List, error) {
	var snapshot *facts.Snapshot
	var gathered diag.List
	var err error
	if len(g.Context) > 0 && string(g.Context) != "null" {
		if snapshot, err = s.decode(ctx, g.Context); err != nil {
			return nil, nil, err
		}
	} else if snapshot, gathered, err = s.workspace.Snapshot(ctx, ""); err != nil {
		return nil, nil, err
	}
	return g.lay(snapshot), gathered, nil
}

// lay puts the attached texts over a context.
func (g given) lay(snapshot *facts.Snapshot) *facts.Snapshot {
	if g.Text != nil {
		snapshot = snapshot.With("attachments.text", facts.Text(*g.Text))
	}
	if g.Selection != nil {
		snapshot = snapshot.With("attachments.selection.text", facts.Text(*g.Selection))
	}
	return snapshot
}

// decode reads a context; the message says what is wrong, never what is in it.
func (s *Server) decode(ctx context.Context, data []byte) (*facts.Snapshot, error) {
	if err := takeYAML(ctx, data); err != nil {
		return nil, err
	}
	snapshot, err := s.workspace.Decode(data)
	if err != nil {
		return nil, fail(http.StatusBadRequest, "bad_context", "%s", err)
	}
	return snapshot, nil
}

func orEmpty[T any](list []T) []T {
	if list == nil {
		return []T{}
	}
	return list
}
