package plan

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/facts"
	"github.com/pertain-dev/pertain/internal/visible"
)

// Options say how a plan is built. The zero value is the default.
type Options struct {
	Timeout time.Duration // for each preprocessor; 0: 5 s
}

// DefaultTimeout is how long one preprocessor may take.
const DefaultTimeout = 5 * time.Second

// userRequest is the line before input that no placeholder took.
const userRequest = "<UserRequestStart>"

// Build runs the strategy's preprocessors in their order and renders its
// templates. The plan is nil if one of them fails, or if a prompt would have more
// than [MaxPrompt]: then the list ends with the reason, and there is no prompt. The error is for cancellation alone.
//
// The strategy must be one that may be run: valid, enabled and trusted. A nil
// registry is Pertain's own; a nil snapshot is one in which nothing is known.
func Build(ctx context.Context, registry *Registry, in Execution, options Options) (*Plan, diag.List, error) {
	if in.Snapshot == nil {
		in.Snapshot = facts.NewSnapshot(facts.Parts{})
	}
	if registry == nil {
		registry = Preprocessors()
	}
	b := builder{registry: registry, in: in, limit: options.Timeout}
	if b.limit <= 0 {
		b.limit = DefaultTimeout
	}
	ready, err := b.preprocess(ctx)
	if err != nil || !ready || b.hasNothing() || b.lacksSubject() {
		in.Strategy.Claim(b.list)
		return nil, b.list, err
	}
	p, err := b.render(ctx)
	in.Strategy.Claim(b.list)
	if p != nil {
		p.Diagnostics = b.list
	}
	return p, b.list, err
}

type builder struct {
	registry  *Registry
	in        Execution
	limit     time.Duration
	variables []Variable // in the order they were first set
	setBy     []string   // which preprocessor set each
	list      diag.List
	holes     map[string]bool  // paths without a value that were met
	wholes    map[string]place // where a template stands, which is looked for once
}

// preprocess runs the preprocessors; false means that one failed.
func (b *builder) preprocess(ctx context.Context) (bool, error) {
	for _, id := range b.in.Strategy.Preprocessors {
		if err := ctx.Err(); err != nil {
			return false, err
		}
		i := b.registry.index(id)
		if i < 0 {
			d := b.about(diag.PreprocessorNotFound, "there is no preprocessor `"+id+"`")
			d.Hint = diag.DidYouMean(id, b.registry.IDs())
			b.list.Add(d)
			return false, nil
		}
		start := time.Now()
		found, err := b.registry.preprocessors[i].call(ctx, b.in, b.limit)
		if ctx.Err() != nil {
			return false, ctx.Err()
		}
		if err != nil {
			b.fail(id, err, time.Since(start))
			return false, nil
		}
		for _, v := range found {
			if !isVariable(v.Name) {
				b.fail(id, &Failure{Reason: "it set something else than a variable below `preprocess`"}, 0)
				return false, nil
			}
			b.set(id, v)
		}
	}
	return true, nil
}

func isVariable(name string) bool {
	got, end := placeholder(name+"}", 0)
	return got == name && end == len(name) && strings.HasPrefix(name, variableRoot+".")
}

// set merges a variable; one that is set again is replaced, and that is told.
func (b *builder) set(id string, v Variable) {
	at := slices.IndexFunc(b.variables, func(known Variable) bool { return known.Name == v.Name })
	if at < 0 {
		b.variables, b.setBy = append(b.variables, v), append(b.setBy, id)
		return
	}
	d := b.about(diag.PreprocessorDuplicateVariable, "`"+v.Name+"` is set by `"+b.setBy[at]+"` and again by `"+id+"`; the later one counts")
	if b.setBy[at] == id {
		d.Message = "the preprocessor `" + id + "` is listed twice and sets `" + v.Name + "` again"
		d.Hint = "list it once"
	}
	d.Path, d.Provider = v.Name, id
	b.list.Add(d)
	b.variables[at], b.setBy[at] = v, id
}

// about makes a diagnostic on the strategy's file.
func (b *builder) about(code diag.Code, message string) diag.Diagnostic {
	return diag.At(b.in.Strategy.Source, diag.NoSpan, code, "%s", message)
}

func (b *builder) fail(id string, err error, took time.Duration) {
	code, reason := diag.PreprocessorFailed, "it failed"
	d := b.about(code, "")
	var known *Failure
	if errors.As(err, &known) {
		reason = known.Error()
		d.Path, d.Hint = known.Path, known.Remedy
		switch known.Code {
		case diag.PreprocessorTimeout, diag.PreprocessorPermissionUnavailable, diag.PreprocessorContextMissing, diag.PreprocessorNotFound:
			d.Code = known.Code
		}
	}
	d.Severity = d.Code.Severity()
	d.Message = "the preprocessor `" + id + "` gave nothing: " + reason
	d.Provider, d.Duration = id, took
	b.list.Add(d)
}

// hasNothing tells of a strategy of Pertain's own whose text is about a list, such as the selected files, that is not there or is
// empty: a model would find nothing wrong with nothing. What an author's own strategy makes of that is up to it.
func (b *builder) hasNothing() bool {
	if b.in.Strategy.Provider != "builtin" {
		return false
	}
	for _, hole := range parseTemplate(b.in.Strategy.Body).parts {
		row, known := facts.Find(hole.text)
		if !hole.holder || !known || row.Kind != facts.Array || len(b.in.Snapshot.At(row).Items()) > 0 {
			continue
		}
		d := b.about(diag.PreprocessorContextMissing, "there is nothing to work on: `"+hole.text+"` is empty or not known")
		d.Path = hole.text
		d.Hint = b.in.Snapshot.WhyAbsent(hole.text).Reason
		b.list.Add(d)
		return true
	}
	return false
}

// render fills the templates with what was found; the plan is nil if that is too
// much.
func (b *builder) render(ctx context.Context) (*Plan, error) {
	s := b.in.Strategy
	looks := maxLooks
	scope := scope{snapshot: b.in.Snapshot, variables: nest(b.variables), input: b.in.Input, looks: &looks}
	// What no reader of the strategy can see is not told to a model. What the user
	// has selected or typed stays as it is.
	bodyText, systemText := visible.Strip(s.Body), visible.Strip(s.SystemPrompt)
	if s.Provider == "builtin" {
		bodyText = scope.fenced(bodyText)
	}
	body, system := parseTemplate(bodyText), parseTemplate(systemText)
	p := &Plan{ID: s.ID, Tools: s.Tools, Permissions: Permissions(s, b.registry)}
	for _, one := range []struct {
		template template
		text     string
		what     string
		into     *string
	}{{system, systemText, "system prompt", &p.SystemPrompt}, {body, bodyText, "prompt", &p.Prompt}} {
		text, over, err := scope.render(ctx, one.template, func(hole part) { b.missing(hole, one.text) })
		if err != nil {
			return nil, err
		}
		if over != nil {
			b.tooLarge(*over, one.text, one.what)
			return nil, nil
		}
		*one.into = text
	}
	if b.in.Input != "" && !body.takesInput() && !system.takesInput() {
		if p.Prompt != "" {
			p.Prompt += "\n\n"
		}
		if p.Prompt += userRequest + "\n"; len(p.Prompt)+len(b.in.Input) > maxPrompt {
			b.tooLarge(overrun{}, s.Body, "prompt")
			return nil, nil
		}
		p.Prompt += b.in.Input
	}
	for _, v := range b.variables {
		p.Variables = append(p.Variables, v.Name)
	}
	return p, nil
}

// tooLarge reports the part of a template with which the text outgrows its
// limit, or the items that were looked at theirs; the zero part is the user's input after it.
func (b *builder) tooLarge(over overrun, text, what string) {
	source, span := b.in.Strategy.Source, diag.NoSpan
	if over.holder {
		source, span = b.locate(text, over.part)
	}
	d := diag.At(source, span, diag.TemplateTooLarge, "the %s would have more than %d MiB", what, maxPrompt>>20)
	d.Hint = "give it less text, or name long values once"
	if over.items {
		d.Message = fmt.Sprintf("the placeholders of the %s would look at more than %d million items of lists", what, maxLooks/1_000_000)
		d.Hint = "pick from fewer items, or from long lists once"
	}
	if over.text != argument && over.holder {
		d.Path = over.text
	}
	b.list.Add(d)
}

// maxHoles is how many placeholders without a value are reported.
const maxHoles = 100

// missing reports a placeholder without a value, once for each path.
func (b *builder) missing(hole part, text string) {
	if b.holes[hole.text] || len(b.holes) >= maxHoles {
		return
	}
	if b.holes == nil {
		b.holes = map[string]bool{}
	}
	b.holes[hole.text] = true
	source, span := b.locate(text, hole)
	d := diag.At(source, span, diag.TemplateMissingValue, "`%s` has no value here and was left empty", hole.text)
	d.Path = hole.text
	_, known := facts.Find(hole.text)
	switch {
	case strings.HasPrefix(hole.text, variableRoot):
		if id := b.registry.setter(hole.text); id != "" && !slices.Contains(b.in.Strategy.Preprocessors, id) {
			d.Hint = "add `" + id + "` to `preprocessors`"
		}
	case !known:
		if near := facts.NearestPath(hole.text); near != "" {
			d.Hint = "did you mean `" + near + "`?"
		}
	default:
		if why := b.in.Snapshot.WhyAbsent(hole.text); why.Reason != "" {
			d.Message += ": " + why.Reason
			d.Provider = why.Provider
		}
	}
	b.list.Add(d)
}
