package stream_test

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/pertain-dev/pertain/stream"
	"github.com/pertain-dev/pertain/toolcall"
)

// triggerOf reads a trigger: its name, its patterns between tildes, and words for the rest.
func triggerOf(t *testing.T, written string) stream.Trigger {
	t.Helper()
	name, rest, _ := strings.Cut(written, " ~")
	last := strings.LastIndexByte(rest, '~')
	trigger := stream.Trigger{Name: name, Path: name + ".md", Body: "Not " + name + ".", Patterns: strings.Split(rest[:last], "~~")}
	for word := range strings.FieldsSeq(rest[last+1:]) {
		key, value, _ := strings.Cut(word, "=")
		switch key {
		case "own":
			trigger.Own = true
		case "scope":
			trigger.Scope = append(trigger.Scope, value)
		case "glob":
			trigger.Globs = append(trigger.Globs, value)
		case "ext":
			trigger.Extglobs = true
		case "mode":
			trigger.InterruptMode = stream.InterruptMode(value)
		default:
			t.Fatal(written)
		}
	}
	return trigger
}

// sourceOf reads a source: text, thinking, or tool:NAME:ID:DOES:PATHS.
func sourceOf(written string) stream.Source {
	parts := append(strings.Split(written, ":"), "", "", "", "")
	source := stream.Source{Tool: parts[1], ID: parts[2]}
	switch parts[0] {
	case "thinking":
		source.Kind = stream.Thinking
	case "tool":
		source.Kind = stream.Tool
	}
	does, _ := strconv.Atoi(parts[3])
	source.Does = toolcall.Kind(does)
	if parts[4] != "" {
		source.Paths = strings.Split(parts[4], ",")
	}
	return source
}

// judged writes a verdict.
func judged(v stream.Verdict, err error) string {
	var b strings.Builder
	for _, f := range v.Fired {
		fmt.Fprintf(&b, " %s at %d of %s %q %q %v %d", f.Trigger.Name, f.Offset, f.Source.Kind, f.Source.Tool, f.Source.ID, f.Source.Paths, f.Source.Does)
	}
	if v.Interrupt {
		b.WriteString(" interrupt")
	}
	if v.Discard {
		b.WriteString(" discard")
	}
	for _, u := range v.Undecided {
		fmt.Fprintf(&b, " undecided %+v", u)
	}
	if err != nil {
		fmt.Fprintf(&b, " %v", err)
	}
	return b.String()
}

// TestTurnsStepByStep holds what a watcher tells of conversations, step by step, and what
// it keeps. After each step the turn is saved and goes on in another watcher.
func TestTurnsStepByStep(t *testing.T) {
	sources := []stream.Source{sourceOf("text"), sourceOf("thinking"), sourceOf("tool:edit:1:0:a.go"), sourceOf("tool:read:1:0:a.go")}
	golden(t, "turns.golden", func(parts []string) string {
		var policy stream.Policy
		for word := range strings.FieldsSeq(parts[0]) {
			name, value, _ := strings.Cut(word, "=")
			n, _ := strconv.Atoi(value)
			switch name {
			case "disabled":
				policy.Disabled = true
			case "keep":
				policy.ContextMode = stream.Keep
			case "gap":
				policy.RepeatMode, policy.RepeatGap = stream.AfterGap, n
			case "mode":
				policy.InterruptMode = stream.InterruptMode(value)
			case "budget":
				policy.Budget = n
			}
		}
		var triggers []stream.Trigger
		steps := parts[1:]
		for strings.Contains(steps[0], " ~") {
			triggers = append(triggers, triggerOf(t, steps[0]))
			steps = steps[1:]
		}
		var b strings.Builder
		set, problems := stream.Compile(triggers, stream.Options{})
		for _, p := range problems {
			fmt.Fprintf(&b, "! %+v %s\n", p, p)
		}
		b.WriteString(set.Scopes())
		memory := &stream.Forgetful{}
		ctx := t.Context()
		w, err := stream.NewWatcher(ctx, set, memory, policy)
		if err != nil {
			t.Fatal(err)
		}
		var last stream.Verdict
		for _, step := range steps {
			what, rest, _ := strings.Cut(step, " ")
			told, err := taken(ctx, t, w, what, rest, &last)
			record, _ := memory.Load(ctx)
			fmt.Fprintf(&b, "%s:%s%s; turn %d, record %+v, silent", step, told, judged(stream.Verdict{}, err), w.Turn(), record)
			for i := range triggers {
				fmt.Fprintf(&b, " %v", w.Silent(i))
			}
			b.WriteString(", may interrupt")
			for _, s := range sources {
				fmt.Fprintf(&b, " %v", w.MayInterrupt(s))
			}
			saved := w.Save()
			fmt.Fprintf(&b, ", begins at %d, saved %s\n", w.Begin(sources[0], "said before"), stream.Sum(saved))
			next, err := stream.NewWatcher(ctx, set, memory, policy)
			if err != nil {
				t.Fatal(err)
			}
			goesOn := what == "feed" || what == "end" || what == "call" || what == "endcall" || what == "restart" || what == "shown" // after others something is not in the memory yet
			if err := next.Restore(saved); err != nil || goesOn && stream.Sum(next.Save()) != stream.Sum(saved) {
				t.Errorf("%s, after %s: restored %v, saved %s", parts, step, err, stream.Sum(next.Save()))
			}
			if what == "restart" {
				fmt.Fprintf(&b, "damaged %s\n", damagedTurn(set, saved))
			}
			if goesOn {
				w = next
			}
		}
		return b.String()
	})
}

// taken takes a step: FEED, END, CALL, ENDCALL and so on, in small letters.
func taken(ctx context.Context, t *testing.T, w *stream.Watcher, what, rest string, last *stream.Verdict) (string, error) {
	t.Helper()
	where, quoted, _ := strings.Cut(rest, " ")
	text, _ := strconv.Unquote(quoted)
	source := sourceOf(where)
	call := stream.Call{Tool: source.Tool, ID: source.ID}
	if source.Does == 1 {
		call.Relative = func(path string) string { return "relative/" + path }
	} else if source.Does == 2 {
		call.Names = func(path string) []string { return []string{"one/" + path, "two/" + path} }
	}
	var err error
	switch what {
	case "user":
		w.StartUserTurn()
		return "", nil
	case "turn":
		w.StartTurn()
		return "", nil
	case "shared":
		return "", w.StartShared(ctx)
	case "shown":
		return "", w.Injected(ctx, *last)
	case "restart", "fresh":
		return "", nil
	case "feed":
		*last, err = w.Feed(ctx, source, text)
	case "end":
		*last, err = w.End(ctx, source)
	case "call":
		*last, err = w.FeedCall(ctx, call, text)
	case "endcall":
		*last, err = w.EndCall(ctx, call)
	case "claim":
		trigger, _ := strconv.Atoi(text)
		*last, err = w.Claim(ctx, source, []stream.Firing{{Trigger: trigger, Offset: 7, Decided: 8}})
	default:
		t.Fatal(what)
	}
	return judged(*last, err), nil
}

// damagedTurn writes which changed and shorter bytes of a saved turn are restored: r, or d for
// damaged and o for another set's.
func damagedTurn(set *stream.Set, saved []byte) string {
	try := func(changed []byte) byte {
		w, err := stream.NewWatcher(context.Background(), set, nil, stream.Policy{})
		if err != nil {
			return '?'
		}
		switch err := w.Restore(changed); {
		case err == nil:
			w.Save()
			return 'r'
		case errors.Is(err, stream.ErrOtherSet):
			return 'o'
		}
		return 'd'
	}
	var b strings.Builder
	for i := range saved {
		for _, by := range []byte{1, 255, 128} {
			changed := append([]byte(nil), saved...)
			changed[i] += by
			b.WriteByte(try(changed))
		}
		if try(saved[:i]) == 'r' {
			fmt.Fprintf(&b, "[%d]", i)
		}
	}
	b.WriteByte(try(append(append([]byte(nil), saved...), 0)))
	return b.String()
}
