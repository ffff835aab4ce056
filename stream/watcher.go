package stream

import (
	"context"
	"sync"
)

// Watcher watches all streams of one conversation and applies the policy. It is
// safe for concurrent use.
//
// The host calls StartUserTurn when a person has spoken, StartTurn before every
// request to the model, Feed with each piece of the answer, and End when a stream
// of it has ended. When a verdict says Interrupt, the host aborts the request, adds
// the verdict's block to the conversation and sends it again.
type Watcher struct {
	set    *Set
	policy Policy
	memory Memory

	mu      sync.Mutex
	record  Record
	changed bool // the record was not saved yet
	streams map[streamKey]*watched
	told    map[int]bool // triggers that fired in this turn
}

type streamKey struct {
	kind Kind
	id   string
}

// watched is one stream. Firings that wait for the files of a tool call are kept.
type watched struct {
	stream  *Stream
	source  Source
	waiting []Firing
	told    map[Undecided]bool // by trigger, pattern and reason alone; nil: none
}

// Fired is a trigger that fired.
type Fired struct {
	Trigger *Trigger
	Source  Source
	Offset  int64 // see Firing
}

// Verdict is what a piece came to. The zero value is: nothing.
type Verdict struct {
	Fired []Fired
	// Interrupt says to abort the request and send it again with the block. If it
	// is false and something fired, the block is a reminder for the next request.
	Interrupt bool
	// Discard says to drop the message that was interrupted.
	Discard bool
	// Undecided is what this piece has made undecided: each expression and reason
	// once in a stream. A match may have been missed; the host may tell a person.
	Undecided []Undecided
}

// Injection gives the block for the model; "" if nothing fired.
func (v Verdict) Injection() string {
	var triggers []*Trigger
	for _, f := range v.Fired {
		triggers = append(triggers, f.Trigger)
	}
	return Injection(triggers...)
}

// NewWatcher goes on with what memory knows of the conversation: which rules were
// injected when, and how much of the budget of the user's turn is used up. A nil
// memory forgets with the process.
func NewWatcher(ctx context.Context, set *Set, memory Memory, policy Policy) (*Watcher, error) {
	if memory == nil {
		memory = &Forgetful{}
	}
	record, err := memory.Load(ctx)
	if err != nil {
		return nil, err
	}
	if record.Injected == nil {
		record.Injected = make(map[string]int64)
	}
	record.Interrupted = max(record.Interrupted, 0) // whoever wrote it
	w := &Watcher{set: set, policy: policy, memory: memory, record: record}
	w.reset()
	return w, nil
}

func (w *Watcher) reset() {
	w.streams = make(map[streamKey]*watched)
	w.told = make(map[int]bool)
}

// StartUserTurn gives back the budget of interruptions.
func (w *Watcher) StartUserTurn() {
	w.mu.Lock()
	defer w.mu.Unlock()
	// Saved with the next piece. If the process ends before, the person's next turn
	// gives it back.
	w.changed = w.changed || w.record.Interrupted != 0
	w.record.Interrupted = 0
}

// StartTurn begins a new answer of the model: all buffers are empty again.
func (w *Watcher) StartTurn() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.record.Turn++
	// When rules may fire again, it counts how many turns ago they did, in the next
	// process too.
	w.changed = w.changed || w.policy.RepeatMode == AfterGap && len(w.record.Injected) > 0
	w.reset()
}

// Turn gives the number of the present turn.
func (w *Watcher) Turn() int64 {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.record.Turn
}

// Feed takes the next piece of a stream. The error is that of the memory alone; the
// verdict is good in any case.
func (w *Watcher) Feed(ctx context.Context, source Source, piece string) (Verdict, error) {
	return w.take(ctx, source, func(s *Stream) []Firing { return s.Feed(piece) })
}

// End says that a stream has ended.
func (w *Watcher) End(ctx context.Context, source Source) (Verdict, error) {
	return w.take(ctx, source, (*Stream).End)
}

func (w *Watcher) take(ctx context.Context, source Source, run func(*Stream) []Firing) (Verdict, error) {
	if w.policy.Disabled {
		return Verdict{}, nil
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	verdict := w.run(source, run)
	if w.changed {
		w.changed = false
		if err := w.memory.Save(ctx, w.record.clone()); err != nil {
			w.changed = true
			return verdict, err
		}
	}
	return verdict, nil
}

func (w *Watcher) run(source Source, run func(*Stream) []Firing) Verdict {
	s := w.stream(source)
	if s == nil {
		return Verdict{}
	}
	if len(source.Paths) > 0 {
		s.source.Paths = source.Paths
	}
	found := run(s.stream)
	open := w.undecided(s)
	if len(found) == 0 && (len(s.waiting) == 0 || len(s.source.Paths) == 0) {
		return Verdict{Undecided: open}
	}
	verdict := w.judge(s, found)
	verdict.Undecided = open
	return verdict
}

// undecided gives what a stream has not told yet.
func (w *Watcher) undecided(s *watched) []Undecided {
	var out []Undecided
	for _, u := range s.stream.Undecided() {
		key := Undecided{Trigger: u.Trigger, Pattern: u.Pattern, Reason: u.Reason}
		if s.told[key] || !w.set.scopes[u.Trigger].watches(&s.source) {
			continue
		}
		if s.told == nil {
			s.told = make(map[Undecided]bool)
		}
		s.told[key] = true
		out = append(out, u)
	}
	return out
}

// stream gives the watched stream of a source, nil if no trigger watches it.
func (w *Watcher) stream(source Source) *watched {
	key := streamKey{source.Kind, source.ID}
	s, ok := w.streams[key]
	if !ok {
		if w.set.watches(&source) {
			s = &watched{stream: w.set.Stream(), source: source}
		}
		w.streams[key] = s
	}
	return s
}

// Watches says whether a trigger watches a source, whatever the files.
func (s *Set) Watches(trigger int, source Source) bool { return s.scopes[trigger].watches(&source) }

// Applies says whether a trigger that watches a source fires in it, by the files
// that it touches.
func (s *Set) Applies(trigger int, source Source) bool {
	return s.scopes[trigger].watches(&source) && !s.scopes[trigger].narrowed(&source)
}

// watches says whether any trigger watches a source.
func (s *Set) watches(source *Source) bool {
	for i := range s.scopes {
		if s.scopes[i].watches(source) {
			return true
		}
	}
	return false
}

// judge applies scope, globs and policy to what was found.
func (w *Watcher) judge(s *watched, found []Firing) Verdict {
	var verdict Verdict
	all := append(s.waiting, found...)
	s.waiting = nil
	for _, f := range all {
		scope := &w.set.scopes[f.Trigger]
		if !scope.watches(&s.source) || w.told[f.Trigger] {
			continue
		}
		if scope.narrowed(&s.source) {
			if len(s.source.Paths) == 0 {
				s.waiting = append(s.waiting, f)
			}
			continue
		}
		t := w.set.Trigger(f.Trigger)
		if last, ok := w.record.Injected[t.Name]; ok && !w.policy.repeats(last, w.record.Turn) {
			continue
		}
		w.told[f.Trigger] = true
		w.record.Injected[t.Name] = w.record.Turn
		w.changed = true
		verdict.Fired = append(verdict.Fired, Fired{t, s.source, f.Offset})
	}
	if len(verdict.Fired) > 0 && w.policy.interrupts(s.source.Kind) && w.record.Interrupted < w.policy.budget() {
		w.record.Interrupted++
		verdict.Interrupt = true
		verdict.Discard = w.policy.ContextMode != Keep
	}
	return verdict
}
