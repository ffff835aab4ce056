package cli

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"github.com/pertain-dev/pertain"
	"github.com/pertain-dev/pertain/collect"
	"github.com/pertain-dev/pertain/cond"
	"github.com/pertain-dev/pertain/facts"
)

// watchMatch lists what is recommended, and again whenever that changes: the
// user goes to another window, selects or copies something, or a strategy file
// is saved. It ends with the context, as by Ctrl+C.
func (a *app) watchMatch(cmd *cobra.Command, where situation, all bool) error {
	if where.file != "" {
		return usage("--watch: a context from a file does not change; leave --context out")
	}
	ctx := cmd.Context()
	engine, err := a.engine(ctx)
	if err != nil {
		return err
	}
	options, _, _ := a.collectOptions()
	options.FollowWindow = a.cwd == ""
	machine := collect.Open(options)
	defer machine.Close()
	w := &watching{app: a, cmd: cmd, where: where, all: all, engine: engine, gatherer: facts.NewGatherer(machine.Collectors()...)}
	w.step()
	files := make(chan error, 1)
	go func() { files <- engine.Watch(ctx, func(*pertain.Catalog) { w.step() }) }()
	if err := machine.Watch(ctx, w.step); err != nil {
		var why *facts.CollectError
		if errors.As(err, &why) {
			fmt.Fprintf(a.call.Stderr, "%s; only changes of strategies are watched\n", why.Reason)
		}
	}
	if err := <-files; err != nil && ctx.Err() == nil {
		return negative("strategies cannot be watched: %s", err)
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.err
}

// watching is one run of match --watch.
type watching struct {
	*app
	cmd      *cobra.Command
	where    situation
	all      bool
	engine   *pertain.Engine
	gatherer *facts.Gatherer

	mu    sync.Mutex // one step at a time
	shown []string   // what was listed last; nil: nothing yet
	err   error      // of the output
	told  time.Time  // when a notice was shown last
}

// step looks at the world once and lists what is recommended, if that is not
// what was listed last.
func (w *watching) step() {
	w.mu.Lock()
	defer w.mu.Unlock()
	began := time.Now()
	ctx := w.cmd.Context()
	base := collect.FillEnvironment(facts.NewSnapshot(facts.Parts{Values: facts.Fields()}), collect.Environment(w.call.Env, began))
	base, err := w.attach(w.cmd, w.where, base)
	if err != nil {
		w.err = err
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
	list := listed(m)
	if w.shown != nil && slices.Equal(list, w.shown) {
		return
	}
	w.shown = list
	w.err = w.show(gathered.Snapshot, m, took)
}

// listed is what tells two answers apart.
func listed(m pertain.Match) []string {
	list := []string{}
	for _, c := range m.Candidates {
		list = append(list, fmt.Sprintf("%s %v", c.Strategy.ID, c.Result == cond.True))
	}
	return list
}

func (w *watching) show(snapshot *facts.Snapshot, m pertain.Match, took time.Duration) error {
	if w.json {
		enc := json.NewEncoder(w.call.Stdout) // one line each
		enc.SetEscapeHTML(false)
		return enc.Encode(m)
	}
	paint := w.painter(w.call.Stdout)
	line := fmt.Sprintf("── %s, %.1f ms", time.Now().Format(time.TimeOnly), milliseconds(took))
	if _, err := fmt.Fprintln(w.call.Stdout, paint.dim(line)); err != nil {
		return err
	}
	if len(m.Notices) > 0 {
		if !w.told.IsZero() && time.Since(w.told) < pertain.NoticeGap {
			m.Notices = nil
		} else {
			w.told = time.Now()
		}
	}
	return w.printMatch(w.engine, snapshot, m, w.all)
}
