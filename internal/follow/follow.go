package follow

import (
	"cmp"
	"context"
	"path/filepath"
	"time"
)

// Options say how changes are followed. The zero value is the default.
type Options struct {
	Debounce   time.Duration // quiet time after a change before it is looked at, 0 means 50 ms
	MaxDelay   time.Duration // a change is looked at after this long even if more keep coming, 0 means 500 ms
	MaxFolders int           // folders that the system watches, 0 means 10,000
	// Unwatched is told why the system does not watch a part, once for each reason; nil: nobody is. That part is looked at.
	Unwatched func(error)
}

// Changes calls look, and again whenever something that it read may be another, until ctx ends or look returns an error. What look
// reads with its ctx, through [Noted] and [Note], is what is followed: files, folders that were listed, what was not there, and
// every link on the way. If again is not 0, look is called after that time in any case.
//
// The system tells of most changes at once. What it cannot tell of is seen by looking at what was noted, now and then: files that
// others write over a network, and where it has no watch left. That takes a small part of a processor.
func Changes(ctx context.Context, opts Options, look func(ctx context.Context) (again time.Duration, err error)) error {
	f := newFollower(ctx, opts)
	defer f.close()
	for {
		began := time.Now()
		notes := newNotes()
		again, err := look(context.WithValue(ctx, notesKey{}, notes))
		notes.seal()
		if ctx.Err() != nil {
			return nil
		}
		if err != nil {
			return err
		}
		f.arm(notes)
		if !f.wait(ctx, notes, again, time.Since(began)) {
			return nil
		}
	}
}

// Means restrict how changes are noticed, for tests of each by itself.
type Means struct {
	Deaf  bool // the system is not asked to watch
	Blind bool // nothing is looked at without a hint
}

type meansKey struct{}

// Restrict makes every [Changes] with the returned context do without some means.
func Restrict(ctx context.Context, means Means) context.Context {
	return context.WithValue(ctx, meansKey{}, means)
}

const (
	// verifyTime is how often what was noted is compared where not all of it is watched.
	verifyTime = 1500 * time.Millisecond
	// verifyWatched is how often it is where the system should have told, and unsureTime when a change may have been too quick.
	verifyWatched = 5 * time.Second
	unsureTime    = 500 * time.Millisecond
	// verifyShare is the part of the time that comparing takes at most: 1 in 2,000 is 0.05 % of a processor.
	verifyShare = 2000
)

type follower struct {
	opts   Options
	means  Means
	notify *notifier // nil: there is none

	folders map[mark][]string  // what is watched, with the paths it is known by here
	remote  map[uint64]bool    // devices, and whether others may change what is on them unheard
	blind   bool               // the system does not tell of everything
	told    map[string]bool    // reasons why
	traffic map[string]traffic // by folder that is listed
	came    []string           // paths that came into such folders, or left them, before the last look
	cost    time.Duration      // what comparing took of a processor; 0: not known yet
}

func newFollower(ctx context.Context, opts Options) *follower {
	opts.Debounce = cmp.Or(opts.Debounce, 50*time.Millisecond)
	opts.MaxDelay = cmp.Or(opts.MaxDelay, 500*time.Millisecond)
	opts.MaxFolders = cmp.Or(opts.MaxFolders, 10_000)
	f := &follower{opts: opts, folders: map[mark][]string{}, remote: map[uint64]bool{}, told: map[string]bool{}, traffic: map[string]traffic{}}
	f.means, _ = ctx.Value(meansKey{}).(Means)
	if f.means.Deaf {
		return f
	}
	var err error
	if f.notify, err = openNotifier(ctx); err != nil {
		f.notify = nil
		f.fail(err)
	}
	return f
}

func (f *follower) close() {
	if f.notify != nil {
		f.notify.close()
	}
}

// wait returns true when it is time to look again. cost is what the last look took: those who look for long do it less often.
func (f *follower) wait(ctx context.Context, notes *Notes, again, cost time.Duration) bool {
	f.calm(notes)
	debounce := max(f.opts.Debounce, min(3*cost, f.opts.MaxDelay))
	var quiet, late, next, soon <-chan time.Time
	visited := map[string]bool{} // folders that something has come into or left
	if again > 0 {
		next = time.After(again)
	}
	happened := func() {
		quiet = time.After(debounce)
		if late == nil {
			late = time.After(max(f.opts.MaxDelay, debounce))
		}
	}
	if notes.differ(f.restless) { // what happened before the folders were watched is not told
		happened()
	}
	verify := time.NewTimer(f.pause())
	if notes.unsure(f.restless) {
		verify.Reset(unsureTime)
	}
	defer verify.Stop()
	var hints <-chan hint
	var lost <-chan struct{}
	if f.notify != nil {
		hints, lost = f.notify.hints, f.notify.lost
	}
	for {
		select {
		case <-ctx.Done():
			return false
		case <-quiet:
			return true
		case <-late:
			return true
		case <-next:
			return true
		case <-soon:
			return true
		case h := <-hints:
			switch listed, concerns := f.concerns(notes, h); {
			case !concerns:
			case listed == "":
				happened()
			default:
				if len(f.came) < maxCame {
					f.came = append(f.came, filepath.Join(listed, h.name))
				}
				if visited[listed] {
					continue
				}
				visited[listed] = true
				if delay := f.restlessness(listed); delay == 0 {
					happened()
				} else if soon == nil {
					soon = time.After(max(delay, restlessShare*cost))
				}
			}
		case <-lost:
			happened()
		case <-verify.C:
			if f.means.Blind {
				continue
			}
			changed := false
			f.cost = processorTime(func() { changed = notes.differ(f.restless) || notes.unsure(f.restless) })
			if changed {
				return true
			}
			verify.Reset(f.pause())
		}
	}
}

// A folder above a project, such as that for temporary files, may be listed, to see what is there, and have other programs'
// files come and go all the time. So often it is looked at at once; then less often, until it has been quiet for a while or
// something has come that matters. Who looks for long looks less often.
const (
	restlessLooks = 4
	restlessDelay = 1500 * time.Millisecond
	restlessTime  = 30 * time.Second
	restlessShare = 10 // a look is due at most a tenth of the time that it takes
	maxCame       = 64
)

// traffic is how often looks were due because of what came into a folder or left it.
type traffic struct {
	looks int
	last  time.Time
}

// restlessness is how long to wait before a folder is looked at into which something has come.
func (f *follower) restlessness(folder string) time.Duration {
	t := f.traffic[folder]
	if time.Since(t.last) > restlessTime {
		t.looks = 0
	}
	t.looks, t.last = t.looks+1, time.Now()
	f.traffic[folder] = t
	if t.looks <= restlessLooks {
		return 0
	}
	return restlessDelay
}

// calm forgets the traffic of folders into which something has come that the last look has noted: these are not full of other programs' files.
func (f *follower) calm(notes *Notes) {
	for _, path := range f.came {
		if _, noted := notes.states[path]; noted {
			delete(f.traffic, filepath.Dir(path))
		}
	}
	f.came = f.came[:0]
}

// restless tells whether what is in a folder changes all the time: then only hints lead to a look at that.
func (f *follower) restless(folder string) bool {
	t, ok := f.traffic[folder]
	return ok && t.looks > restlessLooks && time.Since(t.last) <= restlessTime
}

// pause is how long to wait until what was noted is compared again.
func (f *follower) pause() time.Duration {
	usual := verifyWatched
	if f.blind || f.notify == nil {
		usual = verifyTime
	}
	return max(usual, verifyShare*f.cost)
}
