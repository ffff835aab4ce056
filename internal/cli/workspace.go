package cli

import (
	"context"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/pertain-dev/pertain"
	"github.com/pertain-dev/pertain/collect"
	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/facts"
	"github.com/pertain-dev/pertain/internal/files"
	"github.com/pertain-dev/pertain/internal/preprocess"
	"github.com/pertain-dev/pertain/rule"
	"github.com/pertain-dev/pertain/skill"
	"github.com/pertain-dev/pertain/stream"
)

// workspace is one folder with its strategies, rules and context, kept current
// for as long as a server runs. It is what internal/mcpserver and
// internal/httpapi work on.
type workspace struct {
	app      app // with this folder as its own
	logger   *slog.Logger
	engine   atomic.Pointer[pertain.Engine] // another one when the user trusts the folder or changes the settings
	decided  decision                       // what engine was opened with; for Watch alone, once it runs
	machine  *collect.Machine
	gatherer *facts.Gatherer // kept: it knows which collectors are stuck
	where    situation
	stdin    []byte // the context, where it was read from standard input
	known    atomic.Pointer[readEnvironment]
}

// openWorkspace loads the strategies of a folder.
func (a *app) openWorkspace(ctx context.Context, dir string, where situation, logger *slog.Logger) (*workspace, error) {
	w := &workspace{app: *a, where: where, logger: logger}
	w.app.cwd = dir
	w.machine = w.app.machine()
	w.gatherer = facts.NewGatherer(w.machine.Collectors()...)
	decided, options, err := w.decision()
	if err != nil {
		return nil, err
	}
	w.decided = decided
	if where.file == "-" {
		if w.stdin, _, err = a.readContext("-"); err != nil {
			return nil, err
		}
	}
	if err := w.openEngine(ctx, options); err != nil {
		return nil, err
	}
	return w, nil
}

func (w *workspace) openEngine(ctx context.Context, options pertain.Options) error {
	options.Logger, options.Preprocessors = w.logger, preprocess.Registry()
	engine, err := pertain.Open(ctx, options)
	if err != nil {
		return err
	}
	w.engine.Store(engine)
	return nil
}

// Close ends the connections to the desktop.
func (w *workspace) Close() { w.machine.Close() }

// Root is the folder, absolute.
func (w *workspace) Root() string { return w.app.dir() }

// Engine holds the strategies.
func (w *workspace) Engine() *pertain.Engine { return w.engine.Load() }

// Rules loads the rules as they are on disk now.
func (w *workspace) Rules(ctx context.Context, options pertain.RuleOptions) (*pertain.Rulebook, error) {
	return pertain.OpenRules(ctx, w.app.place(), options)
}

// StreamPolicy is what the settings say about triggers, as they are now. What is
// wrong with the settings is told by lint.
func (w *workspace) StreamPolicy() (stream.Policy, error) {
	policy, _, err := pertain.StreamPolicy(w.app.place())
	return policy, err
}

// Skills are those of the user and of the folder.
func (w *workspace) Skills() skill.Library { return w.app.library() }

// Decode reads a context that a client sent. Nothing is collected for it, the
// environment alone excepted (CONTRACT §3).
func (w *workspace) Decode(data []byte) (*facts.Snapshot, error) {
	snapshot, err := facts.Decode("<context>", data)
	if err != nil {
		return nil, err
	}
	return w.fill(snapshot), nil
}

func (w *workspace) fill(snapshot *facts.Snapshot) *facts.Snapshot {
	return collect.FillEnvironment(snapshot, w.environment())
}

// sameEnvironment is how long the environment is taken to be the same: finding
// the time zone reads files, and a server is asked many times a second.
const sameEnvironment = time.Second

type readEnvironment struct {
	value facts.Value
	at    time.Time
}

func (w *workspace) environment() facts.Value {
	now := time.Now()
	if known := w.known.Load(); known != nil && now.Sub(known.at) < sameEnvironment && now.Day() == known.at.Day() {
		return known.value
	}
	read := &readEnvironment{collect.Environment(w.app.call.Env, now), now}
	w.known.Store(read)
	return read.value
}

// Snapshot is the context now: that of --context, or else collected from the
// machine: what the strategies need to be matched, or with an id, what running
// that strategy reads. The list says what could not be collected.
func (w *workspace) Snapshot(ctx context.Context, id string) (*facts.Snapshot, diag.List, error) {
	if w.where.file != "" {
		data := w.stdin
		if w.where.file != "-" {
			var err error
			if data, _, err = w.app.readContext(w.where.file); err != nil {
				return nil, nil, err
			}
		}
		snapshot, err := w.Decode(data)
		if err != nil {
			return nil, nil, usage("--context %s: %s", w.where.file, err)
		}
		return snapshot, nil, nil
	}
	gather := w.Engine().Gather
	if id != "" {
		needs, _ := w.Engine().PlanNeeds(id)
		gather = gatherNeeds(needs)
	}
	base := w.fill(facts.NewSnapshot(facts.Parts{Values: facts.Fields()}))
	gathered, err := gather(ctx, w.gatherer, facts.Parts{Values: base.Values()})
	if err != nil {
		return nil, nil, err
	}
	return gathered.Snapshot, gathered.Diagnostics, nil
}

// slowLook is how often rules are compared without a hint: folders of the home
// that do not exist yet are not watched.
const slowLook = 20 * time.Second

// Watch calls changed with what changed on disk, strategies, rules or skills,
// until ctx ends. Calls do not overlap.
func (w *workspace) Watch(ctx context.Context, changed func(part string)) error {
	var one sync.Mutex
	tell := func(part string) {
		one.Lock()
		defer one.Unlock()
		changed(part)
	}
	var rules sync.WaitGroup
	defer rules.Wait()
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	rules.Go(func() { w.watchRules(ctx, func() { tell("rules") }) })
	for ctx.Err() == nil {
		if err := w.watchEngine(ctx, tell); err != nil {
			return err
		}
	}
	return nil
}

// watchEngine follows strategies and skills until the user decides otherwise:
// trust decides about both.
func (w *workspace) watchEngine(ctx context.Context, tell func(part string)) error {
	var others sync.WaitGroup
	defer others.Wait()
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	others.Go(func() { _ = w.Skills().Watch(ctx, func(*skill.Registry) { tell("skills") }) })
	others.Go(func() { w.watchChoices(ctx, func() { tell("skills") }) })
	engine := w.Engine()
	others.Go(func() {
		w.watchDecisions(ctx, func() {
			stop()
			tell("strategies")
			tell("skills")
		})
	})
	return engine.Watch(ctx, func(*pertain.Catalog) { tell("strategies") })
}

// WatchContext calls changed when the context may be another, until ctx ends. It
// is apart from Watch because it reads the desktop all the time: only who shows
// the context to somebody calls it. A desktop that cannot be watched is an
// error.
func (w *workspace) WatchContext(ctx context.Context, changed func()) error {
	switch w.where.file {
	case "-": // was read once
		return nil
	case "":
		return w.machine.Watch(ctx, changed)
	}
	changes, err := files.Watch(ctx, files.WatchOptions{Roots: []string{w.app.abs(w.where.file)}})
	if err != nil {
		return err
	}
	for range changes {
		changed()
	}
	return nil
}

// watchRules compares the rules whenever something happens where rules are, and
// now and then without a hint.
func (w *workspace) watchRules(ctx context.Context, changed func()) {
	var known *pertain.Rulebook
	roots := []string{w.Root()}
	look := func() (moved bool) {
		book, err := w.Rules(ctx, pertain.RuleOptions{})
		if err != nil {
			return false
		}
		if known != nil && !sameRules(known.All(), book.All()) {
			changed()
		}
		known = book
		next := ruleFolders(book, w.Root())
		moved = !slices.Equal(next, roots)
		roots = next
		return moved
	}
	for ctx.Err() == nil {
		w.watchFolders(ctx, roots, look)
	}
}

// watchFolders looks at once, for what happened before the watch began, and with
// each change, until there are other folders to watch.
func (w *workspace) watchFolders(ctx context.Context, roots []string, look func() (moved bool)) {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	changes, err := files.Watch(ctx, files.WatchOptions{Roots: roots, MaxFolders: 500, Skip: holdsNoRules})
	if err != nil {
		changes = nil // no more watches are to be had: look now and then
	}
	for !look() {
		select {
		case <-ctx.Done():
			return
		case <-changes:
		case <-time.After(slowLook):
		}
	}
}

// ruleFolders are the folder and those above up to the project's root, those that hold the
// rules that are known, and the user's, which need not exist yet.
func ruleFolders(book *pertain.Rulebook, dir string) []string {
	out := []string{dir}
	for dir != book.Root && len(dir) > len(book.Root) {
		dir = filepath.Dir(dir)
		out = append(out, dir)
	}
	for _, r := range book.All() {
		out = append(out, r.Path)
		out = append(out, r.Includes...)
	}
	out = append(out, book.UserPlaces()...)
	slices.Sort(out)
	return slices.Compact(out)
}

// holdsNoRules leaves out the folders of a project that no tool keeps rules in:
// all but those that begin with a dot, and what is below them.
func holdsNoRules(path string) bool {
	if info, err := os.Stat(path); err != nil || !info.IsDir() {
		return false // a file, or gone: it may have been a rule
	}
	name := filepath.Base(path)
	if strings.HasPrefix(name, ".") {
		return slices.Contains([]string{".git", ".hg", ".svn", ".venv", ".cache", ".next", ".nuxt", ".gradle", ".terraform"}, name)
	}
	for dir := filepath.Dir(path); filepath.Dir(dir) != dir; dir = filepath.Dir(dir) {
		if strings.HasPrefix(filepath.Base(dir), ".") {
			return name == "node_modules"
		}
	}
	return true
}

func sameRules(a, b []*rule.Rule) bool {
	return slices.EqualFunc(a, b, func(x, y *rule.Rule) bool {
		return x.Path == y.Path && x.Content == y.Content && x.Source.Text() == y.Source.Text() && x.Shadowed == y.Shadowed
	})
}

// serverLogger writes what a server has to say to stderr, one line each.
func serverLogger(w io.Writer, verbose bool) *slog.Logger {
	level := slog.LevelWarn
	if verbose {
		level = slog.LevelInfo
	}
	return slog.New(slog.NewTextHandler(w, &slog.HandlerOptions{Level: level}))
}
