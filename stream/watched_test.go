package stream_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/pertain-dev/pertain/stream"
)

// TestFilesGrow: what has matched fires as soon as a file becomes known that its rule
// is for, whichever were known before.
func TestFilesGrow(t *testing.T) {
	type call struct {
		piece string // "$": the end
		paths string // "?": whatever the folder
		want  string
	}
	glob := stream.Trigger{Name: "glob", Patterns: []string{"x"}, Globs: []string{"**/*.ts"}}
	scope := stream.Trigger{Name: "scope", Patterns: []string{"x"}, Scope: []string{"tool:edit(*.ts)"}}
	either := stream.Trigger{Name: "either", Patterns: []string{"x"}, Scope: []string{"tool:edit(*.ts)", "tool:edit(*.rs)"}}
	not := stream.Trigger{Name: "not", Patterns: []string{"x"}, Globs: []string{"**/*.ts", "!gen/**"}}
	free := stream.Trigger{Name: "free", Patterns: []string{"y"}}
	for _, c := range []struct {
		triggers []stream.Trigger
		calls    []call
	}{
		{[]stream.Trigger{glob}, []call{{"xy", "a.md b.ts", "glob!"}, {"$", "a.md b.ts", ""}}},
		{[]stream.Trigger{glob}, []call{{"x", "a.md", ""}, {"y", "a.md b.ts", "glob!"}, {"$", "a.md b.ts", ""}}},
		{[]stream.Trigger{glob}, []call{{"x", "", ""}, {"y", "a.md", ""}, {"$", "a.md b.ts", "glob!"}}},
		{[]stream.Trigger{glob}, []call{{"x", "a.md", ""}, {"$", "b.ts", "glob!"}}},
		{[]stream.Trigger{glob}, []call{{"q", "b.ts", ""}, {"x", "a.md", "glob!"}}}, // it touches both
		{[]stream.Trigger{glob}, []call{{"q", "b.ts", ""}, {"x", "", "glob!"}}},
		{[]stream.Trigger{glob}, []call{{"x", "a.md", ""}, {"", "a.md b.ts", "glob!"}}},
		{[]stream.Trigger{glob}, []call{{"x", "a.md", ""}, {"y", "a.md c.md", ""}, {"z", "d.md", ""}, {"$", "e.ts", "glob!"}}},
		{[]stream.Trigger{scope}, []call{{"x", "a.md", ""}, {"y", "a.md b.ts", "scope!"}}},
		{[]stream.Trigger{either}, []call{{"x", "a.md", ""}, {"y", "a.md b.rs", "either!"}, {"$", "c.ts", ""}}},
		{[]stream.Trigger{not}, []call{{"x", "gen/a.ts", ""}, {"y", "gen/a.ts b.ts", "not!"}}},
		{[]stream.Trigger{glob, scope}, []call{{"x", "a.md", ""}, {"z", "b.ts", "glob,scope!"}}},
		// Where the folder is lost, too, names that were known stay.
		{[]stream.Trigger{glob}, []call{{"q", "b.ts ?", ""}, {"r", "a.md ?", ""}, {"x", "a.md ?", "glob!"}}},
		{[]stream.Trigger{glob}, []call{{"x", "a.md ?", ""}, {"y", "c.md ?", ""}, {"z", "b.ts ?", "glob!"}}},
		{[]stream.Trigger{glob}, []call{{"q", "b.ts", ""}, {"x", "a.md ?", ""}, {"y", "a.md b.ts ?", "glob!"}}}, // but not those of before
		// The file comes before what the piece says.
		{[]stream.Trigger{glob, free}, []call{{"x", "a.md", ""}, {"y", "b.ts", "glob!"}, {"", "b.ts", "free!"}}},
		// So it does where that is decided by a byte that was there before, and turns out to be broken.
		{[]stream.Trigger{glob, {Name: "broken", Patterns: []string{"x[^]"}}}, []call{{"x\xe2", "a.md", ""}, {"y", "b.ts", "glob!"}, {"", "b.ts", "broken!"}}},
	} {
		w := watch(t, stream.Policy{}, c.triggers...)
		for i, step := range c.calls {
			paths, lost := strings.CutSuffix(step.paths, " ?")
			source := tool("edit", "1", strings.Fields(paths)...)
			source.Anywhere = lost
			var v stream.Verdict
			var err error
			if step.piece == "$" {
				v, err = w.End(context.Background(), source)
			} else {
				v, err = w.Feed(context.Background(), source, step.piece)
			}
			if len(v.Fired) > 0 && v.Fired[0].Trigger.Name != "free" && len(v.Fired[0].Source.Paths) == 0 {
				t.Errorf("%v: the files are not told", c.calls)
			}
			if got := told(t, v, err); got != step.want {
				t.Errorf("%v, call %d: %q, want %q", c.calls, i+1, got, step.want)
			}
		}
	}
}

// TestFilesOnce: files are told once each, in the order in which they became known.
func TestFilesOnce(t *testing.T) {
	w := watch(t, stream.Policy{}, stream.Trigger{Name: "x", Patterns: []string{"x"}})
	for _, paths := range []string{"a.md a.md", "b.ts a.md b.ts", "b.ts"} {
		if v, err := w.Feed(t.Context(), tool("edit", "1", strings.Fields(paths)...), "q"); err != nil || len(v.Fired) > 0 {
			t.Fatal(v, err)
		}
	}
	v, err := w.Feed(t.Context(), tool("edit", "1", "c", "c"), "x")
	if err != nil || len(v.Fired) != 1 || fmt.Sprint(v.Fired[0].Source.Paths) != "[a.md b.ts c]" {
		t.Errorf("%+v, %v", v, err)
	}
}

// host is who feeds a watcher.
type host struct {
	set    *stream.Set
	policy stream.Policy
	source stream.Source
	known  int  // from which byte on the files of the source are known
	heeds  bool // it stops when it is interrupted
	dies   bool // after every call, and another goes on with what was saved
}

// answer is what a host is told about a text: each rule with its place, and what is
// recorded at the end.
func (h host) answer(t *testing.T, text string, cuts []int) string {
	t.Helper()
	ctx := context.Background()
	memory := &stream.Forgetful{}
	newWatcher := func() *stream.Watcher {
		w, err := stream.NewWatcher(ctx, h.set, memory, h.policy)
		if err != nil {
			t.Fatal(err)
		}
		return w
	}
	w := newWatcher()
	w.StartUserTurn()
	w.StartTurn()
	var out strings.Builder
	goOn := true
	hear := func(v stream.Verdict, err error) {
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range v.Fired {
			fmt.Fprintf(&out, "%s@%d ", f.Trigger.Name, f.Offset)
		}
		shown(t, w, v)
		goOn = !h.heeds || !v.Interrupt
		if h.dies {
			saved := w.Save()
			w = newWatcher()
			if err := w.Restore(saved); err != nil {
				t.Fatal(err)
			}
		}
	}
	source, from := h.source, 0
	for _, to := range append(cuts, len(text)) {
		source.Paths = nil
		if from >= h.known {
			source.Paths = h.source.Paths
		}
		if hear(w.Feed(ctx, source, text[from:to])); !goOn {
			break
		}
		from = to
	}
	if goOn {
		hear(w.End(ctx, h.source))
	}
	record, _ := memory.Load(ctx)
	return fmt.Sprintf("%s%v", out.String(), record)
}

// TestToldWhateverTheCut: neither what is told up to an interruption nor what is
// recorded depends on how the text was cut, be the host one that heeds interruptions
// or one that goes on, and be the watcher saved and restored in between or not.
func TestToldWhateverTheCut(t *testing.T) {
	var triggers []stream.Trigger
	for i, p := range []string{"foo", "fo+", "bar", "ba(?!z)", "end$", "", "é", `(\w)\1`, "b", "foo bar", `\bbar\b`, "x|z$", "a"} {
		trigger := stream.Trigger{Name: fmt.Sprint(i), Patterns: []string{p}}
		if i%4 == 3 {
			trigger.Globs = []string{"**/*.ts"}
		}
		triggers = append(triggers, trigger)
	}
	triggers[8].Name = triggers[2].Name // two files may name a rule alike
	source := tool("edit", "1", "a.ts")
	w := newWriter(5)
	for range rounds(60) {
		var some []stream.Trigger
		for _, trigger := range triggers {
			if w.IntN(2) == 0 {
				some = append(some, trigger)
			}
		}
		set, problems := stream.Compile(some, stream.Options{})
		if len(problems) > 0 {
			t.Fatal(problems)
		}
		words := []string{"foo ", "bar", "baz ", "é", "x", "\n", "zz", "\xe2\x82", "end"}
		text := ""
		for range 1 + w.IntN(6) {
			text += words[w.IntN(len(words))]
		}
		known := w.IntN(len(text) + 1)
		for _, policy := range []stream.Policy{{}, {Budget: 1}, {Budget: -1}, {InterruptMode: stream.ProseOnly}, {ContextMode: stream.Keep, Budget: 2}} {
			for _, heeds := range []bool{true, false} {
				h := host{set: set, policy: policy, source: source, known: known, heeds: heeds}
				want := h.answer(t, text, []int{known})
				for i := range 8 {
					cuts := []int{known}
					for at := range len(text) {
						if w.IntN(3) == 0 {
							cuts = append(cuts, at)
						}
					}
					slices.Sort(cuts)
					h.dies = i%2 == 1
					if got := h.answer(t, text, cuts); got != want {
						t.Fatalf("%q cut at %v, %+v: %s, want %s", text, cuts, h, got, want)
					}
				}
			}
		}
	}
}

// TestHeldBack: what fires after an interruption is recorded when it is told, by the
// next call of whatever stream; the next turn knows nothing of it.
func TestHeldBack(t *testing.T) {
	ctx := context.Background()
	set, _ := stream.Compile([]stream.Trigger{
		{Name: "foo", Patterns: []string{"foo"}},
		{Name: "oo", Patterns: []string{"oo"}},
		{Name: "bar", Patterns: []string{"bar"}},
		{Name: "baz", Patterns: []string{"baz"}},
		{Name: "end", Patterns: []string{"baz$"}},
	}, stream.Options{})
	for _, c := range []struct {
		name string
		next func(*stream.Watcher) (stream.Verdict, error)
		want []string // what each call tells, then the rules that are recorded
	}{
		{"it aborts", nil, []string{"foo,oo!", "foo,oo"}},
		{"more of the stream", func(w *stream.Watcher) (stream.Verdict, error) { return w.Feed(ctx, text, ".") }, []string{"foo,oo!", "bar!", "baz!", "", "bar,baz,foo,oo"}},
		{"another stream", func(w *stream.Watcher) (stream.Verdict, error) { return w.Feed(ctx, tool("edit", "1"), "baz") }, []string{"foo,oo!", "bar!", "baz", "", "bar,baz,foo,oo"}},
		{"one that nobody watches", func(w *stream.Watcher) (stream.Verdict, error) { return w.Feed(ctx, thinking, "baz") }, []string{"foo,oo!", "bar!", "baz!", "", "bar,baz,foo,oo"}},
		{"its end", func(w *stream.Watcher) (stream.Verdict, error) { return w.End(ctx, text) }, []string{"foo,oo!", "bar,baz,end!", "", "bar,baz,end,foo,oo"}},
		{"the next turn", func(w *stream.Watcher) (stream.Verdict, error) {
			w.StartTurn()
			return w.Feed(ctx, text, "bar")
		}, []string{"foo,oo!", "bar!", "", "bar,foo,oo"}},
	} {
		memory := &stream.Forgetful{}
		policy := stream.Policy{}
		if c.name == "another stream" {
			policy.Budget = 2
		}
		w, _ := stream.NewWatcher(ctx, set, memory, policy)
		w.StartTurn()
		v, err := w.Feed(ctx, text, "foo bar baz")
		got := []string{told(t, v, err)}
		shown(t, w, v)
		for range len(c.want) - 2 {
			v, err = c.next(w)
			got = append(got, told(t, v, err))
			shown(t, w, v)
		}
		record, _ := memory.Load(ctx)
		var names []string
		for name := range record.Injected {
			names = append(names, name)
		}
		slices.Sort(names)
		if got = append(got, strings.Join(names, ",")); !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

// TestUndecidedBehindInterruption: what was undecided after the place of an
// interruption is told when the host goes on.
func TestUndecidedBehindInterruption(t *testing.T) {
	w := watch(t, stream.Policy{}, stream.Trigger{Name: "foo", Patterns: []string{"foo"}}, stream.Trigger{Name: "slow", Patterns: []string{`(a+)+\1c|zzz(?=!)`}})
	v, err := w.Feed(context.Background(), text, "foo "+strings.Repeat("a", 40)+" zzz, c")
	if err != nil || len(v.Fired) != 1 || len(v.Undecided) > 0 {
		t.Errorf("%+v, %v", v, err)
	}
	if v, err = w.End(context.Background(), text); err != nil || len(v.Undecided) == 0 {
		t.Errorf("at the end %+v, %v", v, err)
	}
}

// TestUndecidedBehindInterruptionOfACall: the same of a call's arguments, and of what another text of the call has before it.
func TestUndecidedBehindInterruptionOfACall(t *testing.T) {
	slow := strings.Repeat("a", 40) + " zzz, c"
	for arguments, undecided := range map[string]int{
		`{"file_path":"x.md","content":"foo ` + slow + `"}`: 0,
		`{"file_path":"x.md","content":"` + slow + ` foo"}`: 1,
		`{"file_path":"x.md","content":"` + slow + `"}`:     1,
	} {
		w := watch(t, stream.Policy{}, stream.Trigger{Name: "foo", Patterns: []string{"foo"}}, stream.Trigger{Name: "slow", Patterns: []string{`(a+)+\1c|zzz(?=!)`}})
		v, err := w.FeedCall(context.Background(), stream.Call{Tool: "Write", ID: "1"}, arguments)
		if err != nil || len(v.Fired) != strings.Count(arguments, "foo") || len(v.Undecided) != undecided {
			t.Errorf("%s: %+v, %v", arguments, v, err)
		}
	}
}

// TestUndecidedBesideInterruption: nor is what is undecided in another text of the call, which comes after the interrupted one.
func TestUndecidedBesideInterruption(t *testing.T) {
	w := watch(t, stream.Policy{}, stream.Trigger{Name: "foo", Patterns: []string{"foo"}}, stream.Trigger{Name: "slow", Patterns: []string{`(a+)+\1c|zzz(?=!)`}})
	arguments := `{"file_path":"x.md","edits":[{"old_string":"p","new_string":"foo"},{"old_string":"q","new_string":"` + strings.Repeat("a", 40) + ` zzz, c"}]}`
	v, err := w.FeedCall(t.Context(), stream.Call{Tool: "MultiEdit", ID: "1"}, arguments)
	if err != nil || !v.Interrupt || len(v.Undecided) > 0 {
		t.Errorf("%+v, %v", v, err)
	}
}

// TestUndecidedBesideHeld: where a piece brings what was held back of another stream, and that interrupts, nothing of the piece counts.
func TestUndecidedBesideHeld(t *testing.T) {
	w := watch(t, stream.Policy{}, stream.Trigger{Name: "foo", Patterns: []string{"foo"}}, stream.Trigger{Name: "bar", Patterns: []string{"bar"}},
		stream.Trigger{Name: "slow", Patterns: []string{`(a+)+\1c|zzz(?=!)`}})
	other := stream.Source{Kind: stream.Text, ID: "another"}
	v, err := w.Feed(t.Context(), text, "foo bar")
	if got := told(t, v, err); got != "foo!" {
		t.Fatal(got)
	}
	v, err = w.Feed(t.Context(), other, strings.Repeat("a", 40)+" zzz, c")
	if got := told(t, v, err); got != "bar!" || len(v.Undecided) > 0 {
		t.Errorf("%q, undecided %v", got, v.Undecided)
	}
	if v, err = w.End(t.Context(), other); err != nil || len(v.Undecided) != 1 {
		t.Errorf("at the end %+v, %v", v, err)
	}
}

// TestRestoreTurn: a turn is saved with all streams, and what is no saved turn of these
// triggers is refused and changes nothing.
func TestRestoreTurn(t *testing.T) {
	ctx := context.Background()
	triggers := []stream.Trigger{
		{Name: "foobar", Patterns: []string{"foobar"}},
		{Name: "x", Patterns: []string{"x"}, Globs: []string{"**/*.ts"}},
		{Name: "a", Patterns: []string{"a"}},
		{Name: "slow", Patterns: []string{`(q+)+\1c|zzz(?=!)`}},
	}
	w := watch(t, stream.Policy{}, triggers...)
	for source, piece := range map[string]string{"1": "foo", "2": "x", "3": strings.Repeat("q", 40) + " zzz, c"} {
		if v, err := w.Feed(ctx, tool("edit", source, "a.md"), piece); err != nil || len(v.Fired) > 0 {
			t.Fatal(v, err)
		}
	}
	v, err := w.Feed(ctx, text, "a foobar")
	if got := told(t, v, err); got != "a!" {
		t.Fatal(got)
	}
	saved := w.Save()
	again := watch(t, stream.Policy{}, triggers...)
	again.StartTurn()
	if err := again.Restore(saved); err != nil {
		t.Fatal(err)
	}
	if got := string(again.Save()); len(got) != len(saved) {
		t.Errorf("saved again it is %q, was %q", got, saved)
	}
	for i, c := range []struct {
		source stream.Source
		piece  string
		want   string
	}{
		{thinking, "", "foobar!"},
		{tool("edit", "1", "a.md"), "bar", ""}, // it was told
		{tool("edit", "2", "b.ts"), "", "x!"},
		{tool("edit", "3"), "a", ""},
	} {
		v, err := again.Feed(ctx, c.source, c.piece)
		if got := told(t, v, err); got != c.want || len(v.Undecided) > 0 {
			t.Errorf("call %d: %q, want %q; undecided %v", i+1, got, c.want, v.Undecided)
		}
	}
	for n := range saved {
		if err := again.Restore(saved[:n]); err == nil {
			t.Errorf("cut to %d bytes: no error", n)
		}
	}
	if err := watch(t, stream.Policy{}, triggers[1:]...).Restore(saved); !errors.Is(err, stream.ErrOtherSet) {
		t.Errorf("other triggers: %v", err)
	}
}

func FuzzRestoreTurn(f *testing.F) {
	ctx := context.Background()
	set, _ := stream.Compile([]stream.Trigger{
		{Name: "a", Patterns: []string{"a"}},
		{Name: "b", Patterns: []string{`b(?!c)`}, Globs: []string{"*.ts"}},
		{Name: "c", Patterns: []string{`(q+)+\1r`}},
	}, stream.Options{})
	begin := func() *stream.Watcher {
		w, _ := stream.NewWatcher(ctx, set, nil, stream.Policy{})
		w.StartTurn()
		return w
	}
	for _, piece := range []string{"", "ab d", "b " + strings.Repeat("q", 40) + " r"} {
		w := begin()
		_, _ = w.Feed(ctx, text, piece)
		_, _ = w.Feed(ctx, tool("edit", "1"), piece)
		_, _ = w.FeedCall(ctx, stream.Call{Tool: "write", ID: "2"}, `{"content": "`+piece)
		f.Add(w.Save())
	}
	f.Fuzz(func(t *testing.T, saved []byte) {
		w := begin()
		if w.Restore(saved) != nil {
			return
		}
		_, _ = w.Feed(ctx, tool("edit", "1", "a.ts"), "ab")
		_, _ = w.FeedCall(ctx, stream.Call{Tool: "write", ID: "2"}, `ab", "path": "a.ts"}`)
		_, _ = w.EndCall(ctx, stream.Call{Tool: "write", ID: "2"})
		_ = w.Save()
		if _, err := w.End(ctx, text); err != nil {
			t.Error(err)
		}
	})
}

// TestProblemsOfTheirOwn: what is wrong with a trigger itself is not said to be because the set is full.
func TestProblemsOfTheirOwn(t *testing.T) {
	_, problems := stream.Compile([]stream.Trigger{{Name: "a", Patterns: []string{"(", "x"}, Scope: []string{"", "nowhere("}, Globs: []string{"a{b", "[a"}}}, stream.Options{})
	for _, p := range problems {
		if p.Full {
			t.Errorf("%+v", p)
		}
	}
	if len(problems) < 4 {
		t.Errorf("only %+v", problems)
	}
}

// TestEndInterruptsOnce: what the end decides interrupts once, broken bytes that it ends in as well.
func TestEndInterruptsOnce(t *testing.T) {
	ctx := context.Background()
	w := watch(t, stream.Policy{Budget: 2}, stream.Trigger{Name: "one", Patterns: []string{"x[^]"}}, stream.Trigger{Name: "two", Patterns: []string{"x[^]{2}"}}, stream.Trigger{Name: "next", Patterns: []string{"z"}})
	if v, err := w.Feed(ctx, text, "x\xe2\x82"); told(t, v, err) != "" {
		t.Fatal(v)
	}
	if v, err := w.End(ctx, text); told(t, v, err) != "one,two!" {
		t.Errorf("at the end: %+v", v)
	}
	if v, err := w.Feed(ctx, tool("edit", "1"), "z"); told(t, v, err) != "next!" {
		t.Errorf("after it: %+v", v)
	}
}
