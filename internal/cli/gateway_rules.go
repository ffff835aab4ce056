package cli

import (
	"context"
	"log/slog"
	"path/filepath"
	"sync"
	"sync/atomic"
	"time"

	"github.com/pertain-dev/pertain"
	"github.com/pertain-dev/pertain/gateway"
	"github.com/pertain-dev/pertain/internal/conversations"
	"github.com/pertain-dev/pertain/internal/files"
	"github.com/pertain-dev/pertain/internal/journal"
	"github.com/pertain-dev/pertain/internal/settings"
	"github.com/pertain-dev/pertain/stream"
)

// workspaces are the folders whose rules a gateway watches with. Each is followed from
// the first request for it on.
type workspaces struct {
	ctx    context.Context // everything ends with it
	app    *app
	config *gatewayConfig
	logger *slog.Logger

	mu    sync.Mutex
	byDir map[string]*watchedRules // by folder
}

// watchedRules are the rules of a folder as they are now.
type watchedRules struct {
	app   app // with this folder as its own
	rules atomic.Pointer[compiledRules]
	first chan struct{} // closed when they were read
}

// compiledRules are the triggers of a rulebook.
type compiledRules struct {
	root    string
	set     *stream.Set
	binding map[string]bool // see gateway.Workspace
}

// binding are the names of rules with triggers that the model must comply with. Where
// rules share a name, all of them must be such.
func binding(book *pertain.Rulebook) map[string]bool {
	out := map[string]bool{}
	for _, r := range book.Rules() {
		if len(r.Triggers) == 0 || r.Shadowed {
			continue
		}
		before, known := out[r.Name]
		out[r.Name] = book.Binding(r) && (before || !known)
	}
	return out
}

func newWorkspaces(ctx context.Context, a *app, config *gatewayConfig, logger *slog.Logger) *workspaces {
	return &workspaces{ctx: ctx, app: a, config: config, logger: logger, byDir: map[string]*watchedRules{}}
}

// firstRules is how long the first request to a workspace waits for its rules.
const firstRules = 30 * time.Second

// folder is that of a workspace; "" if there is none of this name.
func (w *workspaces) folder(name string) string {
	if name == "" {
		return w.app.dir()
	}
	dir := w.config.folder(name)
	if !filepath.IsAbs(dir) {
		return ""
	}
	if info, err := files.OS().Stat(dir); err != nil || info.Kind != files.Folder {
		w.logger.Warn("a workspace of the settings is no folder", "name", name, "folder", dir)
		return ""
	}
	return filepath.Clean(dir)
}

// now is a workspace as it is now.
func (w *workspaces) now(name string) *gateway.Workspace {
	rules, err := w.open(name)
	if err != nil || rules == nil {
		return nil
	}
	compiled := rules.rules.Load()
	return &gateway.Workspace{Name: name, Dir: compiled.root, Cwd: rules.app.cwd, Home: rules.app.paths().Home, Triggers: compiled.set, Policy: w.config.watches(), Binding: compiled.binding}
}

// open begins to follow the rules of a workspace, and waits for the first; nil: there
// is no such workspace.
func (w *workspaces) open(name string) (*watchedRules, error) {
	dir := w.folder(name)
	if dir == "" {
		return nil, nil
	}
	w.mu.Lock()
	rules := w.byDir[dir]
	if rules == nil {
		rules = &watchedRules{app: *w.app, first: make(chan struct{})}
		rules.app.cwd = settings.WorkingDir(files.OS(), dir)
		w.byDir[dir] = rules
		go w.follow(rules)
	}
	w.mu.Unlock()
	select {
	case <-rules.first:
		return rules, nil
	case <-w.ctx.Done():
		return nil, w.ctx.Err()
	case <-time.After(firstRules):
		return nil, usage("the rules of %s cannot be read", dir)
	}
}

// follow keeps the rules of a folder current until the gateway ends.
func (w *workspaces) follow(rules *watchedRules) {
	var once sync.Once
	unwatched := func(why error) {
		once.Do(func() {
			w.logger.Warn("rules cannot be watched, or not all of them; they are looked at now and then", "error", why)
		})
	}
	begun := false
	_ = pertain.WatchRules(w.ctx, rules.app.environment(), pertain.RuleOptions{}, func(book *pertain.Rulebook) {
		set, problems := stream.Compile(rules.app.bookTriggers(book), stream.Options{})
		for _, p := range problems {
			w.logger.Warn("a trigger is not watched", "rule", set.Trigger(p.Trigger).Name, "why", p.Message)
		}
		rules.rules.Store(&compiledRules{book.Root, set, binding(book)})
		w.logger.Info("rules", "workspace", book.Root, "triggers", set.Len())
		if !begun {
			begun = true
			close(rules.first)
		}
	}, unwatched) // it ends with ctx alone
}

// conversations is what a gateway remembers; nil: there is no place for it.
func (a *app) conversations() gateway.Memory {
	state := a.paths().State
	if state == "" {
		return nil
	}
	kept := conversationStore(state)
	_ = kept.Forget(time.Now()) // what cannot be removed is tried again with the next start
	return kept
}

// conversationStore is what gateways remember on this machine.
func conversationStore(state string) conversations.Store {
	return conversations.Store{Folder: filepath.Join(state, "gateway")}
}

// gatewayJournal is the journal of this user, as the settings have it now.
type gatewayJournal struct{ app *app }

// Add adds entries.
func (j gatewayJournal) Add(ctx context.Context, entries ...gateway.Entry) ([]string, error) {
	out := make([]journal.Entry, len(entries))
	for i, e := range entries {
		out[i] = journal.Entry{
			Source: journal.Gateway, Agent: journal.Text(e.Agent), Workspace: journal.Text(e.Workspace), Conversation: journal.Text(e.Conversation),
			Rule: e.Rule, Path: journal.Text(e.Path), Action: journal.Action(e.Action),
		}
	}
	return j.app.journal().Add(ctx, out...)
}

// Heed says of entries whether the model has heeded the rules.
func (j gatewayJournal) Heed(ctx context.Context, heeded bool, ids ...string) error {
	return j.app.journal().Heed(ctx, heeded, ids...)
}
