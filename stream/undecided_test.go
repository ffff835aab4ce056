package stream_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/pertain-dev/pertain/stream"
)

// open gives what is undecided in short.
func open(list []stream.Undecided) string {
	var out []string
	for _, u := range list {
		out = append(out, fmt.Sprintf("%d.%d %d-%d %s", u.Trigger, u.Pattern, u.From, u.To, u.Reason))
	}
	return strings.Join(out, ", ")
}

// TestGivenUp: a place that takes too many steps is given up and told, and all
// others are tried.
func TestGivenUp(t *testing.T) {
	many := strings.Repeat("a", 40)
	for _, c := range []struct {
		pattern, text string
		fires         string
		undecided     string // what it begins with
	}{
		{`(a+)+\1c|zzz(?=!)`, strings.Repeat("a", 18) + " zzz! end", "23", ""},
		{`(a+)+\1c|zzz(?=!)`, many + " zzz! end", "45", ""},
		{`(a+)+\1c|zzz(?=!)`, many + " zzz, c", "", "0.0 0-"},
		{`(a+)+\1b`, many + " then aab", "49", ""},
		{`(a|a)*\1$`, many + "c", "41", ""},
		{`(a+)+\1c`, many + "c", "41", ""},
		// Without back-references there is nothing to give up.
		{`(?=(a+)+b)x`, many, "", ""},
		{`(a+)+(?=c)!|zzz(?=!)`, many + "c zzz!", "46", ""},
		{`(a+)+$`, many + "c", "", ""},
	} {
		set := compile(t, c.pattern)
		st := set.Stream()
		fires := ""
		for _, f := range append(slices.Clone(st.Feed(c.text)), st.End()...) {
			fires = fmt.Sprint(f.Decided)
		}
		got := open(st.Undecided())
		if fires != c.fires || !strings.HasPrefix(got, c.undecided) || got != "" && c.undecided == "" {
			t.Errorf("/%s/ on %q: fires at %q, want %q; undecided %q, want %q", c.pattern, c.text, fires, c.fires, got, c.undecided)
		}
	}
}

// TestGivenUpAnywhere: what is undecided does not depend on the pieces, nor on
// whether the stream was saved and restored in between.
func TestGivenUpAnywhere(t *testing.T) {
	t.Parallel()
	set := compile(t, `(a+)+\1c|zzz(?=!)`, `(?:(b|bb)+\1)+d`, `([ab]+)*\1\1e`, `foo(?!bar)`)
	w := newWriter(51)
	for range rounds(12) {
		var b strings.Builder
		for range 3 {
			b.WriteString(strings.Repeat("a", w.IntN(40)) + w.pick("c", " ", "") + strings.Repeat("b", w.IntN(40)) + w.pick("d", "e", " zzz!", "foob", ""))
		}
		text := b.String()
		whole := set.Stream()
		want := append(slices.Clone(whole.Feed(text)), whole.End()...)
		for range 3 {
			st := set.Stream()
			var got []stream.Firing
			for _, piece := range w.pieces(text) {
				got = append(got, st.Feed(piece)...)
				restored, err := set.Restore(st.Save())
				if err != nil {
					t.Fatal(err)
				}
				st = restored
			}
			got = append(got, st.End()...)
			if !slices.Equal(got, want) || open(st.Undecided()) != open(whole.Undecided()) {
				t.Fatalf("%q: whole %v and %s, in pieces %v and %s", text, want, open(whole.Undecided()), got, open(st.Undecided()))
			}
		}
	}
}

func TestVerdictTellsUndecided(t *testing.T) {
	ctx := context.Background()
	w := watch(t, stream.Policy{},
		stream.Trigger{Name: "slow", Patterns: []string{"x", `(a+)+\1c`}},
		stream.Trigger{Name: "elsewhere", Patterns: []string{`(a+)+\1c`}, Scope: []string{"thinking"}})
	pieces := []string{strings.Repeat("a", 40), "!c", "!c", "!c"}
	told := 0
	for _, piece := range pieces {
		v, err := w.Feed(ctx, text, piece)
		if err != nil || len(v.Fired) > 0 {
			t.Fatal(v, err)
		}
		for _, u := range v.Undecided {
			told++
			if u.Trigger != 0 || u.Pattern != 1 || u.Reason != stream.StepLimit || u.From != 0 || u.Starts < 1 {
				t.Errorf("%+v", u)
			}
			if s := u.String(); !strings.HasPrefix(s, "pattern 2 is undecided between byte 0 and byte ") {
				t.Error(s)
			}
		}
	}
	if told != 1 {
		t.Errorf("told %d times", told)
	}
}

func TestScanTellsUndecided(t *testing.T) {
	set := compile(t, `(a+)+\1c`, `x`)
	scanner := set.Scanner()
	found := scanner.Scan(strings.Repeat("a", 40) + "! c x\naac")
	if got := fmt.Sprint(found); got != "[{1 44 45} {0 46 49}]" {
		t.Errorf("found %s", got)
	}
	if got := open(scanner.Undecided()); !strings.HasPrefix(got, "0.0 0-") {
		t.Errorf("undecided %s", got)
	}
	scanner.Scan("x")
	if got := scanner.Undecided(); len(got) > 0 {
		t.Errorf("undecided in the next text %v", got)
	}
}

// TestUndecidedApart: what is undecided of each pattern of each trigger is told apart, and all places of one together.
func TestUndecidedApart(t *testing.T) {
	set, _ := stream.Compile([]stream.Trigger{
		{Name: "a", Patterns: []string{`(a+)+\1c`, `([ab]+)+\1d`}},
		{Name: "b", Patterns: []string{`(b+)+\1c`}},
	}, stream.Options{})
	scanner := set.Scanner()
	scanner.Scan(strings.Repeat("a", 30) + "! " + strings.Repeat("b", 30) + "! c d")
	open := scanner.Undecided()
	for i, want := range []struct {
		trigger, pattern int
		from             int64
	}{{0, 0, 0}, {0, 1, 0}, {1, 0, 32}} {
		if i >= len(open) || open[i].Trigger != want.trigger || open[i].Pattern != want.pattern || open[i].From != want.from || open[i].Reason != stream.StepLimit {
			t.Fatalf("%+v, want %+v at %d", open, want, i)
		}
	}
	if len(open) != 3 || open[0].To >= 32 || open[1].To <= 32 || open[0].Starts != int(open[0].To-open[0].From) {
		t.Errorf("%+v", open)
	}
}

// TestAllTriggersTogether: what a text takes does not grow with the number of slow triggers. They are told as undecided; what is quick
// is found, and so is what the user's own triggers look for, however much others take.
func TestAllTriggersTogether(t *testing.T) {
	t.Parallel()
	text := strings.Repeat("The quick brown fox jumps over the lazy dog, and then it rests a while.\n", 60)[:4000] + " no no 7~~ qq"
	for _, slow := range []string{`([^~]{1000}){%d}[0-9]`, `(?:(?:([^~]?)\1){200}){%d}~`, `(?:[^~]{%d}[^~]{900}){600}(?=[0-9])`} {
		steps := map[int]int64{}
		for _, n := range []int{300, 600} {
			triggers := []stream.Trigger{{Name: "own", Patterns: []string{`(?:[^~]{900}){4}[^~]*(~)\1`}, Own: true}, {Name: "quick", Patterns: []string{`\b(no) \1\b`}}}
			for i := range n {
				triggers = append(triggers, stream.Trigger{Patterns: []string{fmt.Sprintf(slow, 500+i)}})
			}
			set, problems := stream.Compile(triggers, stream.Options{})
			if len(problems) > 0 {
				t.Fatal(problems)
			}
			st := set.Stream()
			fired := map[int]bool{}
			for _, f := range append(slices.Clone(st.Feed(text)), st.End()...) {
				fired[f.Trigger] = true
			}
			open := map[int]bool{}
			for _, u := range st.Undecided() {
				open[u.Trigger] = true
			}
			if steps[n] = stream.AllSteps(st); !fired[0] || !fired[1] || len(fired)+len(open) != n+2 {
				t.Errorf("%s, %d of them: own %v, quick %v, %d fired, %d undecided", slow, n, fired[0], fired[1], len(fired), len(open))
			}
		}
		if most := int64(80 << 20); steps[300] > most || steps[600] > steps[300]*5/4 {
			t.Errorf("%s: %v steps", slow, steps)
		}
	}
}

// longTrials are expressions that use up the steps of a place even where there is no
// text: at the end of one, and before there is any.
var longTrials = []string{
	`(?:(?:a?){300}){300}`, `(?:(?:a*){1000}){1000}`, `(?:(?:(a?)\1){200}){200}`, `(?:(?:(?:a?){64}){64}){64}`,
	`(?:(?:a?){300}){300}x`, `(?:(?:(?!b)a?){300}){300}$`, `(?:(?:(?<=(b?))\1?){300}){300}c`, `(?:(?:\b|(a?)\1){200}){200}\n`,
}

// TestGivenUpAtTheEnd: the end of a text is a place too. If it is given up, what is told
// of it lies in the text, and a stream that was saved there goes on.
func TestGivenUpAtTheEnd(t *testing.T) {
	t.Parallel()
	for _, pattern := range longTrials {
		set := compile(t, pattern)
		for _, text := range []string{"", "h", "hello", "a", "é", "a\xe2", "\xff", "ab\n", "b漢c"} {
			whole := set.Stream()
			want := append(slices.Clone(whole.Feed(text)), whole.End()...)
			for cut := range len(text) + 1 {
				st := set.Stream()
				got := slices.Clone(st.Feed(text[:cut]))
				within(t, pattern, text[:cut], st.Undecided())
				st, err := set.Restore(st.Save())
				if err != nil {
					t.Fatalf("/%s/ on %q, saved at %d: %v", pattern, text, cut, err)
				}
				got = append(got, st.Feed(text[cut:])...)
				if got = append(got, st.End()...); !slices.Equal(got, want) || open(st.Undecided()) != open(whole.Undecided()) {
					t.Errorf("/%s/ on %q: whole %v and %q, saved at %d %v and %q", pattern, text, want, open(whole.Undecided()), cut, got, open(st.Undecided()))
				}
				within(t, pattern, text, st.Undecided())
			}
			scanner := set.Scanner()
			found := scanner.Scan(text)
			within(t, pattern, text, scanner.Undecided())
			if len(want)+len(found) == 0 && len(whole.Undecided()) == 0 && len(scanner.Undecided()) > 0 {
				t.Errorf("/%s/ on %q: only the scan is undecided: %s", pattern, text, open(scanner.Undecided()))
			}
		}
	}
	set := compile(t, longTrials[0])
	st := set.Stream()
	st.Feed("hello")
	st.End()
	if got := fmt.Sprint(st.Undecided()); got != "[pattern 1 is undecided between byte 0 and byte 5: a match there takes too many steps to find]" || st.Undecided()[0].Starts != 6 {
		t.Errorf("%s, %d starts", got, st.Undecided()[0].Starts)
	}
}

// within wants what is undecided to lie in the text.
func within(t *testing.T, pattern, text string, list []stream.Undecided) {
	t.Helper()
	for _, u := range list {
		if u.From < 0 || u.From > u.To || u.To > int64(len(text)) || u.Starts < 1 || u.Starts > len(text)+1 {
			t.Errorf("/%s/ on %q: %+v", pattern, text, u)
		}
	}
}

// TestHintIsOfThePattern: what to do is said of the pattern that is undecided, not of another one of its trigger or of
// another trigger's.
func TestHintIsOfThePattern(t *testing.T) {
	set, problems := stream.Compile([]stream.Trigger{
		{Name: "both", Patterns: []string{`(a+)-\1!`, `zz(?=[^w]*Q)`}},
		{Name: "refers", Patterns: []string{`x(?!y)`, `(b+)-\1!`}},
		{Name: "none", Patterns: []string{`plain`}},
	}, stream.Options{})
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	for _, c := range []struct {
		trigger, pattern int
		reason           stream.Reason
		want             string
	}{
		{0, 0, stream.StepLimit, "write it without back-references and repetitions inside of repetitions"},
		{0, 0, stream.WorkLimit, "write it without back-references"},
		{0, 1, stream.StepLimit, "write it smaller, with less to repeat, or as several patterns"},
		{1, 0, stream.WorkLimit, "write it smaller, with less to repeat, or as several patterns"},
		{1, 1, stream.WorkLimit, "write it without back-references"},
		{2, 0, stream.StepLimit, "write it smaller, with less to repeat, or as several patterns"},
	} {
		if got := set.Hint(stream.Undecided{Trigger: c.trigger, Pattern: c.pattern, Reason: c.reason}); got != c.want {
			t.Errorf("pattern %d of trigger %d, %s: %q", c.pattern, c.trigger, c.reason, got)
		}
	}
}

// TestUndecidedBeforeInterruption: what is undecided in text before an interruption is told with it, whether the host feeds a stream or
// a call.
func TestUndecidedBeforeInterruption(t *testing.T) {
	ctx := context.Background()
	triggers := []stream.Trigger{{Name: "foo", Patterns: []string{"foo"}}, {Name: "slow", Patterns: []string{`(a+)+\1c`}}}
	said := "so " + strings.Repeat("a", 40) + "! c foo, " + strings.Repeat("b", 40)
	stopped := watch(t, stream.Policy{}, triggers...)
	v, err := stopped.Feed(ctx, text, said)
	if told(t, v, err) != "foo!" || len(v.Undecided) != 1 || v.Undecided[0].From < 3 {
		t.Errorf("a stream: %+v", v)
	}
	stopped = watch(t, stream.Policy{}, triggers...)
	v, err = stopped.FeedCall(ctx, stream.Call{Tool: "write", ID: "1"}, `{"path": "x", "content": "`+said)
	if told(t, v, err) != "foo!" || len(v.Undecided) != 1 || v.Undecided[0].From < 3 {
		t.Errorf("a call: %+v", v)
	}
}

// TestTryLater: what was put off for want of steps goes on where the text has brought enough of them, and not where a piece ends.
func TestTryLater(t *testing.T) {
	t.Parallel()
	set := compile(t, `(a+)+\1c|(z)\2q`, `(a+)+\1c0`)
	for gap := 6000; gap <= 12000; gap += 3000 {
		text := strings.Repeat(strings.Repeat("a", 30)+"! c ", 30) + "zzq" + strings.Repeat("y. ", gap/3) + " zzq and more " + strings.Repeat("y. ", 700)
		run := func(size int) string {
			st := set.Stream()
			var out []stream.Firing
			for piece := range slices.Chunk([]byte(text), size) {
				out = append(out, st.FeedBytes(piece)...)
			}
			out = append(out, st.End()...)
			return fmt.Sprint(out, open(st.Undecided()))
		}
		if whole, cut := run(len(text)), run(7); whole != cut {
			t.Errorf("%d: whole %s, in pieces %s", gap, whole, cut)
		}
	}
}
