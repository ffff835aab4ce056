package mcpserver

import (
	"context"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/pertain-dev/pertain/internal/files"
	"github.com/pertain-dev/pertain/internal/visible"
)

// maxRoots is how many folders of a client are looked at.
const maxRoots = 8

// rootsTime is how long a client may take to name its roots.
const rootsTime = 5 * time.Second

// roots are the folders of the client, or "" for the server's own. The error says
// that the client has some and did not name them.
func (c *session) roots(ctx context.Context, client *mcp.ServerSession) ([]string, error) {
	own := []string{""}
	if c.parent.options.IgnoreRoots || client == nil || client.InitializeParams() == nil {
		return own, nil
	}
	capabilities := client.InitializeParams().Capabilities
	if capabilities == nil || capabilities.RootsV2 == nil { //nolint:staticcheck // see ListRoots below
		return own, nil
	}
	ctx, stop := context.WithTimeout(ctx, rootsTime)
	defer stop()
	list, err := client.ListRoots(ctx, nil) //nolint:staticcheck // deprecated by newer clients, which name no roots; older ones have no other way
	if err != nil {
		return nil, err
	}
	var dirs []string
	for _, root := range list.Roots {
		if dir, ok := folder(root.URI); ok && !slices.Contains(dirs, dir) && len(dirs) < maxRoots {
			dirs = append(dirs, dir)
		}
	}
	if len(dirs) == 0 {
		return own, nil
	}
	return dirs, nil
}

// rootPart is before the root in the address of a rule or skill of another root
// than the first: several may have one of the same name. In names it is escaped.
const rootPart = "?root="

// addressIn is the address in a root, given what it would be in the first one.
func addressIn(spaces []Workspace, w Workspace, uri string) string {
	if w == spaces[0] {
		return uri
	}
	return uri + rootPart + url.PathEscape(rootName(spaces, w))
}

// rootName is the name of a root's folder, or where several are called so, all of
// its path.
func rootName(spaces []Workspace, w Workspace) string {
	name := filepath.Base(w.Root())
	for _, other := range spaces {
		if other != w && filepath.Base(other.Root()) == name {
			return filepath.ToSlash(w.Root())
		}
	}
	return name
}

// rootOf takes the root out of an address: at is its index in spaces, or -1 if
// the address names none.
func rootOf(spaces []Workspace, uri string) (bare string, at int, err error) {
	i := strings.LastIndex(uri, rootPart)
	if i < 0 {
		return uri, -1, nil
	}
	name, err := url.PathUnescape(uri[i+len(rootPart):])
	if err != nil {
		name = uri[i+len(rootPart):]
	}
	var names []string
	for k, w := range spaces {
		own := rootName(spaces, w)
		if own == name || filepath.ToSlash(w.Root()) == name {
			return uri[:i], k, nil
		}
		names = append(names, own)
	}
	return "", 0, notFound(uri, fmt.Errorf("there is no root `%s`; the roots are %s", shorten(name, 200), strings.Join(names, ", ")))
}

// folder is the path of a root's address.
func folder(address string) (string, bool) {
	u, err := url.Parse(address)
	if err != nil || u.Scheme != "file" || u.Host != "" && u.Host != "localhost" || u.Path == "" || strings.ContainsRune(u.Path, 0) {
		return "", false
	}
	path := u.Path
	if runtime.GOOS == "windows" {
		path = strings.TrimPrefix(path, "/") // file:///C:/work
	}
	path = filepath.FromSlash(path)
	return filepath.Clean(path), filepath.IsAbs(path)
}

// outsideError says that a path leads out of the session's folders.
type outsideError struct{ path string }

func (e *outsideError) Error() string {
	return fmt.Sprintf("%s is outside of the workspace; name files in it", e.path)
}

// found are files of a client, each with the workspace that it is in.
type found struct {
	paths   []string // absolute
	written []string // the same as they were written, not clean: see [files.Readings]
	spaces  []Workspace
	doubt   string // which relative path may mean several files, and where it was looked up; empty: none
}

// find turns paths of a client into absolute ones. Files need not exist.
func find(spaces []Workspace, paths []string) (found, error) {
	var out found
	for _, path := range paths {
		name := path
		if strings.HasPrefix(path, "file://") {
			var ok bool
			if name, ok = folder(path); !ok {
				return found{}, &outsideError{path}
			}
		}
		if strings.ContainsRune(name, 0) || name == "" {
			return found{}, fmt.Errorf("%q is no path", path)
		}
		if !filepath.IsAbs(name) {
			w, sure := meant(spaces, filepath.FromSlash(name))
			name = files.Absolute(w.Root(), filepath.FromSlash(name))
			if !sure && out.doubt == "" {
				out.doubt = fmt.Sprintf("%s was looked up in %s; if you mean another root, write the whole path", shorten(path, 200), w.Root())
			}
		}
		clean := filepath.Clean(name)
		at := slices.IndexFunc(spaces, func(w Workspace) bool { return files.Inside(w.Root(), clean) })
		if at < 0 {
			return found{}, &outsideError{path}
		}
		out.paths, out.spaces, out.written = append(out.paths, clean), append(out.spaces, spaces[at]), append(out.written, name)
	}
	return out, nil
}

// fileIn shows a file relative to the workspace that it is in, with slashes; one that
// is in none as it is. Of several roots, the whole path tells them apart.
func fileIn(spaces []Workspace, path string) string {
	if len(spaces) == 1 && files.Inside(spaces[0].Root(), path) {
		if rel, err := filepath.Rel(spaces[0].Root(), path); err == nil {
			return visible.Strip(filepath.ToSlash(rel))
		}
	}
	return visible.Strip(path)
}

// meant is the workspace that a relative path counts from: the one that has such
// a file, or else most of the folders on the way to it, the first of several. sure
// is false if another has as much of it.
func meant(spaces []Workspace, path string) (w Workspace, sure bool) {
	if len(spaces) == 1 {
		return spaces[0], true
	}
	best := -1
	for _, candidate := range spaces {
		n := existing(candidate.Root(), path)
		switch {
		case n > best:
			w, best, sure = candidate, n, true
		case n == best:
			sure = false
		}
	}
	return w, sure
}

// existing is how many names of a relative path exist below a folder, those that
// lead out of it left out.
func existing(root, path string) int {
	path = filepath.Clean(path)
	if !filepath.IsLocal(path) {
		return 0
	}
	n, at := 0, root
	for name := range strings.SplitSeq(path, string(filepath.Separator)) {
		at = filepath.Join(at, name)
		if _, err := os.Lstat(at); err != nil {
			break
		}
		n++
	}
	return n
}
