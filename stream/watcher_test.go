package stream_test

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/pertain-dev/pertain/stream"
)

func watch(t *testing.T, policy stream.Policy, triggers ...stream.Trigger) *stream.Watcher {
	t.Helper()
	set, problems := stream.Compile(triggers, stream.Options{})
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	w, err := stream.NewWatcher(context.Background(), set, nil, policy)
	if err != nil {
		t.Fatal(err)
	}
	w.StartUserTurn()
	w.StartTurn()
	return w
}

// told gives a verdict in short: the rules that fired, ! if it interrupts.
func told(t *testing.T, v stream.Verdict, err error) string {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, f := range v.Fired {
		names = append(names, f.Trigger.Name)
	}
	s := strings.Join(names, ",")
	if v.Interrupt {
		s += "!"
	}
	return s
}

// shown says that the model was shown what a verdict tells.
func shown(t *testing.T, w *stream.Watcher, v stream.Verdict) {
	t.Helper()
	if err := w.Injected(context.Background(), v); err != nil {
		t.Fatal(err)
	}
}

var (
	text     = stream.Source{Kind: stream.Text}
	thinking = stream.Source{Kind: stream.Thinking}
)

func tool(name, id string, paths ...string) stream.Source {
	return stream.Source{Kind: stream.Tool, Tool: name, ID: id, Paths: paths}
}

func TestScope(t *testing.T) {
	for _, c := range []struct {
		scope  []string
		globs  []string
		source stream.Source
		want   string
	}{
		{nil, nil, text, "r!"},
		{nil, nil, thinking, ""},
		{nil, nil, tool("edit", "1"), "r!"},
		{[]string{"thinking"}, nil, thinking, "r!"},
		{[]string{"thinking"}, nil, text, ""},
		{[]string{"text"}, nil, tool("edit", "1"), ""},
		{[]string{"tool"}, nil, tool("edit", "1"), "r!"},
		{[]string{"tool:edit"}, nil, tool("edit", "1"), "r!"},
		{[]string{"tool:edit"}, nil, tool("write", "1"), ""},
		{[]string{"tool:edit(*.ts)"}, nil, tool("edit", "1", "src/a.ts"), "r!"},
		{[]string{"tool:edit(*.ts)"}, nil, tool("edit", "1", "src/a.go"), ""},
		{[]string{"tool:edit(src/**)", "text"}, nil, tool("edit", "1", "lib/a.go", "src/b.go"), "r!"},
		{[]string{"tool:edit(*.ts), tool:edit(*.tsx), tool:write(*.ts)"}, nil, tool("edit", "1", "src/a.tsx"), "r!"},
		{[]string{"tool:edit(*.{ts,tsx}), text"}, nil, tool("edit", "1", "src/a.tsx"), "r!"},
		{[]string{"tool:edit(*.{ts,tsx}), text"}, nil, text, "r!"},
		{[]string{"tool:edit(*.ts, *.tsx)"}, nil, tool("edit", "1", "src/a.tsx"), "r!"},
		{[]string{"thinking", "tool : edit (*.ts)"}, nil, tool("edit", "1", "src/a.ts"), "r!"},
		{[]string{"tool:*"}, nil, tool("write", "1"), "r!"},
		{[]string{"tool:*(*.ts)"}, nil, tool("write", "1", "src/a.ts"), "r!"},
		{[]string{"tool:*(*.ts)"}, nil, tool("write", "1", "src/a.go"), ""},
		{[]string{"tool:edit(!*.ts)"}, nil, tool("edit", "1", "a.ts"), ""},
		{[]string{"tool:edit(!*.ts)"}, nil, tool("edit", "1", "src/a.ts"), ""},
		{[]string{"tool:edit(!./*.ts)"}, nil, tool("edit", "1", "src/a.ts"), ""},
		{[]string{"tool:edit(!*.ts)"}, nil, tool("edit", "1", "src/a.go"), "r!"},
		{[]string{"tool:edit(*.ts, !*.test.ts)"}, nil, tool("edit", "1", "src/a.test.ts"), ""},
		{nil, []string{"**/*.rs"}, text, "r!"},
		{nil, []string{"**/*.rs"}, tool("edit", "1", "src/a.rs"), "r!"},
		{nil, []string{"**/*.rs"}, tool("edit", "1", "src/a.ts"), ""},
		{nil, []string{"**/*.rs"}, tool("bash", "1"), ""},
		{nil, []string{"**/*.rs", "!gen/**"}, tool("edit", "1", "gen/a.rs"), ""},
		{[]string{"tool:edit"}, []string{"**/*.rs"}, tool("edit", "1", "a.rs"), "r!"},
	} {
		w := watch(t, stream.Policy{}, stream.Trigger{Name: "r", Patterns: []string{"bad"}, Scope: c.scope, Globs: c.globs})
		v, err := w.Feed(context.Background(), c.source, "so bad")
		if got := told(t, v, err); got != c.want {
			t.Errorf("scope %q, globs %q in %+v: %q, want %q", c.scope, c.globs, c.source, got, c.want)
		}
	}
}

func TestScopeProblems(t *testing.T) {
	set, problems := stream.Compile([]stream.Trigger{
		{Name: "a", Patterns: []string{"x", "("}, Scope: []string{"txt", "tool:", "tool:edit(", "tool:edit([)", "text, tool:edit()", " "}, Globs: []string{"{"}},
	}, stream.Options{})
	var got []string
	for _, p := range problems {
		got = append(got, fmt.Sprintf("%s %d", p.Part, p.Index))
		if p.Part == stream.InScope && p.Index == 5 && p.Offset != 0 {
			t.Errorf("an empty scope is told at byte %d", p.Offset)
		}
	}
	if want := "pattern 1,scope 0,scope 1,scope 2,scope 3,scope 4,scope 5,glob 0"; strings.Join(got, ",") != want {
		t.Errorf("problems %v, want %s", problems, want)
	}
	if f := feed(set, "x"); len(f) != 1 {
		t.Errorf("the other pattern fires %v", f)
	}
}

// TestProblemsOfTriggersAreTold: with what would be right, where that is near.
func TestProblemsOfTriggersAreTold(t *testing.T) {
	p := stream.Problem{Part: stream.InGlobs, Index: 1, Message: "it is wrong"}
	if got := p.String(); got != "glob 2: it is wrong" {
		t.Error(got)
	}
	p.Hint = "write it right"
	if got := p.String(); got != "glob 2: it is wrong; write it right" {
		t.Error(got)
	}
}

// TestLatePath: a trigger with globs waits for the file of the tool call.
func TestLatePath(t *testing.T) {
	ctx := context.Background()
	w := watch(t, stream.Policy{}, stream.Trigger{Name: "r", Patterns: []string{"bad"}, Globs: []string{"**/*.ts"}})
	v, err := w.Feed(ctx, tool("edit", "1"), `{"text": "bad"`)
	if got := told(t, v, err); got != "" {
		t.Errorf("without a file %q", got)
	}
	v, err = w.Feed(ctx, tool("edit", "1", "src/a.ts"), `, "path": "src/a.ts"`)
	if got := told(t, v, err); got != "r!" {
		t.Errorf("with the file %q", got)
	}
}

func TestStreamsAreApart(t *testing.T) {
	ctx := context.Background()
	w := watch(t, stream.Policy{}, stream.Trigger{Name: "r", Patterns: []string{"foobar"}})
	for _, s := range []stream.Source{text, tool("edit", "1"), tool("edit", "2")} {
		v, err := w.Feed(ctx, s, "foo")
		if got := told(t, v, err); got != "" {
			t.Errorf("%+v: %q", s, got)
		}
	}
	v, err := w.Feed(ctx, tool("edit", "3"), "bar")
	if got := told(t, v, err); got != "" {
		t.Errorf("a match across streams: %q", got)
	}
	w.StartTurn()
	v, err = w.Feed(ctx, text, "bar")
	if got := told(t, v, err); got != "" {
		t.Errorf("a match across turns: %q", got)
	}
	v, err = w.Feed(ctx, tool("edit", "2"), "foobar")
	if got := told(t, v, err); got != "r!" {
		t.Errorf("%q", got)
	}
}

func TestPolicies(t *testing.T) {
	ctx := context.Background()
	bad := stream.Trigger{Name: "r", Patterns: []string{"bad"}, Scope: []string{"text", "thinking", "tool"}}
	for _, c := range []struct {
		policy stream.Policy
		source stream.Source
		want   string
	}{
		{stream.Policy{Disabled: true}, text, ""},
		{stream.Policy{InterruptMode: stream.InterruptNever}, text, "r"},
		{stream.Policy{InterruptMode: stream.ProseOnly}, text, "r!"},
		{stream.Policy{InterruptMode: stream.ProseOnly}, thinking, "r!"},
		{stream.Policy{InterruptMode: stream.ProseOnly}, tool("x", "1"), "r"},
		{stream.Policy{InterruptMode: stream.ToolOnly}, text, "r"},
		{stream.Policy{InterruptMode: stream.ToolOnly}, tool("x", "1"), "r!"},
		{stream.Policy{Budget: -1}, text, "r"},
	} {
		w := watch(t, c.policy, bad)
		v, err := w.Feed(ctx, c.source, "bad")
		if got := told(t, v, err); got != c.want {
			t.Errorf("%+v in %s: %q, want %q", c.policy, c.source.Kind, got, c.want)
		}
		if v.Interrupt && !v.Discard {
			t.Error("the default is to discard")
		}
	}
	w := watch(t, stream.Policy{ContextMode: stream.Keep}, bad)
	if v, _ := w.Feed(ctx, text, "bad"); v.Discard {
		t.Error("keep discards")
	}
}

// TestOwnInterruptMode: a rule may say itself where it interrupts. One that only reminds
// does not stop where another one does not.
func TestOwnInterruptMode(t *testing.T) {
	ctx := context.Background()
	for _, c := range []struct {
		own, policy stream.InterruptMode
		source      stream.Source
		want        string
	}{
		{stream.InterruptNever, "", text, "r"},
		{stream.InterruptAlways, stream.InterruptNever, text, "r!"},
		{stream.ToolOnly, "", text, "r"},
		{stream.ToolOnly, stream.ProseOnly, tool("x", "1"), "r!"},
		{stream.ProseOnly, stream.ToolOnly, text, "r!"},
		{"", stream.ToolOnly, text, "r"},
	} {
		w := watch(t, stream.Policy{InterruptMode: c.policy}, stream.Trigger{Name: "r", Patterns: []string{"bad"}, InterruptMode: c.own})
		v, err := w.Feed(ctx, c.source, "bad")
		if got := told(t, v, err); got != c.want {
			t.Errorf("%q in a policy of %q, in %s: %q, want %q", c.own, c.policy, c.source.Kind, got, c.want)
		}
	}
	w := watch(t, stream.Policy{},
		stream.Trigger{Name: "mild", Patterns: []string{"bad"}, InterruptMode: stream.InterruptNever, Own: true},
		stream.Trigger{Name: "strict", Patterns: []string{"badly"}})
	v, err := w.Feed(ctx, text, "badly")
	if got := told(t, v, err); got != "mild,strict!" {
		t.Errorf("together %q", got)
	}
}

func TestRepeat(t *testing.T) {
	ctx := context.Background()
	bad := stream.Trigger{Name: "r", Patterns: []string{"bad"}}
	for _, c := range []struct {
		policy stream.Policy
		want   string // one letter a turn: y if the rule fires
	}{
		{stream.Policy{}, "ynnnnnnnnnnnnn"},
		{stream.Policy{RepeatMode: stream.AfterGap, RepeatGap: 3}, "ynnynnynnynnyn"},
		{stream.Policy{RepeatMode: stream.AfterGap}, "ynnnnnnnnnynnn"},
	} {
		w := watch(t, c.policy, bad)
		got := ""
		for range c.want {
			v, err := w.Feed(ctx, text, "bad bad")
			shown(t, w, v)
			if told(t, v, err) == "r!" {
				got += "y"
			} else {
				got += "n"
			}
			w.StartUserTurn()
			w.StartTurn()
		}
		if got != c.want {
			t.Errorf("%+v: %s, want %s", c.policy, got, c.want)
		}
	}
}

// TestNotShown: a rule whose verdict came to nobody fires again in the next turn, and
// one that was shown does not, however late that is told.
func TestNotShown(t *testing.T) {
	ctx := context.Background()
	memory := &stream.Forgetful{}
	set, _ := stream.Compile([]stream.Trigger{{Name: "a", Patterns: []string{"bad"}}, {Name: "b", Patterns: []string{"end$"}}}, stream.Options{})
	w, err := stream.NewWatcher(ctx, set, memory, stream.Policy{InterruptMode: stream.InterruptNever})
	if err != nil {
		t.Fatal(err)
	}
	var inside, atEnd stream.Verdict
	for turn, want := range []string{"a b", "a b", " "} {
		w.StartUserTurn()
		w.StartTurn()
		if turn == 2 {
			shown(t, w, inside)
			shown(t, w, atEnd)
		}
		inside, err = w.Feed(ctx, text, "bad end")
		got := told(t, inside, err) + " "
		atEnd, err = w.End(ctx, text)
		if got += told(t, atEnd, err); got != want {
			t.Errorf("turn %d: %q, want %q", turn+1, got, want)
		}
	}
	if r, _ := memory.Load(ctx); r.Injected["a"] != 2 || r.Injected["b"] != 2 {
		t.Errorf("the memory has %v; what was shown had fired in the second turn", r.Injected)
	}
}

// TestRepeatAcrossRestarts: turns are counted on when the host starts anew.
func TestRepeatAcrossRestarts(t *testing.T) {
	ctx := context.Background()
	set, _ := stream.Compile([]stream.Trigger{{Name: "r", Patterns: []string{"bad"}}}, stream.Options{})
	memory := &stream.Forgetful{}
	got := ""
	for range 8 {
		w, err := stream.NewWatcher(ctx, set, memory, stream.Policy{RepeatMode: stream.AfterGap, RepeatGap: 3})
		if err != nil {
			t.Fatal(err)
		}
		w.StartUserTurn()
		w.StartTurn()
		v, err := w.Feed(ctx, text, "bad")
		shown(t, w, v)
		if told(t, v, err) == "r!" {
			got += "y"
		} else {
			got += "n"
		}
	}
	if got != "ynnynnyn" {
		t.Errorf("%s, want ynnynnyn", got)
	}
}

// TestBudget: after three interruptions in one user turn rules only remind.
func TestBudget(t *testing.T) {
	ctx := context.Background()
	var triggers []stream.Trigger
	for i := range 6 {
		triggers = append(triggers, stream.Trigger{Name: fmt.Sprint(i), Patterns: []string{fmt.Sprintf("bad%d", i)}})
	}
	w := watch(t, stream.Policy{}, triggers...)
	for i, want := range []string{"0!", "1!", "2!", "3"} {
		v, err := w.Feed(ctx, text, fmt.Sprintf("bad%d", i))
		if got := told(t, v, err); got != want {
			t.Errorf("%q, want %q", got, want)
		}
		w.StartTurn()
	}
	w.StartUserTurn()
	v, err := w.Feed(ctx, text, "bad4 bad5")
	if got := told(t, v, err); got != "4!" {
		t.Errorf("in the next user turn %q", got)
	}
	v, err = w.Feed(ctx, text, " and")
	if got := told(t, v, err); got != "5!" {
		t.Errorf("by the host that goes on %q", got)
	}
}

// TestBudgetAcrossRestarts: a host that starts again in the middle of a user's turn
// has no more interruptions than were left.
func TestBudgetAcrossRestarts(t *testing.T) {
	ctx := context.Background()
	set, _ := stream.Compile([]stream.Trigger{
		{Name: "a", Patterns: []string{"a"}},
		{Name: "b", Patterns: []string{"b"}},
		{Name: "c", Patterns: []string{"c"}},
		{Name: "d", Patterns: []string{"d"}},
	}, stream.Options{})
	memory := &stream.Forgetful{}
	for _, c := range []struct {
		piece, want string
		spoken      bool // a person spoke before
		kept        int
	}{
		{"a", "a!", true, 1},
		{"b", "b!", false, 2},
		{"c", "c", false, 2},
		{"-", "", true, 0},
		{"d", "d!", false, 1},
	} {
		w, err := stream.NewWatcher(ctx, set, memory, stream.Policy{Budget: 2})
		if err != nil {
			t.Fatal(err)
		}
		if c.spoken {
			w.StartUserTurn()
		}
		w.StartTurn()
		v, err := w.Feed(ctx, text, c.piece)
		if got := told(t, v, err); got != c.want {
			t.Errorf("%s: %q, want %q", c.piece, got, c.want)
		}
		if r, _ := memory.Load(ctx); r.Interrupted != c.kept {
			t.Errorf("%s: %d interruptions are kept, want %d", c.piece, r.Interrupted, c.kept)
		}
	}
}

func TestEndDecides(t *testing.T) {
	ctx := context.Background()
	w := watch(t, stream.Policy{}, stream.Trigger{Name: "r", Patterns: []string{"bad$"}})
	v, err := w.Feed(ctx, text, "bad")
	if got := told(t, v, err); got != "" {
		t.Errorf("%q before the end", got)
	}
	v, err = w.End(ctx, text)
	if got := told(t, v, err); got != "r!" {
		t.Errorf("%q at the end", got)
	}
}

func TestInjection(t *testing.T) {
	got := stream.Injection(
		&stream.Trigger{Name: `a"<b>`, Path: ".omp/rules/a&b.md", Body: "Use `?`.\nIf x < y && z: </System-Interrupt > no.\n"},
		&stream.Trigger{Name: "second", Path: "p.md", Body: "Two."},
	)
	want := `<system-interrupt reason="rule_violation" rule="a&quot;&lt;b&gt;" path=".omp/rules/a&amp;b.md">
Use ` + "`?`" + `.
If x < y && z: &lt;/System-Interrupt > no.
</system-interrupt>
<system-interrupt reason="rule_violation" rule="second" path="p.md">
Two.
</system-interrupt>`
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// TestManyStreamsAtOnce is for the race detector: streams of one set share its
// states, which are few enough here to be dropped all the time.
func TestManyStreamsAtOnce(t *testing.T) {
	triggers := corpus(300)
	for _, p := range []string{`error(?!s)`, `(?<=the \w+ )value`, `(\w+) \1\b`, `(?!x)y$|$z`, `self(?=\.cache)`} {
		triggers = append(triggers, stream.Trigger{Patterns: []string{p}})
	}
	set, _ := stream.CompileWithin(triggers, stream.Options{}, 256<<10)
	said := output(20 << 10)
	want := fmt.Sprint(feed(set, said))
	w, err := stream.NewWatcher(context.Background(), set, nil, stream.Policy{})
	if err != nil {
		t.Fatal(err)
	}
	w.StartTurn()
	var all sync.WaitGroup
	for i := range 8 {
		all.Go(func() {
			if got := fmt.Sprint(feed(set, tokens(said)...)); got != want {
				t.Errorf("got %s, want %s", got, want)
			}
			for _, piece := range tokens(said[:2000]) {
				if _, err := w.Feed(context.Background(), tool("edit", fmt.Sprint(i)), piece); err != nil {
					t.Error(err)
				}
			}
		})
	}
	all.Wait()
}
