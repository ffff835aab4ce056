package plan

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/strategy"
)

// Plan is everything that one send of a strategy needs. It is a value: stored
// as JSON and read again, it is the same, and nothing is run a second time.
type Plan struct {
	ID           string
	Prompt       string
	SystemPrompt string              // empty: the assistant's own
	Tools        []strategy.ToolRule // in file order; nil: the strategy has no rules
	Variables    []string            // names that preprocessors set, in the order they were set
	Permissions  []string            // what was read and is allowed, in plain sentences
	Diagnostics  diag.List

	stored []storedDiagnostic // what a plan that was read had among its diagnostics
}

// planJSON is the documented form (docs/reference/json.md).
type planJSON struct {
	ID           string          `json:"id"`
	Prompt       *string         `json:"prompt"`
	SystemPrompt *string         `json:"systemPrompt"`
	Tools        json.RawMessage `json:"tools"`
	Variables    []string        `json:"variables"`
	Permissions  []string        `json:"permissions"`
	Diagnostics  json.RawMessage `json:"diagnostics"`
}

// MarshalJSON writes the documented form.
func (p Plan) MarshalJSON() ([]byte, error) {
	w := planJSON{
		ID: p.ID, Prompt: &p.Prompt, Variables: orEmpty(p.Variables), Permissions: orEmpty(p.Permissions),
	}
	if p.SystemPrompt != "" {
		w.SystemPrompt = &p.SystemPrompt
	}
	var err error
	if w.Tools, err = marshalTools(p.Tools); err != nil {
		return nil, err
	}
	if w.Diagnostics, err = marshalDiagnostics(p.Diagnostics, p.stored); err != nil {
		return nil, err
	}
	return marshal(w)
}

// marshalTools keeps the order, which decides ties.
func marshalTools(rules []strategy.ToolRule) (json.RawMessage, error) {
	if rules == nil {
		return json.RawMessage("null"), nil
	}
	var b bytes.Buffer
	b.WriteByte('{')
	for i, rule := range rules {
		if i > 0 {
			b.WriteByte(',')
		}
		key, err := marshal(rule.Pattern)
		if err != nil {
			return nil, err
		}
		fmt.Fprintf(&b, "%s:%t", key, rule.Allow)
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}

// marshal leaves <, > and & as they are: prompts are full of them.
func marshal(v any) (json.RawMessage, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), nil
}

// ErrNoPlan says that JSON is not the form of a plan, or of one that failed.
var ErrNoPlan = errors.New("this is not a plan with a prompt, as `pertain run --json` writes it")

// UnmarshalJSON reads the documented form; fields it does not know are ignored.
func (p *Plan) UnmarshalJSON(data []byte) error {
	var w planJSON
	if err := json.Unmarshal(data, &w); err != nil || w.ID == "" || w.Prompt == nil {
		return ErrNoPlan
	}
	tools, err := unmarshalTools(w.Tools)
	if err != nil {
		return ErrNoPlan
	}
	stored, err := unmarshalDiagnostics(w.Diagnostics)
	if err != nil {
		return ErrNoPlan
	}
	*p = Plan{ID: w.ID, Prompt: *w.Prompt, Tools: tools, Variables: w.Variables, Permissions: w.Permissions, stored: stored}
	if w.SystemPrompt != nil {
		p.SystemPrompt = *w.SystemPrompt
	}
	for _, d := range stored {
		p.Diagnostics.Add(d.value)
	}
	return nil
}

func unmarshalTools(data json.RawMessage) ([]strategy.ToolRule, error) {
	dec := json.NewDecoder(bytes.NewReader(data))
	token, err := dec.Token()
	if len(data) == 0 || err == nil && token == nil {
		return nil, nil
	}
	if token != json.Delim('{') {
		return nil, ErrNoPlan
	}
	rules := []strategy.ToolRule{}
	for dec.More() {
		key, err := dec.Token()
		if err != nil {
			return nil, err
		}
		var rule strategy.ToolRule
		rule.Pattern, _ = key.(string)
		if err := dec.Decode(&rule.Allow); err != nil {
			return nil, err
		}
		rules = append(rules, rule)
	}
	return rules, nil
}

func orEmpty(list []string) []string {
	if list == nil {
		return []string{}
	}
	return list
}
