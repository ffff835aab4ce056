package skill

import (
	"context"
	"errors"
	"io/fs"
	"slices"
	"strings"

	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/document"
	"github.com/pertain-dev/pertain/internal/discover/secret"
	"github.com/pertain-dev/pertain/internal/fileerror"
	"github.com/pertain-dev/pertain/internal/files"
)

// Resource is a file of a skill.
type Resource struct {
	Location  Location
	File      string // absolute path, as found below the skill's root
	MediaType string
	Data      []byte
}

// ReadError says why a resource cannot be read.
type ReadError struct {
	Address string
	Reason  string // for people
	Outside bool   // it lies outside of the skill's folder
	Err     error  // the cause; may be nil
}

// Error is one line.
func (e *ReadError) Error() string { return diag.Short(e.Address) + " cannot be read: " + e.Reason }

// Unwrap is the cause.
func (e *ReadError) Unwrap() error { return e.Err }

// Read reads what an address stands for: of skill://NAME the SKILL.md, else a
// file below the skill's folder, at most [document.MaxBytes] of it. Nothing
// outside of that folder is read, whatever links say.
func (l Library) Read(ctx context.Context, address string) (Resource, error) {
	l = l.noted(ctx)
	name, path, err := ParseAddress(address)
	if err != nil {
		return Resource{}, &ReadError{Address: address, Reason: err.Error(), Outside: errors.Is(err, errAddress)}
	}
	location, path, err := l.Find(ctx, name, path)
	if err != nil {
		return Resource{}, err
	}
	if location.problem != "" {
		return Resource{}, &ReadError{Address: address, Reason: location.problem, Outside: true}
	}
	if len(path) == 0 {
		path = []string{FileName}
	}
	data, err := l.readInside(location, path)
	if err != nil {
		var known *ReadError
		if errors.As(err, &known) {
			known.Address = address
		}
		return Resource{}, err
	}
	r := Resource{Location: location, File: l.tree().Flavor().Join(append([]string{location.Dir}, path...)...), MediaType: "text/plain", Data: data}
	if lower := strings.ToLower(path[len(path)-1]); strings.HasSuffix(lower, ".md") || strings.HasSuffix(lower, ".markdown") {
		r.MediaType = "text/markdown"
	}
	return r, nil
}

// Find finds the skill of an address's parts, and the path below its folder:
// skill://SOURCE/FOLDER is skill://SOURCE.FOLDER, unless a skill of the first name
// has such a file.
func (l Library) Find(ctx context.Context, name string, path []string) (Location, []string, error) {
	l = l.noted(ctx)
	found, _, err := l.locations(ctx)
	if err != nil {
		return Location{}, nil, err
	}
	location, err := choose(found, name)
	if len(path) == 0 {
		return location, path, err
	}
	if err == nil {
		if list, folders := l.Names(location, path[:len(path)-1]...); slices.Contains(list, path[len(path)-1]) || slices.Contains(folders, path[len(path)-1]) {
			return location, path, nil
		}
	}
	id := strings.ToLower(name + "." + path[0])
	if at := slices.IndexFunc(found, func(p Location) bool { return p.ID == id }); at >= 0 {
		return found[at], path[1:], nil
	}
	return location, path, err
}

// readInside reads a file that lies below the skill's folder, links followed. A
// folder that was replaced by a link since it was found holds nothing.
func (l Library) readInside(location Location, path []string) ([]byte, error) {
	flavor := l.tree().Flavor()
	for _, name := range path {
		if !plainName(flavor, name) {
			return nil, &ReadError{Reason: errAddress.Error(), Outside: true}
		}
	}
	data, err := l.readOwn(location, flavor.Join(path...))
	var outside *files.OutsideError
	switch {
	case errors.As(err, &outside) && outside.Why != "":
		return nil, &ReadError{Reason: outside.Why, Outside: true}
	case errors.As(err, &outside):
		return nil, &ReadError{Reason: "it is a link that leads out of the skill's folder", Outside: true}
	case err != nil:
		return nil, &ReadError{Reason: reason(err), Err: err}
	}
	return data, nil
}

// readOwn reads a file of a skill, by its path in the skill's folder, unless somebody else has put it into the workspace, or it looks like a secret.
func (l Library) readOwn(location Location, rel string) ([]byte, error) {
	path := l.tree().Flavor().Join(location.real, rel)
	o, err := l.tree().Open(path, files.BelowReal(location.real))
	if err != nil {
		return nil, err
	}
	defer o.Close()
	top := location.Root.Workspace
	if top == "" {
		return l.readPlain(location, o)
	}
	if err := files.RefuseForeign(l.tree(), o, top, location.Dir, files.IsShared); err != nil {
		return nil, err
	}
	if err := files.RefuseForeign(l.tree(), o, top, path, files.IsShared); err != nil {
		return nil, err
	}
	return l.readNoSecret(location, rel, o)
}

// readNoSecret reads a file of a workspace's skill. A link can make any folder of the workspace one of a skill, also that in which the
// user keeps an .env and .git: what it leads to must not look like a secret.
func (l Library) readNoSecret(location Location, rel string, o files.Opened) ([]byte, error) {
	real := o.Real()
	folder, err := l.tree().RealPath(location.Root.Workspace)
	if err != nil {
		return nil, err
	}
	if !l.isLed(location, rel, folder, real) {
		return l.readPlain(location, o)
	}
	refused := &files.OutsideError{Path: real, Why: "it is a link to what looks like a secret"}
	ground := secret.Ground{Tree: l.tree(), Folder: folder}
	if ground.Looks(real) || l.ground(location).Looks(real) {
		return nil, refused
	}
	data, err := o.Read(document.MaxBytes)
	if err == nil && ground.Holds(real, data) {
		return nil, refused
	}
	return data, err
}

// readPlain reads a file of a skill that is one by its own place. A skill is a folder that somebody works in as well: a clone, with the
// token for its server in .git/config, an .env beside the scripts that want it.
func (l Library) readPlain(location Location, o files.Opened) ([]byte, error) {
	refused := &files.OutsideError{Path: o.Real(), Why: "it looks like a secret"}
	ground := l.ground(location)
	if ground.Looks(o.Real()) {
		return nil, refused
	}
	data, err := o.Read(document.MaxBytes)
	if err == nil && ground.Lists(o.Real(), data) {
		return nil, refused
	}
	return data, err
}

// ground is the folder of a skill: what the folders above are called says nothing about its files.
func (l Library) ground(location Location) secret.Ground {
	return secret.Ground{Tree: l.tree(), Folder: location.real, Skill: true}
}

// isLed tells whether it is a link that makes a file part of a skill. One from a folder of skills to another, as from .claude/skills to
// .agents/skills, does not: what is there is a skill by itself. workspace and real are without links.
func (l Library) isLed(location Location, rel, workspace, real string) bool {
	flavor := l.tree().Flavor()
	same := func(a, b string) bool { return flavor.Key(a) == flavor.Key(b) }
	if parent := flavor.Dir(location.real); flavor.Base(parent) == "skills" && !same(parent, workspace) && flavor.Inside(workspace, parent) {
		return !same(flavor.Join(location.real, rel), real)
	}
	way, ok := flavor.Rel(location.Root.Workspace, flavor.Join(location.Dir, rel))
	return !ok || !same(flavor.Join(workspace, way), real)
}

// Names are what can be read, or leads further, in a skill's folder or one below
// it, in byte order, but for what looks like a secret. What cannot be listed has none.
func (l Library) Names(location Location, path ...string) (list []string, folders []string) {
	flavor := l.tree().Flavor()
	if location.real == "" || location.problem != "" || slices.ContainsFunc(path, func(name string) bool { return !plainName(flavor, name) }) {
		return nil, nil
	}
	within, ground := files.BelowReal(location.real), l.ground(location)
	dir := flavor.Join(append([]string{location.real}, path...)...)
	entries, err := files.ListWithin(l.tree(), dir, within)
	if err != nil {
		return nil, nil
	}
	for _, e := range entries {
		info, real, err := files.StatWithin(l.tree(), flavor.Join(dir, e.Name), within)
		switch {
		case err != nil:
		case info.Kind == files.File && !ground.Looks(real):
			list = append(list, e.Name)
		case info.Kind == files.Folder && !ground.InFolder(flavor.Join(real, FileName)): // any name in it
			folders = append(folders, e.Name)
		}
	}
	return list, folders
}

// reason words a file error without its path.
func reason(err error) string {
	var large *files.TooLargeError
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return "there is no such file"
	case errors.As(err, &large):
		return "it is larger than 4 MiB"
	}
	return fileerror.Reason(err)
}
