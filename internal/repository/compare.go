package repository

import (
	"errors"
	"io"
	"io/fs"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/pertain-dev/pertain/internal/gitignore"
)

// Reasons why something may be a change or not.
const (
	reasonIgnored  = "it cannot be read which files are ignored"
	reasonFolder   = "a folder cannot be read"
	reasonFile     = "a file cannot be read"
	reasonMode     = "it is a setting of the repository whether the mode of a file counts"
	reasonContent  = "it is a setting of the repository how the content of a file counts"
	reasonSparse   = "it is a setting of the repository which files are checked out"
	reasonSpelling = "a name is spelled in two ways"
	reasonNested   = "a submodule says in its settings whether its changes count"
	reasonDeep     = "there are too many folders in each other"
)

// folder is one that is compared.
type folder struct {
	path       string // absolute
	rel        string // from the top, with slashes; empty at the top
	ignored    gitignore.Ignored
	conversion conversion
	outside    bool // ignored: what is not known in it is no change
	depth      int
}

// group is what an index has under one name of a folder: a file, or what is in a
// folder of that name.
type group struct {
	entries []entry
	below   bool
	seen    bool
}

// groups parts the entries of a folder by name. They lie together, but for an
// index that no git wrote.
func groups(entries []entry, rel string) (map[string]*group, []string, error) {
	begin := 0
	if rel != "" {
		begin = len(rel) + 1
	}
	found := map[string]*group{}
	var order []string
	for i := 0; i < len(entries); {
		name, _, below := strings.Cut(entries[i].path[begin:], "/")
		end := i + 1
		for below && end < len(entries) && strings.HasPrefix(entries[end].path[begin:], name+"/") {
			end++
		}
		if found[name] != nil {
			return nil, nil, unknown("its index cannot be understood")
		}
		found[name] = &group{entries: entries[i:end], below: below}
		order = append(order, name)
		i = end
	}
	return found, order, nil
}

// compare tells whether a folder differs from its entries of the index.
func (c *comparison) compare(f folder, entries []entry) (bool, error) {
	if f.depth > maxDepth {
		c.doubt(reasonDeep)
		return false, nil
	}
	known, order, err := groups(entries, f.rel)
	if err != nil {
		return false, err
	}
	dir, err := openFolder(f.path, f.depth == 0)
	if err != nil {
		c.doubt(reasonFolder)
		return false, nil
	}
	defer dir.Close()
	f.conversion |= attributesOf(filepath.Join(f.path, ".gitattributes"))
	for {
		list, err := dir.ReadDir(256)
		for _, item := range list {
			if err := c.more(); err != nil {
				return false, err
			}
			if changed, err := c.item(f, known, item); changed || err != nil {
				return changed, err
			}
		}
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			c.doubt(reasonFolder)
			return false, nil
		}
	}
	for _, name := range order {
		if g := known[name]; !g.seen && c.gone(f, name, g) {
			return true, nil
		}
	}
	return false, nil
}

// item looks at one name that a folder has.
func (c *comparison) item(f folder, known map[string]*group, item fs.DirEntry) (bool, error) {
	name := item.Name()
	if strings.EqualFold(name, ".git") {
		return false, nil
	}
	path, rel := filepath.Join(f.path, name), name
	if f.rel != "" {
		rel = f.rel + "/" + name
	}
	g := known[name]
	if g == nil {
		return c.stranger(f, path, rel, item.Type(), known)
	}
	g.seen = true
	if g.below {
		if !item.IsDir() {
			return c.missing(g), nil
		}
		if len(g.entries) == 1 && g.entries[0].kind() == modeFolder {
			c.doubt(reasonSparse)
			return false, nil
		}
		below, err := c.enter(f, path, rel)
		if err != nil {
			return false, err
		}
		return c.compare(below, g.entries)
	}
	return c.file(f, path, &g.entries[0])
}

// enter is a folder in a folder.
func (c *comparison) enter(f folder, path, rel string) (folder, error) {
	f.outside = f.outside || f.ignored.Names(rel, true)
	f.path, f.rel, f.depth = path, rel, f.depth+1
	below, whole := f.ignored.Enter(path, rel)
	if !whole {
		c.doubt(reasonIgnored)
	}
	f.ignored = below
	return f, c.ctx.Err()
}

// gone tells whether it is a change that what the index has is not in the folder.
func (c *comparison) gone(f folder, name string, g *group) bool {
	if looseNames() && exists(filepath.Join(f.path, name)) {
		c.doubt(reasonSpelling)
		return false
	}
	return c.missing(g)
}

// missing tells whether one of the files would have to be there.
func (c *comparison) missing(g *group) bool {
	for i := range g.entries {
		if e := &g.entries[i]; !e.assumeValid() && !e.skipped() && e.kind() != modeFolder {
			return true
		}
	}
	return false
}

// looseNames tells whether the system may find a file by another spelling of its
// name.
func looseNames() bool { return runtime.GOOS == "darwin" || runtime.GOOS == "windows" }
