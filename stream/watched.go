package stream

import "slices"

// watched is one stream of a turn.
type watched struct {
	stream  *Stream
	source  Source // with all files that are known so far
	segment int    // see streamKey
	given   []string
	// waiting are triggers that matched and that only the files of the tool call keep
	// from firing: more of them may become known. Each trigger is there once at most.
	waiting []Firing
	told    map[Undecided]bool // by trigger, pattern and reason alone; nil: none
}

// event is what fires at one offset of a stream.
type event struct {
	in      *watched
	at      int64 // bytes that it took to decide
	firings []Firing
}

// stream gives the watched stream of a source, nil if no trigger watches it.
func (w *Watcher) stream(source Source, segment int) *watched {
	key := streamKey{source.Kind, source.ID, segment}
	s, ok := w.streams[key]
	if !ok {
		if w.set.watches(&source) {
			s = &watched{stream: w.set.Stream(), source: source, segment: segment}
			s.source.Paths = nil
			if s.stream.verifier != nil {
				s.stream.verifier.share = w.share.Take()
			}
		}
		w.streams[key] = s
	}
	return s
}

// learn adds files that a call touches, and says whether there are new ones. Those that
// were known stay: a call touches them, whichever it names last, unless it turns out that it may touch any.
func (s *watched) learn(source *Source) bool {
	own := s.learnOwn(source.OwnPaths)
	return s.learnPaths(source) || own
}

// learnOwn is learn for names that count for the user's own triggers alone.
func (s *watched) learnOwn(paths []string) (grown bool) {
	for _, p := range paths {
		if !slices.Contains(s.source.OwnPaths, p) {
			s.source.OwnPaths, grown = append(slices.Clip(s.source.OwnPaths), p), true
		}
	}
	return grown
}

func (s *watched) learnPaths(source *Source) bool {
	paths := source.Paths
	if source.Anywhere && !s.source.Anywhere {
		s.source.Anywhere, s.source.Paths, s.given = true, slices.Clone(paths), slices.Clone(paths)
		return true
	}
	if slices.Equal(paths, s.given) {
		return false
	}
	s.given = slices.Clone(paths)
	known := make(map[string]bool, len(s.source.Paths))
	for _, p := range s.source.Paths {
		known[p] = true
	}
	all := slices.Clone(s.source.Paths)
	for _, p := range paths {
		if !known[p] {
			known[p] = true
			all = append(all, p)
		}
	}
	grown := len(all) > len(s.source.Paths)
	s.source.Paths = all
	return grown
}

// portion is a piece of a stream, or its end.
type portion struct {
	source  Source
	segment int // see streamKey
	text    string
	end     bool
}

// runOne is run for one piece, of which there are many: mostly it fires nothing.
func (w *Watcher) runOne(p portion) (verdict Verdict) {
	s := w.stream(p.source, p.segment)
	if s == nil {
		verdict, _ = w.tell(false)
		return verdict
	}
	before := s.stream.Offset()
	w.find(s, &p.source, p.text, p.end)
	most := int64(-1)
	verdict, stopped := w.tell(false)
	if stopped != nil {
		if most = before; stopped.in == s {
			most = stopped.at
		}
	}
	verdict.Undecided = w.undecided(s, most)
	return verdict
}

func (w *Watcher) run(portions []portion, all bool) Verdict {
	var touched []*watched
	before := make(map[*watched]int64) // their offsets
	for _, p := range portions {
		s := w.stream(p.source, p.segment)
		if s == nil {
			continue
		}
		if _, ok := before[s]; !ok {
			before[s] = s.stream.Offset()
			touched = append(touched, s)
		}
		w.find(s, &p.source, p.text, p.end)
	}
	verdict, stopped := w.tell(all)
	held := w.holding()
	for _, s := range touched {
		most := int64(-1)
		switch {
		case stopped == nil:
		case stopped.in == s:
			most = stopped.at
		default:
			most = before[s]
		}
		verdict.Undecided = append(verdict.Undecided, w.undecided(s, most)...)
		w.drop(s, held)
	}
	return verdict
}

// holding are the streams that have something to tell.
func (w *Watcher) holding() map[*watched]bool {
	if len(w.held) == 0 {
		return nil
	}
	out := make(map[*watched]bool, len(w.held))
	for _, e := range w.held {
		out[e.in] = true
	}
	return out
}

// drop forgets a segment of a call that has ended and has nothing to tell any more: a
// call may have a great many.
func (w *Watcher) drop(s *watched, held map[*watched]bool) {
	if s.segment > 0 && s.stream.ended && len(s.waiting) == 0 && !held[s] {
		delete(w.streams, streamKey{s.source.Kind, s.source.ID, s.segment})
	}
}

// find queues what fires in a piece of a stream, or at its end.
func (w *Watcher) find(s *watched, source *Source, piece string, end bool) {
	here := event{in: s, at: s.stream.Offset()}
	if s.learn(source) && len(s.waiting) > 0 {
		// These fire when the file is known, which is one place, wherever they matched.
		s.waiting = slices.DeleteFunc(s.waiting, func(f Firing) bool {
			applies := !w.set.scopes[f.Trigger].narrowed(&s.source)
			if applies {
				here.firings = append(here.firings, f)
			}
			return applies || w.told[f.Trigger]
		})
	}
	var found []Firing
	if end {
		found = w.end(s) // all of it is at the end
	} else if found = s.stream.Feed(piece); len(found) > 0 {
		w.hold(here)
		here = event{in: s, at: found[0].Decided}
	}
	for _, f := range found {
		scope := &w.set.scopes[f.Trigger]
		switch {
		case w.told[f.Trigger] || !scope.watches(&s.source):
			continue
		case scope.narrowed(&s.source):
			s.waiting = append(s.waiting, f)
			continue
		case !end && f.Decided != here.at:
			w.hold(here)
			here = event{in: s, at: f.Decided}
		}
		here.firings = append(here.firings, f)
	}
	w.hold(here)
}

// end ends a stream.
func (w *Watcher) end(s *watched) []Firing {
	ended := s.stream.ended
	found := s.stream.End()
	if v := s.stream.verifier; v != nil && !ended {
		w.share.GiveBack(v.share, v.spent.Share(s.stream.offset))
	}
	return found
}

func (w *Watcher) hold(p event) {
	if len(p.firings) > 0 {
		w.held = append(w.held, p)
	}
}

// tell judges what is held, up to the first interruption, or all of it. stopped is
// where it ended before its time; nil: nowhere.
func (w *Watcher) tell(all bool) (verdict Verdict, stopped *event) {
	for len(w.held) > 0 && stopped == nil {
		next := w.held[0]
		if w.held = w.held[1:]; len(w.held) == 0 {
			w.held = nil
		}
		if w.judge(next, &verdict) && !all {
			stopped = &next
		}
	}
	return verdict, stopped
}

// judge adds to a verdict what fires at an offset, and says whether that interrupts.
func (w *Watcher) judge(e event, verdict *Verdict) (interrupts bool) {
	fired := w.fire(e)
	verdict.Fired = append(verdict.Fired, fired...)
	own := false
	for _, f := range fired {
		if w.policy.Interrupts(f.Trigger, e.in.source.Kind) {
			interrupts, own = true, own || f.Trigger.Own
		}
	}
	if !interrupts || !w.affords(own) {
		return false
	}
	w.record.Interrupted++
	if !own {
		w.record.Foreign++
	}
	w.changed = true
	verdict.Interrupt = true
	verdict.Discard = w.policy.ContextMode != Keep
	return true
}

// affords tells whether the budget of the user's turn allows another interruption.
// What rules of others have used of it is not taken from the user's own.
func (w *Watcher) affords(own bool) bool {
	used := w.record.Interrupted
	if own {
		used -= w.record.Foreign
	}
	return used < w.policy.budget()
}

// fire takes note of the triggers at an offset, and leaves out those that are not to
// fire again.
func (w *Watcher) fire(p event) []Fired {
	var out []Fired
	for _, f := range p.firings {
		t := w.set.Trigger(f.Trigger)
		if last, ok := w.record.Injected[t.Name]; w.names[t.Name] || ok && !w.policy.repeats(last, w.record.Turn) {
			continue
		}
		w.told[f.Trigger], w.names[t.Name] = true, true
		source := p.in.source
		source.Paths = slices.Clone(source.Paths)
		out = append(out, Fired{t, source, w.base(p.in) + f.Offset, w.record.Turn})
	}
	return out
}

// undecided gives what a stream has not told yet, and that does not start after an offset
// at which the model was interrupted; -1: none.
func (w *Watcher) undecided(s *watched, most int64) []Undecided {
	var out []Undecided
	for _, u := range s.stream.Undecided() {
		key := u.key()
		if s.told[key] || most >= 0 && u.From >= most || !w.set.scopes[u.Trigger].watches(&s.source) {
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
