package plan_test

import (
	"context"
	"errors"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"

	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/facts"
	"github.com/pertain-dev/pertain/plan"
	"github.com/pertain-dev/pertain/strategy"
)

// scripted is a preprocessor that does what a test says.
type scripted struct {
	id      string
	process func(context.Context) ([]plan.Variable, error)
}

func (s scripted) Info() plan.Info {
	return plan.Info{ID: s.id, Permission: "Reads " + s.id, Variables: []string{"preprocess." + s.id}}
}

func (s scripted) Process(ctx context.Context, _ plan.Execution) ([]plan.Variable, error) {
	return s.process(ctx)
}

func gives(id string, variables ...plan.Variable) scripted {
	return scripted{id, func(context.Context) ([]plan.Variable, error) { return variables, nil }}
}

// snapshot reads a context in its file form.
func snapshot(t testing.TB, text string) *facts.Snapshot {
	t.Helper()
	s, err := facts.Decode("context", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func strategyOf(body string, preprocessors ...string) *strategy.Strategy {
	source := diag.NewSource("/s/x.strategy.md", "---\nname: X\n---\n"+body)
	return &strategy.Strategy{ID: "user.x", Body: body, Preprocessors: preprocessors, Source: source}
}

func build(t testing.TB, registry *plan.Registry, in plan.Execution, options plan.Options) (*plan.Plan, diag.List) {
	t.Helper()
	if in.Snapshot == nil {
		in.Snapshot = snapshot(t, "{}")
	}
	p, list, err := plan.Build(t.Context(), registry, in, options)
	if err != nil {
		t.Fatal(err)
	}
	return p, list
}

func codes(list diag.List) []string {
	var out []string
	for _, d := range list {
		out = append(out, string(d.Code)+" "+d.Path)
	}
	return out
}

func TestPreprocessorsRunInOrderAndTheLaterVariableCounts(t *testing.T) {
	var order []string
	step := func(id, value string) scripted {
		return scripted{id, func(context.Context) ([]plan.Variable, error) {
			order = append(order, id)
			return []plan.Variable{{Name: "preprocess.same", Value: facts.Text(value)}, {Name: "preprocess." + id, Value: facts.Flag(true)}}, nil
		}}
	}
	registry := plan.NewRegistry(step("a", "first"), step("b", "second"))
	p, list := build(t, registry, plan.Execution{Strategy: strategyOf("{preprocess.same}", "b", "a", "b")}, plan.Options{})
	if diff := cmp.Diff([]string{"b", "a", "b"}, order); diff != "" {
		t.Errorf("order (-want +got):\n%s", diff)
	}
	if p.Prompt != "second" {
		t.Errorf("prompt %q", p.Prompt)
	}
	if diff := cmp.Diff([]string{"preprocess.same", "preprocess.b", "preprocess.a"}, p.Variables); diff != "" {
		t.Errorf("variables (-want +got):\n%s", diff)
	}
	want := []string{"preprocessor.duplicate_variable preprocess.same", "preprocessor.duplicate_variable preprocess.same", "preprocessor.duplicate_variable preprocess.b"}
	if diff := cmp.Diff(want, codes(list)); diff != "" {
		t.Errorf("diagnostics (-want +got):\n%s", diff)
	}
	if list.HasErrors() || list[0].Strategy != "user.x" {
		t.Errorf("duplicates are warnings of the strategy: %v", list)
	}
}

func TestFailureYieldsNoPrompt(t *testing.T) {
	const secret = "the user's secret"
	fails := func(err error) scripted {
		return scripted{"bad", func(context.Context) ([]plan.Variable, error) { return nil, err }}
	}
	for name, test := range map[string]struct {
		registry *plan.Registry
		want     string
		instant  bool // it is not the time of the preprocessor that is told
	}{
		"failed":       {plan.NewRegistry(fails(errors.New(secret))), "preprocessor.failed ", false},
		"other code":   {plan.NewRegistry(fails(&plan.Failure{Code: "regex.invalid", Path: "clipboard.text", Reason: "no"})), "preprocessor.failed clipboard.text", false},
		"no context":   {plan.NewRegistry(fails(&plan.Failure{Code: diag.PreprocessorContextMissing, Path: "clipboard.text", Err: errors.New(secret)})), "preprocessor.context_missing clipboard.text", false},
		"permission":   {plan.NewRegistry(fails(&plan.Failure{Code: diag.PreprocessorPermissionUnavailable})), "preprocessor.permission_unavailable ", false},
		"unknown":      {plan.NewRegistry(), "preprocessor.not_found ", true},
		"out of bound": {plan.NewRegistry(gives("bad", plan.Variable{Name: "clipboard.text", Value: facts.Text(secret)})), "preprocessor.failed ", true},
		"bare root":    {plan.NewRegistry(gives("bad", plan.Variable{Name: "preprocess.", Value: facts.Text(secret)})), "preprocessor.failed ", true},
		"not here":     {plan.Preprocessors().With(gives("other")), "preprocessor.not_found ", true},
	} {
		t.Run(name, func(t *testing.T) {
			began := time.Now()
			p, list := build(t, test.registry, plan.Execution{Strategy: strategyOf("Body", "bad")}, plan.Options{})
			if p != nil {
				t.Errorf("a plan: %+v", p)
			}
			if diff := cmp.Diff([]string{test.want}, codes(list)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			if !list.HasErrors() || strings.Contains(list[0].Sentence(), secret) {
				t.Errorf("%s", list[0].Sentence())
			}
			if took := list[0].Duration; took < 0 || took > time.Since(began) || test.instant && took != 0 {
				t.Errorf("it took %s", took)
			}
		})
	}
}

func TestTimeLimit(t *testing.T) {
	t.Run("obeyed", func(t *testing.T) {
		waits := scripted{"slow", func(ctx context.Context) ([]plan.Variable, error) {
			<-ctx.Done()
			return nil, ctx.Err()
		}}
		p, list := build(t, plan.NewRegistry(waits), plan.Execution{Strategy: strategyOf("Body", "slow")}, plan.Options{Timeout: time.Millisecond})
		if diff := cmp.Diff([]string{"preprocessor.timeout "}, codes(list)); p != nil || diff != "" {
			t.Errorf("%v (-want +got):\n%s", p, diff)
		}
	})
	t.Run("ignored", func(t *testing.T) {
		defer goleak.VerifyNone(t, goleak.IgnoreCurrent())
		release := make(chan struct{})
		var calls atomic.Int32
		stuck := scripted{"stuck", func(context.Context) ([]plan.Variable, error) {
			calls.Add(1)
			<-release
			return nil, nil
		}}
		registry := plan.NewRegistry(stuck)
		for range 3 {
			_, list := build(t, registry, plan.Execution{Strategy: strategyOf("Body", "stuck")}, plan.Options{Timeout: time.Millisecond})
			if diff := cmp.Diff([]string{"preprocessor.timeout "}, codes(list)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		}
		if n := calls.Load(); n > 1 { // none, where its goroutine was not even started in time
			t.Errorf("%d calls pile up", n)
		}
		close(release)
	})
	t.Run("cancelled", func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		waits := scripted{"slow", func(ctx context.Context) ([]plan.Variable, error) {
			cancel()
			<-ctx.Done()
			return nil, ctx.Err()
		}}
		p, _, err := plan.Build(ctx, plan.NewRegistry(waits), plan.Execution{Strategy: strategyOf("Body", "slow"), Snapshot: snapshot(t, "{}")}, plan.Options{})
		if p != nil || !errors.Is(err, context.Canceled) {
			t.Errorf("%v, %v", p, err)
		}
	})
}

func TestInput(t *testing.T) {
	for name, test := range map[string]struct{ body, system, input, prompt, rendered string }{
		"placed":             {body: "Do {Argument}.", input: "it {clipboard.text}", prompt: "Do it {clipboard.text}."},
		"placed twice":       {body: "{Argument}{Argument}", input: "x", prompt: "xx"},
		"appended":           {body: "Do it.", input: "now", prompt: "Do it.\n\n<UserRequestStart>\nnow"},
		"appended to escape": {body: "Do {{Argument}}.", input: "now", prompt: "Do {Argument}.\n\n<UserRequestStart>\nnow"},
		"empty":              {body: "Do it.", prompt: "Do it."},
		"empty placed":       {body: "Do {Argument}.", prompt: "Do ."},
		"no body":            {input: "now", prompt: "<UserRequestStart>\nnow"},
		"in system prompt":   {body: "Do it.", system: "As {Argument}", input: "me", prompt: "Do it.", rendered: "As me"},
	} {
		t.Run(name, func(t *testing.T) {
			s := strategyOf(test.body)
			s.SystemPrompt = test.system
			p, list := build(t, plan.NewRegistry(), plan.Execution{Strategy: s, Input: test.input}, plan.Options{})
			if p.Prompt != test.prompt || p.SystemPrompt != test.rendered || len(list) > 0 {
				t.Errorf("%q, %q, %v", p.Prompt, p.SystemPrompt, list)
			}
		})
	}
}

func TestMissingValuesAreToldAtTheirPlace(t *testing.T) {
	s := strategyOf("One {clipboard.text}, two {clipboard.text}, {clipbord.text},\n{extra.browser.active_tab.tittle} {preprocess.selection.text}")
	_, list := build(t, plan.Preprocessors(), plan.Execution{Strategy: s}, plan.Options{})
	var b strings.Builder
	if err := diag.Text(&b, list, diag.TextOptions{}); err != nil {
		t.Fatal(err)
	}
	want := strings.ReplaceAll(`warning[template.missing_value]: 'clipboard.text' has no value here and was left empty
  --> /s/x.strategy.md:4:5
  |
4 | One {clipboard.text}, two {clipboard.text}, {clipbord.text},
  |     ^^^^^^^^^^^^^^^^

warning[template.missing_value]: 'extra.browser.active_tab.tittle' has no value here and was left empty
  --> /s/x.strategy.md:5:1
  |
5 | {extra.browser.active_tab.tittle} {preprocess.selection.text}
  | ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
  = hint: did you mean 'extra.browser.active_tab.title'?

warning[template.missing_value]: 'preprocess.selection.text' has no value here and was left empty
  --> /s/x.strategy.md:5:35
  |
5 | {extra.browser.active_tab.tittle} {preprocess.selection.text}
  |                                   ^^^^^^^^^^^^^^^^^^^^^^^^^^^
  = hint: add 'selected-text' to 'preprocessors'
`, "'", "`")
	if diff := cmp.Diff(want, b.String()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestWhyAValueIsMissingIsTold(t *testing.T) {
	why := facts.NewSnapshot(facts.Parts{Values: facts.Fields(), Absent: map[string]facts.Absence{
		"clipboard.text": {Code: diag.ExtraPermissionUnavailable, Provider: "test", Reason: "access is not allowed"},
	}})
	_, list := build(t, plan.Preprocessors(), plan.Execution{Strategy: strategyOf("{clipboard.text}"), Snapshot: why}, plan.Options{})
	if !strings.Contains(list[0].Message, "access is not allowed") || list[0].Provider != "test" {
		t.Errorf("%+v", list[0])
	}
	p, list := build(t, plan.Preprocessors(), plan.Execution{Strategy: strategyOf("x", plan.ClipboardText), Snapshot: why}, plan.Options{})
	if diff := cmp.Diff([]string{"preprocessor.permission_unavailable clipboard.text"}, codes(list)); p != nil || diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
