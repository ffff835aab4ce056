package strategyfile

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/document"
	"github.com/pertain-dev/pertain/internal/fileerror"
	"github.com/pertain-dev/pertain/internal/files"
	"github.com/pertain-dev/pertain/internal/settings"
	"github.com/pertain-dev/pertain/strategy"
)

// Named are the strategy files that a user named on the command line, each as
// of the provider that its path says, else as the user's.
func Named(ctx context.Context, tree files.Tree, roots Roots, paths []string) ([]strategy.Provider, error) {
	n := naming{tree: tree, roots: roots}
	for _, path := range paths {
		info, err := tree.Stat(path)
		if err != nil {
			return nil, fmt.Errorf("%s: %s", diag.Short(path), fileerror.Reason(err))
		}
		if info.Kind != files.Folder {
			if !strategy.IsFile(path) {
				return nil, fmt.Errorf("%s: not a strategy file; its name must end in %s, or be %s", path, strategy.Suffix, strategy.FolderFile)
			}
			root := tree.Flavor().Dir(path)
			if tree.Flavor().Base(path) == strategy.FolderFile { // it is called after its folder
				root = tree.Flavor().Dir(root)
			}
			n.add(path, root)
			continue
		}
		all := &folder{tree: tree, id: "user", roots: []string{path}}
		if f, _ := n.home(tree.Flavor().Join(path, "x")); f == nil {
			all.confine = path // whose it is is not known: links do not lead out of it
		} else {
			all.confine = f.confine
		}
		entries, err := all.List(ctx)
		if err != nil {
			return nil, err
		}
		for _, e := range entries {
			if n.meant(e) {
				n.addEntry(e, path)
			}
		}
	}
	slices.SortStableFunc(n.groups, func(a, b *named) int {
		return cmp.Or(providerRank(a.id)-providerRank(b.id), compareIDs(a.id, b.id))
	})
	providers := make([]strategy.Provider, len(n.groups))
	for i, g := range n.groups {
		// In path order, however they were named: it decides which of two with one id stays.
		slices.SortFunc(g.entries, func(a, b strategy.Entry) int { return cmp.Or(a.Compare(b), strings.Compare(a.Name, b.Name)) })
		providers[i] = g
	}
	return providers, nil
}

// providerRank is the order of providers for ties; plugins come last.
func providerRank(id string) int {
	if i := slices.Index([]string{"builtin", "user", "workspace"}, id); i >= 0 {
		return i
	}
	return 3
}

type naming struct {
	tree   files.Tree
	roots  Roots
	groups []*named
}

// meant tells whether a file that was found in a folder is meant as a strategy. A
// STRATEGY.md may be any text, unless it lies in a folder of strategies or says what
// only a strategy says.
func (n *naming) meant(e strategy.Entry) bool {
	flavor := n.tree.Flavor()
	if flavor.Base(e.Name) != strategy.FolderFile {
		return true
	}
	f, _ := n.home(e.Name)
	return f != nil || slices.Contains(strings.Split(flavor.ToSlash(e.Name), "/"), "strategies") || n.saysStrategy(e.Name)
}

// saysStrategy tells whether a file has a field that only strategies have. What cannot be read says nothing.
func (n *naming) saysStrategy(path string) bool {
	data, err := readStrategy(n.tree, path, n.loose(path).confine, false)
	if err != nil {
		return false
	}
	source, _ := document.Decode(path, data)
	doc, _ := document.Parse(source, document.Lenient)
	return slices.ContainsFunc([]string{"when", "preprocessors", "systemPrompt", "tools", "from"}, func(field string) bool { return doc.Frontmatter.Get(field) != nil })
}

func (n *naming) add(path, root string) {
	f, home := n.home(path)
	if f == nil {
		f, home = n.loose(path), root
	}
	rel, _ := n.tree.Flavor().Rel(home, path)
	_, _, err := files.StatWithin(n.tree, path, confines(n.tree, f.confine))
	n.put(f, f.entry(0, f.confine, path, n.tree.Flavor().ToSlash(rel), err))
}

func (n *naming) addEntry(e strategy.Entry, root string) {
	if e.Problem == "" {
		n.add(e.Name, root)
		return
	}
	f, _ := n.home(e.Name)
	if f == nil {
		if e.Code == diag.RuleOutsideWorkspace && !strategy.IsFile(e.Name) {
			return // any folder may hold links to others, and nothing says that strategies were meant
		}
		f = n.loose(e.Name)
	}
	e.Origin.Provider, e.Origin.Trusted, e.Origin.Confine = f.id, f.trusted, f.confine
	n.put(f, e)
}

// loose is the provider of a file that is in no provider's folder: the user named
// it, or a folder above it, and where it lies in a workspace it is held there and as
// much a stranger's as what lies in the workspace's own folder.
func (n *naming) loose(path string) *folder {
	around := settings.WorkspaceAround(n.tree, n.tree.Flavor().Dir(path))
	return &folder{tree: n.tree, id: "user", trusted: around == "", confine: around}
}

// home finds the provider whose folder a file is in; nil if it is in none.
func (n *naming) home(path string) (f *folder, root string) {
	flavor := n.tree.Flavor()
	for _, root := range n.roots.Named {
		if flavor.Inside(root, path) {
			return &folder{tree: n.tree, id: "user", trusted: true, confine: settings.WorkspaceAround(n.tree, root)}, root
		}
	}
	for _, root := range n.roots.User {
		if flavor.Inside(root, path) {
			return &folder{tree: n.tree, id: "user", trusted: true}, root
		}
	}
	if rel, ok := flavor.Rel(n.roots.Plugins, path); ok && n.roots.Plugins != "" {
		name, _, _ := strings.Cut(flavor.ToSlash(rel), "/")
		root := flavor.Join(n.roots.Plugins, name, "strategies")
		if flavor.Inside(root, path) {
			return &folder{tree: n.tree, id: "plugin." + pluginName(name), trusted: true}, root
		}
	}
	for dir := flavor.Dir(path); flavor.Dir(dir) != dir; dir = flavor.Dir(dir) {
		if flavor.Base(dir) == "strategies" && flavor.Base(flavor.Dir(dir)) == ".pertain" {
			root := flavor.Dir(flavor.Dir(dir))
			return &folder{tree: n.tree, id: "workspace", confine: cmp.Or(settings.WorkspaceAround(n.tree, root), root)}, dir
		}
	}
	return nil, ""
}

func (n *naming) put(f *folder, e strategy.Entry) {
	at := slices.IndexFunc(n.groups, func(g *named) bool { return g.id == f.id })
	if at < 0 {
		at = len(n.groups)
		n.groups = append(n.groups, &named{tree: n.tree, id: f.id})
	}
	g := n.groups[at]
	if !slices.ContainsFunc(g.entries, func(other strategy.Entry) bool { return other.Name == e.Name }) {
		g.entries = append(g.entries, e)
	}
}

// named is a provider of listed files.
type named struct {
	tree    files.Tree
	id      string
	entries []strategy.Entry
}

func (n *named) ID() string      { return n.id }
func (n *named) Roots() []string { return nil }

func (n *named) List(context.Context) ([]strategy.Entry, error) { return n.entries, nil }

func (n *named) Find(path string) (strategy.Entry, bool) {
	at := slices.IndexFunc(n.entries, func(e strategy.Entry) bool { return e.Name == path })
	if at < 0 {
		return strategy.Entry{}, false
	}
	return n.entries[at], true
}

func (n *named) Read(_ context.Context, e strategy.Entry) ([]byte, error) {
	return readStrategy(n.tree, e.Name, e.Origin.Confine, false) // the user named it, whoever it belongs to
}
