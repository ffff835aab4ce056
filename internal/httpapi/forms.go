package httpapi

import (
	"encoding/json"
	"reflect"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/pertain-dev/pertain"
	"github.com/pertain-dev/pertain/cond"
	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/facts"
	"github.com/pertain-dev/pertain/rule"
)

// The forms below describe types that write their JSON themselves. They are
// never filled; a test holds every answer against them.

type diagnosticForm struct {
	Severity   string        `json:"severity" jsonschema:"error, warning or info"`
	Code       string        `json:"code" jsonschema:"see docs/diagnostics.md"`
	Message    string        `json:"message" jsonschema:"what is wrong and what would be right"`
	Hint       string        `json:"hint,omitempty" jsonschema:"what would be right, alone"`
	Strategy   string        `json:"strategy,omitempty"`
	File       string        `json:"file,omitempty"`
	Line       int           `json:"line,omitempty" jsonschema:"from 1"`
	Column     int           `json:"column,omitempty" jsonschema:"in characters, from 1"`
	EndLine    int           `json:"endLine,omitempty"`
	EndColumn  int           `json:"endColumn,omitempty"`
	Path       string        `json:"path,omitempty" jsonschema:"context path"`
	Provider   string        `json:"provider,omitempty"`
	DurationMS float64       `json:"durationMs,omitempty"`
	Related    []relatedForm `json:"related,omitempty"`
}

type relatedForm struct {
	File    string `json:"file,omitempty"`
	Line    int    `json:"line,omitempty"`
	Column  int    `json:"column,omitempty"`
	Message string `json:"message"`
}

type candidateForm struct {
	ID          string    `json:"id"`
	Name        string    `json:"name"`
	Title       *string   `json:"title" jsonschema:"what to show instead of the name, in the language of environment.locale"`
	Description *string   `json:"description"`
	Icon        *string   `json:"icon" jsonschema:"Lucide name"`
	Priority    int       `json:"priority"`
	Provider    string    `json:"provider"`
	Source      string    `json:"source" jsonschema:"file"`
	Includes    []string  `json:"includes"`
	Enabled     bool      `json:"enabled"`
	Valid       bool      `json:"valid"`
	Trusted     bool      `json:"trusted"`
	Result      cond.Tri  `json:"result" jsonschema:"null: it could not be decided"`
	DurationMS  float64   `json:"durationMs"`
	Reads       []string  `json:"reads"`
	Permissions []string  `json:"permissions"`
	Diagnostics diag.List `json:"diagnostics"`
}

// matchForm has the fields of [pertain.Match], and the reasons.
type matchForm struct {
	Candidates  []pertain.Candidate `json:"candidates"`
	Diagnostics diag.List           `json:"diagnostics"`
	Notices     []pertain.Notice    `json:"notices"`
	Reasons     map[string][]string `json:"reasons" jsonschema:"by id: the parts of the context that settled the result"`
}

type explanationForm struct {
	candidateForm
	Tree traceOrNull `json:"tree" jsonschema:"null: the strategy is not valid"`
}

type traceForm struct {
	Kind       string     `json:"kind" jsonschema:"all, any, none, path, operator, item, visual or const"`
	Label      string     `json:"label"`
	Result     cond.Tri   `json:"result"`
	Reason     string     `json:"reason,omitempty"`
	DurationMS float64    `json:"durationMs"`
	Line       int        `json:"line,omitempty"`
	Column     int        `json:"column,omitempty"`
	File       string     `json:"file,omitempty"`
	Value      any        `json:"value,omitempty" jsonschema:"only where values were asked for; a long one is cut to its beginning"`
	Truncated  bool       `json:"valueTruncated,omitempty" jsonschema:"the value is not all of it; without a value, there was no room for any"`
	NotListed  int        `json:"notListed,omitempty" jsonschema:"how many children there are beside these"`
	Children   []traceRef `json:"children"`
}

// traceRef stands for a trace within a trace, traceOrNull for one that may be
// missing.
type (
	traceRef    struct{}
	traceOrNull struct{}
)

type ruleForm struct {
	Name        string   `json:"name"`
	Path        string   `json:"path"`
	Provider    string   `json:"provider"`
	Level       string   `json:"level" jsonschema:"project or user"`
	Description any      `json:"description"`
	Globs       any      `json:"globs"`
	AlwaysApply any      `json:"alwaysApply"`
	TTSRTrigger any      `json:"ttsrTrigger"`
	Triggers    []string `json:"triggers"`
	Bucket      string   `json:"bucket" jsonschema:"rulebook, ttsr, always or none"`
	Shadowed    bool     `json:"shadowed"`
	ShadowedBy  *string  `json:"shadowedBy" jsonschema:"file of the rule that won"`

	InterruptMode string `json:"interruptMode,omitempty" jsonschema:"where its triggers interrupt, if the rule says so: always, prose-only, tool-only or never"`
	Enabled       *bool  `json:"enabled,omitempty" jsonschema:"false: the rule is switched off, and never used"`

	Agents []string `json:"agents,omitempty" jsonschema:"agents that load this file themselves; not there where nobody asked"`
	When   string   `json:"when,omitempty" jsonschema:"of one agent: start, touch, listed, trigger or never"`
}

type verdictForm struct {
	Name     string   `json:"name"`
	Provider string   `json:"provider"`
	Applies  bool     `json:"applies"`
	Why      rule.Why `json:"why"`
	Glob     string   `json:"glob,omitempty" jsonschema:"the pattern that matches"`
	Note     string   `json:"note,omitempty"`
	Path     string   `json:"path" jsonschema:"file of the rule"`
	When     string   `json:"when,omitempty" jsonschema:"of one agent: start, touch, listed, trigger or never"`
}

type executionForm struct {
	ID           string           `json:"id"`
	Prompt       *string          `json:"prompt" jsonschema:"null: there is none; reason says why"`
	SystemPrompt *string          `json:"systemPrompt"`
	Tools        *map[string]bool `json:"tools" jsonschema:"patterns of tool names, in the order that decides ties; null: no rules"`
	Variables    []string         `json:"variables"`
	Permissions  []string         `json:"permissions"`
	Reason       string           `json:"reason,omitempty"`
	Diagnostics  diag.List        `json:"diagnostics"`
}

// component is a schema that others refer to by its name.
type component struct {
	name string
	form reflect.Type
	of   []reflect.Type // types that it describes
}

func components() []component {
	return []component{
		{"Candidate", reflect.TypeFor[candidateForm](), []reflect.Type{reflect.TypeFor[pertain.Candidate]()}},
		{"Diagnostic", reflect.TypeFor[diagnosticForm](), []reflect.Type{reflect.TypeFor[diag.Diagnostic]()}},
		{"Error", reflect.TypeFor[problemJSON](), nil},
		{"Execution", reflect.TypeFor[executionForm](), []reflect.Type{reflect.TypeFor[pertain.Execution]()}},
		{"Explanation", reflect.TypeFor[explanationForm](), []reflect.Type{reflect.TypeFor[pertain.Explanation]()}},
		{"Match", reflect.TypeFor[matchForm](), []reflect.Type{reflect.TypeFor[matchAnswer]()}},
		{"Rule", reflect.TypeFor[ruleForm](), []reflect.Type{reflect.TypeFor[rule.Rule]()}},
		{"RuleVerdict", reflect.TypeFor[verdictForm](), []reflect.Type{reflect.TypeFor[rule.Verdict]()}},
		{"Trace", reflect.TypeFor[traceForm](), []reflect.Type{reflect.TypeFor[traceRef]()}},
	}
}

// componentPrefix is where components are in an OpenAPI document.
const componentPrefix = "#/components/schemas/"

// knownSchemas are those of the types that write their JSON themselves.
func knownSchemas() map[reflect.Type]*jsonschema.Schema {
	out := map[reflect.Type]*jsonschema.Schema{
		reflect.TypeFor[cond.Tri]():        {Types: []string{"boolean", "null"}},
		reflect.TypeFor[diag.List]():       {Type: "array", Items: &jsonschema.Schema{Ref: componentPrefix + "Diagnostic"}},
		reflect.TypeFor[facts.Value]():     {},
		reflect.TypeFor[json.RawMessage](): {Types: []string{"object", "null"}},
		reflect.TypeFor[traceOrNull]():     {AnyOf: []*jsonschema.Schema{{Ref: componentPrefix + "Trace"}, {Type: "null"}}},
	}
	for _, c := range components() {
		for _, t := range c.of {
			out[t] = &jsonschema.Schema{Ref: componentPrefix + c.name}
		}
	}
	return out
}
