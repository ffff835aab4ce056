package stream

import (
	"context"
	"sync"

	"github.com/pertain-dev/pertain/stream/internal/effort"
)

// Watcher watches all streams of one conversation and applies the policy. It is
// safe for concurrent use.
//
// The host calls StartUserTurn when a person has spoken, StartTurn before every
// request to the model, Feed with each piece of the answer, and End when a stream
// of it has ended; for tool calls FeedCall and EndCall, which read their arguments. When
// a verdict says Interrupt, the host aborts the request, adds the verdict's block to the
// conversation and sends it again. When it has added a block, of an interruption or as
// a reminder, it says so with Injected: only then a rule counts as one that the model
// was shown. One that fired and was never shown fires again in the next turn.
//
// What is told does not depend on how the answer was cut into pieces. Feed tells what
// fires up to the first offset at which the model is to be interrupted, and what fires
// right there; the model is taken to have said nothing after it. If the piece went
// on and something fires there too, that is held back. A host
// that goes on in spite of the interruption is told it by its next call, of whatever
// stream, in the same way, and End tells everything that is left. So a host that wants
// all that fires in a text feeds it, ends it, and takes both verdicts together.
type Watcher struct {
	set    *Set
	policy Policy
	memory Memory

	mu      sync.Mutex
	record  Record
	changed bool // the record was not saved yet
	streams map[streamKey]*watched
	calls   map[string]*watchedCall // by their ID
	told    map[int]bool            // triggers that fired in this turn
	names   map[string]bool         // of their rules; two files may name a rule alike
	held    []event                 // what has fired and was not told yet, in order
	share   effort.Share            // what no stream of this turn has
}

type streamKey struct {
	kind    Kind
	id      string
	segment int // of a call, from 1 on; 0: a stream that the host feeds itself
}

// Fired is a trigger that fired.
type Fired struct {
	Trigger *Trigger
	Source  Source
	// Offset is that of a Firing. In a call it counts the bytes of what the call adds to
	// the file, or to none.
	Offset int64
	turn   int64 // at which it fired
}

// Verdict is what came of a piece. The zero value says that nothing fired.
type Verdict struct {
	Fired []Fired
	// Interrupt says to abort the request and send it again with the block. If it
	// is false and something fired, the block is a reminder for the next request.
	// What fired before the offset of the interruption, as reminders, is in the block
	// too.
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
	record.mend()
	w := &Watcher{set: set, policy: policy, memory: memory, record: record}
	w.reset()
	return w, nil
}

func (w *Watcher) reset() {
	w.streams = make(map[streamKey]*watched)
	w.calls = make(map[string]*watchedCall)
	w.told = make(map[int]bool)
	w.names = make(map[string]bool)
	w.held = nil
	w.share = effort.TurnShare()
}

// StartUserTurn gives back the budget of interruptions.
func (w *Watcher) StartUserTurn() {
	w.mu.Lock()
	defer w.mu.Unlock()
	// Saved with the next piece. If the process ends before, the person's next turn
	// gives it back.
	w.changed = w.changed || w.record.Interrupted != 0
	w.record.Interrupted, w.record.Foreign = 0, 0
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

// Feed takes the next piece of a stream; "" only tells which files are known by now.
// The error is that of the memory alone; the verdict is good in any case.
func (w *Watcher) Feed(ctx context.Context, source Source, piece string) (Verdict, error) {
	if w.policy.Disabled {
		return Verdict{}, nil
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	verdict := w.runOne(portion{source, 0, piece, false})
	return verdict, w.save(ctx)
}

// End says that a stream has ended. What was held back, in this stream and in others,
// is told with what the end decides.
func (w *Watcher) End(ctx context.Context, source Source) (Verdict, error) {
	return w.take(ctx, true, func() []portion { return []portion{{source, 0, "", true}} })
}

// Injected says that the model was shown what a verdict tells, or certainly will be
// with the next request. The error is that of the memory: the rules count as shown, and
// the next call saves that.
func (w *Watcher) Injected(ctx context.Context, verdict Verdict) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, f := range verdict.Fired {
		turn := f.turn
		if turn == 0 { // not by a watcher
			turn = w.record.Turn
		}
		w.record.Injected[f.Trigger.Name] = max(turn, w.record.Injected[f.Trigger.Name])
		w.changed = true
	}
	return w.save(ctx)
}

// take runs portions of streams; all says that nothing is to be held back.
func (w *Watcher) take(ctx context.Context, all bool, portions func() []portion) (Verdict, error) {
	if w.policy.Disabled {
		return Verdict{}, nil
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	verdict := w.run(portions(), all)
	return verdict, w.save(ctx)
}

// save keeps the record, if it has changed.
func (w *Watcher) save(ctx context.Context) error {
	if !w.changed {
		return nil
	}
	if err := w.memory.Save(ctx, w.record.clone()); err != nil {
		return err
	}
	w.changed = false
	return nil
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
