package cli

import (
	"time"

	"github.com/pertain-dev/pertain"
	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/plan"
	"github.com/pertain-dev/pertain/strategy"
)

// servicePlan is a plan on its way, or why there is none. Texts are bytes: JSON would
// change what is not UTF-8.
type servicePlan struct {
	Reason       string              `json:"reason,omitempty"` // why there is none
	Plan         bool                `json:"plan,omitempty"`   // there is one
	ID           string              `json:"id,omitempty"`
	Prompt       []byte              `json:"prompt,omitempty"`
	SystemPrompt []byte              `json:"systemPrompt,omitempty"`
	Tools        []strategy.ToolRule `json:"tools"`
	Variables    []string            `json:"variables"`
	Permissions  []string            `json:"permissions"`
	Diagnostics  []serviceDiagnostic `json:"diagnostics"`
}

// serviceDiagnostic is a diagnostic with the text that it points into.
type serviceDiagnostic struct {
	Severity diag.Severity    `json:"severity"`
	Code     diag.Code        `json:"code"`
	Message  string           `json:"message"`
	Hint     string           `json:"hint,omitempty"`
	At       serviceLocation  `json:"at"`
	Strategy string           `json:"strategy,omitempty"`
	Path     string           `json:"path,omitempty"`
	Provider string           `json:"provider,omitempty"`
	Duration time.Duration    `json:"duration,omitempty"`
	Related  []serviceRelated `json:"related,omitempty"`
}

type serviceRelated struct {
	At      serviceLocation `json:"at"`
	Message string          `json:"message"`
}

// serviceLocation is a span of a source; nil: of none.
type serviceLocation struct {
	Source *serviceSource `json:"source,omitempty"`
	Span   diag.Span      `json:"span"`
}

type serviceSource struct {
	Name string `json:"name"`
	Text []byte `json:"text"`
}

func servicePlanOf(x pertain.Execution) servicePlan {
	if x.Plan == nil {
		return servicePlan{Reason: x.Reason}
	}
	p := x.Plan
	sent := servicePlan{
		Plan: true, ID: p.ID, Prompt: []byte(p.Prompt), SystemPrompt: []byte(p.SystemPrompt), Tools: p.Tools, Variables: p.Variables, Permissions: p.Permissions,
	}
	for _, d := range p.Diagnostics {
		one := serviceDiagnostic{
			Severity: d.Severity, Code: d.Code, Message: d.Message, Hint: d.Hint, At: locationOf(d.Source, d.Span),
			Strategy: d.Strategy, Path: d.Path, Provider: d.Provider, Duration: d.Duration,
		}
		for _, r := range d.Related {
			one.Related = append(one.Related, serviceRelated{locationOf(r.Source, r.Span), r.Message})
		}
		sent.Diagnostics = append(sent.Diagnostics, one)
	}
	return sent
}

func (f servicePlan) execution(id string) pertain.Execution {
	x := pertain.Execution{Strategy: &strategy.Strategy{ID: id}, Reason: f.Reason}
	if !f.Plan {
		return x
	}
	x.Plan = &plan.Plan{
		ID: f.ID, Prompt: string(f.Prompt), SystemPrompt: string(f.SystemPrompt), Tools: f.Tools, Variables: f.Variables, Permissions: f.Permissions,
	}
	for _, d := range f.Diagnostics {
		one := diag.Diagnostic{
			Severity: d.Severity, Code: d.Code, Message: d.Message, Hint: d.Hint, Source: d.At.source(), Span: d.At.Span,
			Strategy: d.Strategy, Path: d.Path, Provider: d.Provider, Duration: d.Duration,
		}
		for _, r := range d.Related {
			one.Related = append(one.Related, diag.Related{Source: r.At.source(), Span: r.At.Span, Message: r.Message})
		}
		x.Plan.Diagnostics = append(x.Plan.Diagnostics, one)
	}
	return x
}

func locationOf(source *diag.Source, span diag.Span) serviceLocation {
	at := serviceLocation{Span: span}
	if source != nil {
		at.Source = &serviceSource{source.Name(), []byte(source.Text())}
	}
	return at
}

func (l serviceLocation) source() *diag.Source {
	if l.Source == nil {
		return nil
	}
	return diag.NewSource(l.Source.Name, string(l.Source.Text))
}
