package mcpserver

import (
	"context"
	"fmt"
	"net/url"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// maxRoots is how many folders of a client are looked at.
const maxRoots = 8

// roots are the folders of the client, or "" for the server's own.
func (c *session) roots(ctx context.Context, client *mcp.ServerSession) []string {
	own := []string{""}
	if c.parent.options.IgnoreRoots || client == nil || client.InitializeParams() == nil {
		return own
	}
	capabilities := client.InitializeParams().Capabilities
	if capabilities == nil || capabilities.RootsV2 == nil { //nolint:staticcheck // see ListRoots below
		return own
	}
	ctx, stop := context.WithTimeout(ctx, rootsTime)
	defer stop()
	list, err := client.ListRoots(ctx, nil) //nolint:staticcheck // deprecated by newer clients, which name no roots; older ones have no other way
	if err != nil {
		c.parent.options.Logger.Warn("mcp: the client did not name its roots")
		return own
	}
	var dirs []string
	for _, root := range list.Roots {
		if dir, ok := folder(root.URI); ok && !slices.Contains(dirs, dir) && len(dirs) < maxRoots {
			dirs = append(dirs, dir)
		}
	}
	if len(dirs) == 0 {
		return own
	}
	return dirs
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

// find turns paths of a client into absolute ones, by the workspace they are in.
// Relative ones count from the first workspace. Files need not exist.
func find(spaces []Workspace, paths []string) (absolute []string, in []Workspace, err error) {
	for _, path := range paths {
		name := path
		if strings.HasPrefix(path, "file://") {
			var ok bool
			if name, ok = folder(path); !ok {
				return nil, nil, &outsideError{path}
			}
		}
		if strings.ContainsRune(name, 0) || name == "" {
			return nil, nil, fmt.Errorf("%q is no path", path)
		}
		if !filepath.IsAbs(name) {
			name = filepath.Join(spaces[0].Root(), filepath.FromSlash(name))
		}
		name = filepath.Clean(name)
		at := slices.IndexFunc(spaces, func(w Workspace) bool { return inside(w.Root(), name) })
		if at < 0 {
			return nil, nil, &outsideError{path}
		}
		absolute, in = append(absolute, name), append(in, spaces[at])
	}
	return absolute, in, nil
}

// inside tells whether a path is below a folder, links followed as far as they
// exist.
func inside(dir, path string) bool {
	return below(dir, path) && below(real(dir), real(path))
}

func below(dir, path string) bool {
	rel, err := filepath.Rel(dir, path)
	return err == nil && filepath.IsLocal(rel)
}

// real follows the links of the part of a path that exists.
func real(path string) string {
	for rest := ""; ; {
		if found, err := filepath.EvalSymlinks(path); err == nil {
			return filepath.Join(found, rest)
		}
		up := filepath.Dir(path)
		if up == path {
			return filepath.Join(path, rest)
		}
		rest = filepath.Join(filepath.Base(path), rest)
		path = up
	}
}
