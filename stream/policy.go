package stream

import (
	"cmp"
	"context"
	"math"
	"slices"
	"strings"

	"github.com/pertain-dev/pertain/internal/markup"
	"github.com/pertain-dev/pertain/internal/visible"
)

// ContextMode says what happens to the message that was interrupted.
type ContextMode string

const (
	Discard ContextMode = "discard" // it is dropped
	Keep    ContextMode = "keep"    // it stays
)

// RepeatMode says whether a rule that was injected may fire again.
type RepeatMode string

const (
	Once     RepeatMode = "once"
	AfterGap RepeatMode = "after-gap" // after RepeatGap turns
)

// InterruptMode says in which streams a trigger interrupts; elsewhere it reminds.
type InterruptMode string

const (
	InterruptAlways InterruptMode = "always"
	ProseOnly       InterruptMode = "prose-only" // in text and thinking
	ToolOnly        InterruptMode = "tool-only"  // in tool calls
	InterruptNever  InterruptMode = "never"
)

// Policy says what to do when a trigger fires (docs/reference/triggers.md). The zero value is
// the default.
type Policy struct {
	Disabled      bool
	ContextMode   ContextMode   // "": Discard
	RepeatMode    RepeatMode    // "": Once
	RepeatGap     int           // turns; 0: 10
	InterruptMode InterruptMode // "": InterruptAlways
	Budget        int           // interruptions for one user turn; 0: 3; below: none
}

const (
	defaultGap    = 10
	defaultBudget = 3
)

// Interrupts says whether a trigger that fires in such a stream is to interrupt, as long
// as the budget lasts: by its own mode or, where it has none, by that of the policy.
func (p Policy) Interrupts(t *Trigger, k Kind) bool {
	if p.Disabled || p.budget() == 0 {
		return false
	}
	switch cmp.Or(t.InterruptMode, p.InterruptMode) {
	case ProseOnly:
		return k != Tool
	case ToolOnly:
		return k == Tool
	case InterruptNever:
		return false
	default:
		return true
	}
}

func (p *Policy) budget() int {
	if p.Budget == 0 {
		return defaultBudget
	}
	return max(p.Budget, 0)
}

// repeats says whether a rule that was injected at a turn may fire now.
func (p *Policy) repeats(injected, now int64) bool {
	if p.RepeatMode != AfterGap {
		return false
	}
	gap := int64(p.RepeatGap)
	if gap == 0 {
		gap = defaultGap
	}
	return max(now-injected, 0) >= gap // another process may have begun a later turn
}

// StartShared begins a turn of a conversation of which each turn is a process of its
// own, such as a call of a program; several may run at once. The budget then counts
// interrupted turns in a row: a turn that is not interrupted gives it back.
func (w *Watcher) StartShared(ctx context.Context) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.reset()
	return w.update(ctx, func(r *Record) bool {
		r.Turn++
		w.record = r.clone()
		r.Interrupted, r.Foreign = 0, 0 // until this one is interrupted, too
		return true
	})
}

// Claim judges triggers that fired at one offset of a stream which the host watches
// itself, with [Set.Stream], and counts what it tells as shown. Of several processes that
// share a memory and in which a rule fires at once, one is told.
func (w *Watcher) Claim(ctx context.Context, source Source, found []Firing) (Verdict, error) {
	var verdict Verdict
	found = slices.DeleteFunc(slices.Clone(found), func(f Firing) bool { return !w.set.Applies(f.Trigger, source) })
	if w.policy.Disabled || len(found) == 0 {
		return verdict, nil
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	err := w.update(ctx, func(r *Record) bool {
		for name, turn := range r.Injected {
			w.record.Injected[name] = max(turn, w.record.Injected[name])
		}
		interrupts := w.judge(event{in: &watched{source: source}, firings: found}, &verdict)
		for _, f := range verdict.Fired {
			w.record.Injected[f.Trigger.Name] = w.record.Turn
			r.Injected[f.Trigger.Name] = w.record.Turn
		}
		r.Turn = max(r.Turn, w.record.Turn) // somebody may have removed the file
		if interrupts {
			r.Interrupted = max(r.Interrupted, w.record.Interrupted)
			r.Foreign = min(max(r.Foreign, w.record.Foreign), r.Interrupted)
		}
		return len(verdict.Fired) > 0
	})
	w.changed = false
	return verdict, err
}

// update changes the record in the memory.
func (w *Watcher) update(ctx context.Context, change func(*Record) bool) error {
	mended := func(r *Record) bool { r.mend(); return change(r) }
	if shared, ok := w.memory.(SharedMemory); ok {
		return shared.Update(ctx, mended)
	}
	record, err := w.memory.Load(ctx)
	if err != nil || !mended(&record) {
		return err
	}
	return w.memory.Save(ctx, record)
}

// Silent says whether a trigger does not fire in this turn, since the model was shown
// its rule.
func (w *Watcher) Silent(trigger int) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.silent(trigger)
}

func (w *Watcher) silent(trigger int) bool {
	last, shown := w.record.Injected[w.set.Trigger(trigger).Name]
	return w.policy.Disabled || shown && !w.policy.repeats(last, w.record.Turn)
}

// MayInterrupt says whether some trigger may still interrupt a stream in this turn.
func (w *Watcher) MayInterrupt(source Source) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	for i := range w.set.Len() {
		t := w.set.Trigger(i)
		if w.set.Watches(i, source) && !w.silent(i) && w.policy.Interrupts(t, source.Kind) && w.affords(t.Own) {
			return true
		}
	}
	return false
}

// Injection gives the block that tells a model about rules: one element for each,
// in the order given. A text that several have stands once.
func Injection(triggers ...*Trigger) string {
	block, _ := InjectionWithin(math.MaxInt, triggers...)
	return block
}

// InjectionWithin is the block of those rules, in the order given, whose elements fit
// in so many bytes, each whole or not at all: a smaller one may fit where a larger one did
// not. fits says of each trigger whether it is in the block.
func InjectionWithin(most int, triggers ...*Trigger) (block string, fits []bool) {
	var b strings.Builder
	told := map[string]string{} // names, by text
	fits = make([]bool, len(triggers))
	for i, t := range triggers {
		body := strings.Trim(visible.Strip(t.Body), "\n")
		text := strings.TrimSpace(body)
		name, again := told[text]
		if !again && len(body) > most-b.Len() { // not worth making: it only grows
			continue
		}
		if again {
			body = "It says the same as the rule " + visible.Strip(name) + " above."
		}
		one := element(t, body)
		if b.Len() > 0 {
			one = "\n" + one
		}
		if len(one) > most-b.Len() {
			continue
		}
		if !again {
			told[text] = t.Name
		}
		b.WriteString(one)
		fits[i] = true
	}
	return b.String(), fits
}

// element is that of one rule.
func element(t *Trigger, body string) string {
	return `<system-interrupt reason="rule_violation" rule="` + attribute(t.Name) + `" path="` + attribute(t.Path) + "\">\n" + sealed.Body(body) + "\n</system-interrupt>"
}

// attribute makes a text safe as the value of an attribute. The name of a file may
// hold any bytes: what is no text is replaced, what nobody can see is left out.
func attribute(s string) string { return markup.Attribute(visible.Strip(s)) }

// sealed keeps a rule's text from what a model could take for the block's own.
var sealed = markup.Tags("system-interrupt")
