package discover

import (
	"context"
	"errors"
	"io/fs"
	"slices"
	"strings"

	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/internal/files"
	"github.com/pertain-dev/pertain/internal/gitignore"
)

// FoldersTo are the folders between a project's root and files of it, each
// once, outermost first: there nested rules that concern the files can stand.
// Files outside of the root have none, nor have folders that are not there: a
// path may name any number of those. Of very deep ones the nearest to a file
// count; the list tells of the others.
func FoldersTo(tree files.Tree, root string, paths []string) ([]string, diag.List) {
	flavor := tree.Flavor()
	asked, seen := map[string]bool{}, map[string]bool{root: true}
	var out []string
	var list diag.List
	for _, path := range paths {
		dir := flavor.Dir(path)
		if asked[dir] || !flavor.Inside(root, dir) {
			continue
		}
		asked[dir] = true
		part, _ := files.Present(flavor, dir, func(part string) bool { return !files.Missing(tree, part) })
		if part == "" || !flavor.Inside(root, part) {
			continue
		}
		way := flavor.Up(part, root)
		if last := len(way) - 1; last > maxChain {
			if len(list) == 0 {
				list.Add(leftOutFolders(way[maxChain], last-maxChain, "on the way to a file"))
			}
			way = way[:maxChain]
		}
		for _, part := range way {
			if seen[part] {
				break
			}
			seen[part] = true
			out = append(out, part)
		}
	}
	slices.Sort(out)
	return out, list
}

// NestedFolders are all folders of a project that hold something a tool may
// read. The whole tree is walked, what .gitignore names left out; with names of
// rules, only what can hold a rule of such a name, which begins with its folder. The
// list tells of what is too deep or too much to be looked at.
func NestedFolders(ctx context.Context, tree files.Tree, root string, names ...string) ([]string, diag.List, error) {
	wanted := map[string]bool{}
	for _, t := range tools() {
		for _, p := range t.project {
			first, _, _ := strings.Cut(p.path, "/")
			wanted[first] = true
		}
	}
	found := map[string]bool{}
	var list diag.List
	err := gitignore.Walk(ctx, tree, root, func(step files.Step) error {
		var limit *files.LimitError
		if errors.As(step.Err, &limit) && len(list) < maxNestedNotes {
			list = append(list, unreadable(ruleFile{path: step.Path}, step.Err)...)
		}
		if name := tree.Flavor().Base(step.Path); step.Err == nil && wanted[name] {
			if dir := tree.Flavor().Dir(step.Path); !inOwnFolder(tree.Flavor(), root, dir) {
				found[dir] = true
			}
		}
		leads := func(name string) bool { return strings.HasPrefix(name, step.Rel+"/") }
		if len(names) > 0 && step.Info.Kind == files.Folder && !step.Link && step.Rel != "." && !slices.ContainsFunc(names, leads) {
			return files.ErrSkipFolder
		}
		return nil
	})
	out := make([]string, 0, len(found))
	for dir := range found {
		out = append(out, dir)
	}
	slices.Sort(out)
	return out, list, err
}

// inOwnFolder tells whether a folder of a project is, or lies in, a folder `.pertain`: files there are rules of their own names, also where one is
// called as another tool calls its file, such as AGENTS.md.
func inOwnFolder(flavor files.Flavor, root, dir string) bool {
	rel, ok := flavor.Rel(root, dir)
	return ok && slices.ContainsFunc(strings.Split(flavor.ToSlash(rel), "/"), func(name string) bool {
		return flavor.Key(name) == ".pertain"
	})
}

// ownedFile tells whether a file that a tool looks for in any folder is another tool's where it lies: `AGENTS.md` in a folder
// `.factory` is Factory's file, and `CLAUDE.md` in a folder of rules is a rule.
func (s *search) ownedFile(dir string, p *location) bool {
	rel, ok := s.flavor.Rel(s.root, dir)
	if !ok {
		return false
	}
	key := func(path string) string { return "/" + s.flavor.ToSlash(s.flavor.Key(path)) }
	folder := key(rel) + "/"
	for _, t := range s.tools {
		for _, other := range t.project {
			switch path := key(other.path); {
			case other.path == p.path:
			case other.exts != nil && strings.Contains(folder, path+"/"), other.exts == nil && strings.HasSuffix(folder+key(p.path)[1:], path) && strings.Contains(other.path, "/"):
				return true
			}
		}
	}
	return false
}

// maxNestedNotes is how many folders that are too deep are told of.
const maxNestedNotes = 20

// LinkResolver finds the real paths of many files: each folder is looked at once.
type LinkResolver struct {
	tree  files.Tree
	known map[string]*resolvedFolder
}

type resolvedFolder struct {
	real  string          // of the folder; empty: as written
	links map[string]bool // names in it that are links
}

// NewLinkResolver makes one for a tree.
func NewLinkResolver(tree files.Tree) *LinkResolver {
	return &LinkResolver{tree: tree, known: map[string]*resolvedFolder{}}
}

// Real is the path of a file with links followed; empty if there are none, or
// if the file does not exist.
func (l *LinkResolver) Real(path string) string {
	flavor := l.tree.Flavor()
	dir, name := flavor.Dir(path), flavor.Base(path)
	f := l.folder(dir)
	if f.links[name] {
		if real, err := l.tree.RealPath(path); err == nil {
			return real
		}
		return ""
	}
	if f.real == "" {
		return ""
	}
	return flavor.Join(f.real, name)
}

func (l *LinkResolver) folder(dir string) *resolvedFolder {
	if f := l.known[dir]; f != nil {
		return f
	}
	f := &resolvedFolder{}
	l.known[dir] = f
	switch real, err := l.tree.RealPath(dir); {
	case err == nil && real != dir:
		f.real = real
	case errors.Is(err, fs.ErrNotExist): // it may be made, behind a link that is there
		f.real = l.future(dir)
		return f
	}
	entries, err := l.tree.ReadDir(dir)
	if err != nil {
		return f
	}
	for _, e := range entries {
		if e.Kind == files.Link {
			if f.links == nil {
				f.links = map[string]bool{}
			}
			f.links[e.Name] = true
		}
	}
	return f
}

// future is where a folder that is not there will be with links followed; empty as in [LinkResolver.Real].
func (l *LinkResolver) future(dir string) string {
	flavor := l.tree.Flavor()
	part, rest := files.Present(flavor, dir, func(part string) bool {
		_, err := l.tree.RealPath(part)
		return !errors.Is(err, fs.ErrNotExist)
	})
	if part == "" {
		return ""
	}
	first, below, _ := strings.Cut(rest, flavor.Separator())
	real := l.Real(flavor.Join(part, first)) // a link to nothing has none
	if real == "" {
		return ""
	}
	return flavor.Join(real, below)
}
