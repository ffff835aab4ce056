package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"github.com/pertain-dev/pertain"
	"github.com/pertain-dev/pertain/collect"
	"github.com/pertain-dev/pertain/facts"
	"github.com/pertain-dev/pertain/internal/follow"
	"github.com/pertain-dev/pertain/internal/visible"
)

// watchMatch lists what is recommended, and again whenever that changes: the
// user goes to another window, selects or copies something, works in another
// folder, or a strategy file or the settings are saved. It ends with the context,
// as by Ctrl+C.
func (a *app) watchMatch(cmd *cobra.Command, where situation, all bool) error {
	if where.file != "" {
		return usage("--watch: a context from a file does not change; leave --context out")
	}
	w := &watching{app: a, cmd: cmd, where: where, all: all, renewed: make(chan struct{}, 1)}
	w.decided = w.decisions(cmd.Context())
	engine, err := a.engine(cmd.Context())
	if err != nil {
		return err
	}
	ctx, stop := context.WithCancel(follow.Share(cmd.Context()))
	var deciding sync.WaitGroup
	defer deciding.Wait()
	defer stop()
	w.stop = stop
	// Also where the signal of that is ignored; a terminal that has gone is none any more.
	if f := fileOf(a.call.Stdout); f != nil && isTerminal(f) {
		go onHangUp(ctx, f, stop)
	}
	defer a.followFleet(ctx, func(line string, _ bool) { fmt.Fprintln(a.call.Stderr, line) })()
	w.open(engine)
	w.step()
	deciding.Go(func() { w.followDecisions(ctx) })
	for ctx.Err() == nil {
		if err := w.follow(ctx); err != nil && ctx.Err() == nil {
			return negative("strategies cannot be watched: %s", err)
		}
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.err
}

// watching is one run of match --watch.
type watching struct {
	*app
	cmd     *cobra.Command
	where   situation
	all     bool
	stop    func()        // ends everything
	renewed chan struct{} // told when engine and machine are others
	silent  sync.Once     // the user is told once that the desktop cannot be watched

	mu       sync.Mutex // one step at a time
	decided  decisionFiles
	unread   bool // they could not be read, which is tried again
	engine   *pertain.Engine
	machine  *collect.Machine
	gatherer *facts.Gatherer
	watched  *collect.Machine // the one that follow watches, and closes
	shown    []string         // what was listed last; nil: nothing yet
	err      error            // of the output
	told     time.Time        // when a notice was shown last
}

// open begins to collect as the settings say now.
func (w *watching) open(engine *pertain.Engine) {
	options, _, _, _ := w.collectOptions()
	options.FollowWindow = w.cwd == ""
	w.engine, w.machine = engine, collect.Open(options)
	w.gatherer = facts.NewGatherer(w.machine.Collectors()...)
}

// follow watches everything but the settings, until those are others.
func (w *watching) follow(ctx context.Context) error {
	w.mu.Lock()
	engine, machine := w.engine, w.machine
	w.watched = machine
	select {
	case <-w.renewed: // these are the new ones
	default:
	}
	w.mu.Unlock()
	defer w.closeMachine(machine)
	ctx, stop := context.WithCancel(ctx)
	var all sync.WaitGroup
	defer all.Wait()
	defer stop()
	ended := make(chan error, 1)
	all.Go(func() { ended <- engine.Watch(ctx, func(*pertain.Catalog) { w.step() }) })
	all.Go(func() { machine.WatchWorkspace(ctx, w.step) })
	all.Go(func() {
		var why *facts.CollectError
		if err := machine.Watch(ctx, w.step); errors.As(err, &why) {
			w.silent.Do(func() {
				fmt.Fprintf(w.call.Stderr, "%s; only changes of strategies, settings and the workspace are watched\n", why.Reason)
			})
		}
	})
	select {
	case <-ctx.Done():
		return nil
	case <-w.renewed:
		return nil
	case err := <-ended:
		return err
	}
}

// decisions are the files in which the user says what may be read and what is
// recommended, as they are now.
func (w *watching) decisions(ctx context.Context) decisionFiles {
	trust, config := w.paths().Trust, w.paths().Config
	if trust != "" {
		trust = w.abs(trust)
	}
	if config != "" {
		config = w.abs(config)
	}
	return lookAtDecisions(ctx, trust, config, w.dir())
}

// unreadStep is when is tried again what could not be read.
const unreadStep = 2 * time.Second

// followDecisions steps whenever the user decides something, until ctx ends.
func (w *watching) followDecisions(ctx context.Context) {
	_ = follow.Changes(ctx, follow.Options{}, func(ctx context.Context) (again time.Duration, err error) {
		now := w.decisions(ctx)
		w.mu.Lock()
		same := !w.unread && w.decided.same(now)
		w.mu.Unlock()
		if !same {
			w.step()
		}
		w.mu.Lock()
		defer w.mu.Unlock()
		if w.unread {
			return unreadStep, nil
		}
		return 0, nil
	}) // it ends with ctx alone
}

// renew opens everything anew when the user has decided otherwise, so that
// nothing is read or listed any more that may not be. Where strategies cannot be
// read now there are none.
func (w *watching) renew() {
	now := w.decisions(context.Background())
	if !w.unread && w.decided.same(now) {
		return
	}
	engine, err := w.app.engine(w.cmd.Context())
	unread := err != nil
	if unread && w.unread && w.decided.same(now) {
		return // as before
	}
	if unread {
		if engine, err = pertain.Open(w.cmd.Context(), pertain.Options{}); err != nil {
			return // the context has ended
		}
	}
	w.decided, w.unread = now, unread
	if w.machine != w.watched {
		w.machine.Close() // nobody else knows it
	}
	w.open(engine)
	select {
	case w.renewed <- struct{}{}:
	default: // the one before was not looked at yet
	}
}

// step looks at the world once and lists what is recommended, if that is not
// what was listed last.
func (w *watching) step() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.renew()
	began := time.Now()
	ctx := w.cmd.Context()
	base := collect.FillEnvironment(facts.NewSnapshot(facts.Parts{Values: facts.Fields()}), collect.Environment(w.call.Env, began))
	base, err := w.attach(w.cmd, w.where, base)
	if err != nil {
		w.err = err
		w.stop()
		return
	}
	gathered, err := w.engine.Gather(ctx, w.gatherer, facts.Parts{Values: base.Values()})
	if err != nil {
		return // the context has ended
	}
	m, err := w.engine.Match(ctx, gathered.Snapshot, pertain.MatchOptions{All: w.all})
	if err != nil {
		return
	}
	m.Diagnostics = append(m.Diagnostics, gathered.Diagnostics...)
	took := time.Since(began)
	list := listed(w.engine.Catalog(), m)
	if w.shown != nil && slices.Equal(list, w.shown) {
		return
	}
	w.shown = list
	if w.err = w.show(ctx, gathered.Snapshot, m, took); w.err != nil {
		w.stop() // nobody reads on
	}
}

// listed is what tells two answers apart: all that is shown of the strategies, and
// what is wrong with those that are not. How long it took, and what could not be
// found out this time, would make every answer another one.
func listed(catalog *pertain.Catalog, m pertain.Match) []string {
	list := []string{}
	for _, c := range m.Candidates {
		c.Duration, c.Diagnostics = 0, c.Strategy.Diagnostics
		text, err := c.AppendJSON(nil)
		if err != nil {
			text = []byte(c.Strategy.ID) // show tells why
		}
		list = append(list, string(text))
	}
	for _, d := range catalog.Diagnostics() {
		list = append(list, d.File()+"\x00"+string(d.Code)+"\x00"+d.Message)
	}
	return list
}

func (w *watching) show(ctx context.Context, snapshot *facts.Snapshot, m pertain.Match, took time.Duration) error {
	if w.json {
		enc := json.NewEncoder(visible.JSONWriter(w.call.Stdout)) // one line each
		enc.SetEscapeHTML(false)
		return enc.Encode(m)
	}
	paint := w.painter(w.call.Stdout)
	line := fmt.Sprintf("── %s, %.1f ms", time.Now().Format(time.TimeOnly), milliseconds(took))
	if _, err := fmt.Fprintln(w.painted(w.call.Stdout), paint.dim(line)); err != nil {
		return err
	}
	if len(m.Notices) > 0 {
		if !w.told.IsZero() && time.Since(w.told) < pertain.NoticeGap {
			m.Notices = nil
		} else {
			w.told = time.Now()
		}
	}
	return w.printMatch(ctx, w.engine, snapshot, m, w.all)
}
