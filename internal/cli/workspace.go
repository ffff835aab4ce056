package cli

import (
	"context"
	"io"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"github.com/pertain-dev/pertain"
	"github.com/pertain-dev/pertain/collect"
	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/facts"
	"github.com/pertain-dev/pertain/internal/files"
	"github.com/pertain-dev/pertain/internal/preprocess"
	"github.com/pertain-dev/pertain/internal/settings"
	"github.com/pertain-dev/pertain/skill"
	"github.com/pertain-dev/pertain/stream"
)

// server is what the workspaces of one server share.
type server struct {
	where     situation
	stdin     []byte // the context, where it was read from standard input: that can be done once
	logger    *slog.Logger
	rules     keptRules
	unwatched sync.Once // the user is told once that files cannot be watched
}

// newServer reads what can be read only once.
func (a *app) newServer(where situation, logger *slog.Logger) (*server, error) {
	s := &server{where: where, logger: logger}
	if where.file == "-" {
		var err error
		if s.stdin, _, err = a.readContext("-"); err != nil {
			return nil, err
		}
	}
	return s, nil
}

// workspace is one folder with its strategies, rules and context, kept current
// for as long as a server runs. It is what internal/mcpserver and
// internal/httpapi work on.
type workspace struct {
	*server
	app      app                            // with this folder as its own
	engine   atomic.Pointer[pertain.Engine] // another one when the user trusts the folder or changes the settings
	machine  *collect.Machine
	gatherer *facts.Gatherer // kept: it knows which collectors are stuck
	known    atomic.Pointer[readEnvironment]

	deciding sync.Mutex // one look at what the user decided at a time; guards decided
	decided  decision   // what engine was opened with
	trust    string     // the file of what the user trusts, absolute; empty: there is no folder for it
	config   string     // the file of the settings, absolute; empty: likewise
	seen     atomic.Pointer[decisionFiles]
	reopened chan struct{} // told when engine is another one
}

// openWorkspace loads the strategies of a folder.
func (a *app) openWorkspace(ctx context.Context, dir string, of *server) (*workspace, error) {
	w := &workspace{app: *a, server: of, reopened: make(chan struct{}, 1)}
	w.app.cwd = settings.WorkingDir(files.OS(), dir)
	paths := w.app.paths()
	if w.trust = paths.Trust; paths.Config != "" {
		w.config = w.app.abs(paths.Config)
	}
	w.machine = w.app.machine()
	w.gatherer = facts.NewGatherer(w.machine.Collectors()...)
	seen := w.lookAtFiles() // first: what changes meanwhile is looked at again
	decided, err := w.decision()
	if err != nil {
		return nil, err
	}
	if err := w.openEngine(ctx, decided.options); err != nil {
		return nil, err
	}
	w.decided = decided
	w.seen.Store(&seen)
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

// Engine holds the strategies, with what the user decides now: trust that was
// taken back counts for whoever asks next, watched or not.
func (w *workspace) Engine() *pertain.Engine {
	w.rethink()
	return w.engine.Load()
}

// Rules gives the rules as they are on disk now.
func (w *workspace) Rules(ctx context.Context, options pertain.RuleOptions) (*pertain.Rulebook, error) {
	return w.rules.open(ctx, w.app.dir(), options, func(ctx context.Context) (*pertain.Rulebook, error) {
		return pertain.OpenRules(ctx, w.app.environment(), options)
	})
}

// StreamPolicy is what the settings say about triggers, as they are now. What is
// wrong with the settings is told by lint.
func (w *workspace) StreamPolicy() (stream.Policy, error) {
	policy, _, err := pertain.StreamPolicy(w.app.environment())
	return policy, err
}

// Skills are those of the user and of the folder.
func (w *workspace) Skills() skill.Library { return w.app.library() }

// Decode reads a context that a client sent. Nothing is collected for it, the
// environment alone excepted (docs/reference/paths.md).
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

// serverLogger writes what a server has to say to stderr, one line each.
func serverLogger(w io.Writer, verbose bool) *slog.Logger {
	level := slog.LevelWarn
	if verbose {
		level = slog.LevelInfo
	}
	return slog.New(slog.NewTextHandler(w, &slog.HandlerOptions{Level: level}))
}

// workspace is the root of the workspace that this call works in, and the folder itself outside of one. Entries of the journal name it.
func (a *app) workspace() string {
	dir := settings.WorkingDir(files.OS(), a.dir())
	if root, ok := settings.WorkspaceRoot(files.OS(), dir); ok {
		return root
	}
	return dir
}
