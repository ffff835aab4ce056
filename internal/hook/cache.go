package hook

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"time"

	"github.com/pertain-dev/pertain/internal/discover"
	"github.com/pertain-dev/pertain/internal/files"
	"github.com/pertain-dev/pertain/internal/follow"
	"github.com/pertain-dev/pertain/internal/packed"
	"github.com/pertain-dev/pertain/internal/writing"
)

// Reading thousands of files for each call takes longer than everything else, so that what was made of the rules is kept in the
// state folder, with all that was looked at to find them: every path, its size, its times, its owner. As long as all of that is
// as it was, so is what was kept.

// Limits of what is kept.
const (
	cacheFolder = "cache"
	cacheSuffix = ".rules"
	cacheForm   = "pertain rules 4" // of a file; another one is not read
	maxCache    = 16 << 20          // bytes
	cacheAge    = 7 * 24 * time.Hour
)

// kept is a file for what is made of the rules that count for a call that names some files.
type kept struct {
	session *session
	file    string // empty: nothing can be kept
	named   []string
	notes   *follow.Notes
	above   string
	env     map[string]string
}

// keptFor is where something is kept for the folders of some files; not for files behind links.
func (s *session) keptFor(what string, named []string) *kept {
	k := &kept{session: s, named: named}
	if s.paths.State == "" || s.sample || s.own {
		return k
	}
	self, err := os.Executable()
	if err != nil {
		return k
	}
	info, err := os.Stat(self)
	if err != nil {
		return k
	}
	parts := []string{cacheForm, what, self, strconv.FormatInt(info.Size(), 10), info.ModTime().UTC().Format(time.RFC3339Nano), s.dir}
	var folders []string
	for _, path := range named {
		if info, err := os.Lstat(path); err == nil && !info.Mode().IsRegular() {
			return k
		}
		if dir := filepath.Dir(path); !slices.Contains(folders, dir) {
			folders = append(folders, dir)
		}
	}
	slices.Sort(folders)
	k.file = filepath.Join(s.paths.State, cacheFolder, hash(append(parts, folders...)...)+cacheSuffix)
	return k
}

// read gives what was kept, if nothing has changed since, and the root of the project.
func (k *kept) read() (body *packed.Reader, root string, ok bool) {
	if k.file == "" {
		return nil, "", false
	}
	data, err := files.OS().ReadFile(k.file, maxCache)
	if err != nil {
		return nil, "", false
	}
	r := packed.NewReader(string(data))
	if r.Text() != cacheForm {
		return nil, "", false
	}
	for range r.Count() {
		if name, value := r.Text(), r.Text(); k.session.environment.Env(name) != value {
			return nil, "", false
		}
	}
	looks := make([]follow.Look, r.Count())
	for i := range looks {
		looks[i] = follow.Look{Path: r.Text(), Listed: r.Flag()}
	}
	sum, above := r.Text(), r.Text()
	if r.Failed() || !follow.Unchanged(looks, sum) || above != follow.NamesAbove(k.session.dir, discover.MayHoldRules) {
		return nil, "", false
	}
	root = r.Text()
	return r, root, !r.Failed()
}

// watch notes everything that is looked at while rules are read, if that can be kept.
func (k *kept) watch(read func() error) error {
	s := k.session
	k.env = map[string]string{}
	if k.above = follow.NamesAbove(s.dir, discover.MayHoldRules); k.above == "" {
		return read() // nothing can be kept
	}
	real, plain := s.environment.Env, s.ctx
	s.environment.Env = func(name string) string {
		k.env[name] = real(name)
		return k.env[name]
	}
	s.ctx, k.notes = follow.Recording(s.ctx)
	follow.Note(s.ctx, s.paths.Trust)
	err := read()
	s.ctx, s.environment.Env = plain, real
	return err
}

// write keeps something for the next call. What cannot be written is read again.
func (k *kept) write(body func(*packed.Writer)) {
	s := k.session
	if k.file == "" || k.above == "" {
		return
	}
	looks, sum, sure := k.notes.Saved(s.root, k.named)
	if !sure || k.above != follow.NamesAbove(s.dir, discover.MayHoldRules) {
		return
	}
	var w packed.Writer
	w.Text(cacheForm)
	w.Count(len(k.env))
	for _, name := range slices.Sorted(maps.Keys(k.env)) {
		w.Text(name)
		w.Text(k.env[name])
	}
	w.Count(len(looks))
	for _, look := range looks {
		w.Text(look.Path)
		w.Flag(look.Listed)
	}
	w.Text(sum)
	w.Text(k.above)
	w.Text(s.root)
	body(&w)
	target, err := writing.OwnTarget(k.file)
	if err != nil || len(w.Bytes()) > maxCache || target.MakeFolder(0o700) != nil {
		return
	}
	_ = target.Write(w.Bytes(), 0o600)
	_ = writing.RemoveOld(filepath.Dir(k.file), cacheSuffix, s.started.Add(-cacheAge))
}
