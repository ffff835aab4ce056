package strategyfile

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"slices"
	"strings"
	"sync/atomic"
	"syscall"
	"unicode"

	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/internal/fileerror"
	"github.com/pertain-dev/pertain/internal/files"
	"github.com/pertain-dev/pertain/internal/follow"
	"github.com/pertain-dev/pertain/internal/settings"
	"github.com/pertain-dev/pertain/strategy"
)

// Roots say where strategies are looked for. Empty ones are left out.
type Roots struct {
	Builtin   bool     // the strategies in the program itself
	Named     []string // folders that somebody named instead of the user's; what lies in a workspace does not leave it
	User      []string // folders of the user
	Workspace string   // root of the workspace, which holds .pertain/strategies
	Trusted   bool     // whether the user trusts the workspace
	Plugins   string   // folder that holds one folder for each plugin
	Fleet     string   // folder of the revision that this machine has of its fleet
}

// Providers are those of these roots in their order (docs/reference/trust.md):
// builtin, user, workspace, then plugins by name.
func Providers(tree files.Tree, roots Roots) []strategy.Provider {
	var providers []strategy.Provider
	if roots.Builtin {
		providers = append(providers, builtin{})
	}
	if len(roots.Named)+len(roots.User) > 0 {
		providers = append(providers, &folder{tree: tree, id: "user", roots: slices.Concat(roots.Named, roots.User), trusted: true, named: len(roots.Named)})
	}
	if roots.Workspace != "" {
		root := tree.Flavor().Join(roots.Workspace, ".pertain", "strategies")
		providers = append(providers, &folder{
			tree: tree, id: "workspace", roots: []string{root}, trusted: roots.Trusted, confine: roots.Workspace,
		})
	}
	var others []strategy.Provider
	if roots.Plugins != "" {
		others = plugins(tree, roots.Plugins)
	}
	if roots.Fleet != "" {
		others = withFleet(tree, others, roots.Fleet)
	}
	return append(providers, others...)
}

func plugins(tree files.Tree, root string) []strategy.Provider {
	entries, err := tree.ReadDir(root)
	if err != nil {
		return nil // there are none
	}
	var providers []strategy.Provider
	for _, e := range entries {
		dir := tree.Flavor().Join(root, e.Name)
		if info, err := tree.Stat(dir); err != nil || info.Kind != files.Folder {
			continue
		}
		providers = append(providers, &folder{
			tree: tree, id: "plugin." + pluginName(e.Name), roots: []string{tree.Flavor().Join(dir, "strategies")}, trusted: true,
		})
	}
	slices.SortStableFunc(providers, func(a, b strategy.Provider) int { return compareIDs(a.ID(), b.ID()) })
	return providers
}

// compareIDs orders providers by id: ids are compared without case (docs/reference/strategies.md).
func compareIDs(a, b string) int {
	return cmp.Or(strings.Compare(strategy.Key(a), strategy.Key(b)), strings.Compare(a, b))
}

// pluginName makes a folder's name a segment of an id.
func pluginName(name string) string {
	return strings.Map(func(r rune) rune {
		if r == '-' || r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r) {
			return r
		}
		return '-'
	}, name)
}

// folder is a provider of all strategy files below some folders.
type folder struct {
	tree    files.Tree
	id      string
	roots   []string
	trusted bool
	named   int    // how many of the roots, the first ones, are held in the workspace around them
	confine string // workspace that the files of the others must not leave; empty: free

	recalled atomic.Pointer[files.Recalled] // what was found out since the files were listed
}

// confined is the workspace that the files of a root must not leave; empty: free.
func (f *folder) confined(root int) string {
	if root < f.named {
		return settings.WorkspaceAround(f.tree, f.roots[root])
	}
	return f.confine
}

func (f *folder) ID() string { return f.id }

func (f *folder) Roots() []string { return slices.Clone(f.roots) }

func (f *folder) List(ctx context.Context) ([]strategy.Entry, error) {
	f = f.noted(ctx)
	var entries []strategy.Entry
	for i, root := range f.roots {
		options := files.WalkOptions{Follow: true}
		confine := f.confined(i)
		if confine != "" {
			within := confines(f.tree, confine)
			options.Within = &within
		}
		err := files.Walk(ctx, f.tree, root, options, func(step files.Step) error {
			name := f.tree.Flavor().Base(step.Path)
			switch {
			case step.Info.Kind == files.Folder && step.Err == nil && (name == ".git" || name == "node_modules") && step.Rel != ".":
				return files.ErrSkipFolder
			case strategy.IsFile(step.Rel) && step.Info.Kind != files.Folder:
				entries = append(entries, f.entry(i, confine, step.Path, step.Rel, step.Err))
			case step.Err != nil && (!step.Link || leadsToFolder(f.tree, step.Path)):
				entries = append(entries, f.entry(i, confine, step.Path, step.Rel, step.Err))
			}
			return nil
		})
		if err != nil && (!errors.Is(err, fs.ErrNotExist) || isLink(f.tree, root)) {
			if ctx.Err() != nil {
				return nil, ctx.Err()
			}
			entries = append(entries, f.entry(i, confine, root, ".", err))
		}
	}
	return entries, nil
}

func (f *folder) Find(path string) (strategy.Entry, bool) {
	if !strategy.IsFile(path) {
		return strategy.Entry{}, false
	}
	f.recalled.Store(&files.Recalled{})
	path = f.tree.Flavor().Clean(path) // as List writes it
	for i, root := range f.roots {
		rel, ok := f.tree.Flavor().Rel(root, path)
		if !ok || rel == "." || !strategy.IsFile(f.tree.Flavor().ToSlash(rel)) {
			continue // the root's own STRATEGY.md has no folder to be called after
		}
		confine := f.confined(i)
		info, _, err := files.StatWithin(f.tree, path, confines(f.tree, confine))
		if err != nil && !isLink(f.tree, path) || err == nil && info.Kind == files.Folder {
			return strategy.Entry{}, false
		}
		return f.entry(i, confine, path, f.tree.Flavor().ToSlash(rel), err), true
	}
	return strategy.Entry{}, false
}

// entry is a file or folder that must not leave a workspace; err, if not nil, says why it must not be read.
func (f *folder) entry(root int, confine, path, rel string, err error) strategy.Entry {
	e := strategy.Entry{Name: path, Root: root, Origin: strategy.Origin{Provider: f.id, Path: rel, Confine: confine, Trusted: f.trusted}}
	if err != nil {
		e.Problem, e.Code = fileerror.Reason(err), ProblemCode(err)
		if errors.Is(err, fs.ErrNotExist) { // what is listed and not there
			e.Problem = "it is a link that leads to nothing"
		}
	}
	return e
}

// ProblemCode is the diagnostic code for a strategy file that cannot be read;
// empty: the usual one.
func ProblemCode(err error) diag.Code {
	var outside *files.OutsideError
	var special *files.NotRegularError
	switch {
	case errors.As(err, &outside):
		return diag.RuleOutsideWorkspace
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, syscall.ELOOP), errors.Is(err, files.ErrTooManyLinks), // what is listed and not there is a link
		errors.As(err, &special): // nor is there a text in a device, where a link leads to one
		return diag.StrategyInvalidFrom
	}
	return ""
}

// isLink tells whether a name is a link, also one that leads nowhere.
func isLink(tree files.Tree, path string) bool {
	entries, err := tree.ReadDir(tree.Flavor().Dir(path))
	if err != nil {
		return false
	}
	return slices.ContainsFunc(entries, func(e files.Entry) bool { return e.Kind == files.Link && e.Name == tree.Flavor().Base(path) })
}

// leadsToFolder tells whether a link that is not followed leads to a folder, which
// may have held something that was meant.
func leadsToFolder(tree files.Tree, path string) bool {
	info, err := tree.Stat(path)
	return err == nil && info.Kind == files.Folder
}

// noted is the provider with its reads noted, for whoever follows them.
func (f *folder) noted(ctx context.Context) *folder {
	f.recalled.Store(&files.Recalled{})
	return &folder{tree: f.looking(ctx), id: f.id, roots: f.roots, trusted: f.trusted, named: f.named, confine: f.confine}
}

// looking is the tree while what was listed is read.
func (f *folder) looking(ctx context.Context) files.Tree {
	f.recalled.CompareAndSwap(nil, &files.Recalled{})
	return files.Looking(follow.Noted(ctx, f.tree), f.recalled.Load())
}

func (f *folder) Read(ctx context.Context, entry strategy.Entry) ([]byte, error) {
	return readStrategy(f.looking(ctx), entry.Name, entry.Origin.Confine, f.trusted && f.confine != "")
}
