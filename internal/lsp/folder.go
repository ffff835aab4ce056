package lsp

import (
	"context"
	"slices"
	"strings"
	"sync"

	"github.com/pertain-dev/pertain"
	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/internal/discover"
	"github.com/pertain-dev/pertain/internal/files"
	"github.com/pertain-dev/pertain/internal/follow"
	"github.com/pertain-dev/pertain/internal/lint"
	"github.com/pertain-dev/pertain/internal/settings"
	"github.com/pertain-dev/pertain/rule"
	"github.com/pertain-dev/pertain/skill"
	"github.com/pertain-dev/pertain/strategy"
)

// Folder is what counts in a folder, as the command line would see it from there.
type Folder struct {
	Lint   lint.Workspace
	Paths  settings.Paths
	Skills skill.Library
}

// folder is a folder that the editor has open, or one that a file without such a
// folder is in.
type folder struct {
	dir      string
	opened   bool // by the editor: it is looked at as a whole
	lint     lint.Workspace
	skills   skill.Library
	settings string // the user's settings file
	trust    string // the file that says which workspaces are trusted
	problem  diag.List

	mu     sync.Mutex
	engine *pertain.Engine // of the whole folder; nil: not loaded yet
	dead   map[string]bool // whether globs match nothing, by what they are
}

// folderOf is the folder that a file belongs to: the innermost that is open around it,
// else its own, or where that is not there yet, the nearest above it.
func (s *server) folderOf(path string) *folder {
	flavor := files.Native()
	s.mu.Lock()
	defer s.mu.Unlock()
	dir, opened := flavor.Dir(path), false
	for _, root := range s.roots {
		if flavor.Inside(root, path) && (!opened || len(root) > len(dir)) {
			dir, opened = root, true
		}
	}
	if !opened {
		dir = files.PresentFolder(files.OS(), dir)
	}
	if f := s.folders[dir]; f != nil {
		return f
	}
	if len(s.folders) > maxFolders {
		clear(s.folders)
	}
	f := &folder{dir: dir, opened: opened, dead: map[string]bool{}}
	found, err := s.options.Open(dir)
	if err != nil { // settings that cannot be read, which is told
		f.problem = diag.List{diag.At(nil, diag.NoSpan, "", "%s", err)}
	}
	f.lint, f.skills, f.settings, f.trust = found.Lint, found.Skills, found.Paths.Config, found.Paths.Trust
	s.folders[dir] = f
	return f
}

// maxFolders is how many folders are known at a time.
const maxFolders = 200

// forget drops what was found on the disk.
func (f *folder) forget() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.engine, f.dead = nil, map[string]bool{}
}

// catalog is the strategies of the folder, with the texts of ctx.
func (f *folder) catalog(ctx context.Context) (*pertain.Catalog, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.engine != nil {
		return f.engine.Reload(ctx)
	}
	engine, err := pertain.Open(ctx, f.lint.Engine)
	if err != nil {
		return nil, err
	}
	f.engine = engine
	return engine.Catalog(), nil
}

// strategies are those that a document may name: of its folder, and where it is no
// folder's, as the settings, of all that are open.
func (s *server) strategies(ctx context.Context, b *buffer) []*strategy.Strategy {
	list := []*folder{b.folder}
	if !b.folder.opened {
		s.mu.Lock()
		roots := slices.Clone(s.roots)
		s.mu.Unlock()
		for _, root := range roots {
			list = append(list, s.folderOf(files.Native().Join(root, strategy.FolderFile)))
		}
	}
	var found []*strategy.Strategy
	known := map[string]bool{}
	for _, f := range list {
		catalog, err := f.catalog(ctx)
		if err != nil {
			continue
		}
		for _, one := range catalog.Strategies() {
			if key := strategy.Key(one.ID); !known[key] {
				known[key] = true
				found = append(found, one)
			}
		}
	}
	return found
}

// whole is what is told about the folder as a whole: about its strategies together, its
// rules together, and names that nearly mean something.
func (f *folder) whole(ctx context.Context) (diag.List, error) {
	catalog, err := f.catalog(ctx)
	if err != nil {
		return nil, err
	}
	list := lint.CheckCatalog(catalog).Diagnostics
	book, err := pertain.OpenRules(ctx, f.lint.Environment, pertain.RuleOptions{})
	if err != nil {
		return nil, err
	}
	list = append(list, lint.ReadRules(book).Diagnostics...)
	list = append(list, discover.NearNames(follow.Noted(ctx, files.OS()), f.lint.Rules)...)
	list.Sort()
	return list.Limit(), ctx.Err()
}

// deadGlobs is [lint.Workspace.DeadGlobs], which is asked once for the same globs.
func (f *folder) deadGlobs(ctx context.Context, rules []*rule.Rule) (diag.List, error) {
	var key strings.Builder
	for _, r := range rules {
		key.WriteString(r.Path + "\x00" + string(r.Bucket) + "\x00" + strings.Join(r.Globs, "\x00") + "\x01")
	}
	f.mu.Lock()
	dead, known := f.dead[key.String()]
	f.mu.Unlock()
	switch {
	case known && !dead:
		return nil, nil
	case known: // where they stand may have changed
		return rule.NewCoverage(rules, files.Native() == files.Windows).Dead(), nil
	}
	list, err := f.lint.DeadGlobs(ctx, rules)
	if err != nil {
		return nil, err
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if len(f.dead) > maxFolders {
		clear(f.dead)
	}
	f.dead[key.String()] = len(list) > 0
	return list, nil
}
