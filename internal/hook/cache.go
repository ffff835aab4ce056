package hook

import (
	"context"
	"encoding/binary"
	"errors"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/pertain-dev/pertain/internal/files"
	"github.com/pertain-dev/pertain/rule"
	"github.com/pertain-dev/pertain/stream"
)

// watchers are the rules with triggers at a place: all that is needed before a call. Reading thousands of files for each call
// takes longer than everything else, so that they are kept in the state folder, with all that was looked at to find them: every
// path, its size, its times, its owner. As long as all of that is as it was, so are the rules.
type watchers struct {
	root     string
	broken   bool // some trigger cannot be used
	triggers []stream.Trigger
	rules    []watcherRule // in the same order
}

// watcherRule is what is told of a rule beside its trigger.
type watcherRule struct {
	path    string
	binding bool
}

// Limits of what is kept.
const (
	cacheFolder = "cache"
	cacheSuffix = ".rules"
	cacheForm   = "pertain rules 1" // of a file; another one is not read
	maxCache    = 16 << 20          // bytes
	cacheAge    = 7 * 24 * time.Hour
)

// watching gives the rules with triggers that count for a call that names some files.
func (s *session) watching(named []string) (watchers, error) {
	file, keyed := s.cacheFile(named)
	if keyed {
		if w, ok := s.cached(file); ok {
			s.root = w.root
			return w, nil
		}
	}
	looked := map[string]string{}
	real := s.place.Env
	s.place.Env = func(name string) string {
		looked[name] = real(name)
		return looked[name]
	}
	above := files.NamesAbove(s.dir, mayMatter)
	ctx, notes := files.Recording(s.ctx)
	files.Note(ctx, s.paths.Trust)
	plain := s.ctx
	s.ctx = ctx
	err := s.load(named)
	s.ctx, s.place.Env = plain, real
	if err != nil {
		return watchers{}, err
	}
	w := s.watchers()
	looks, sum, sure := notes.Saved(s.root, named)
	if keyed && sure && above != "" && above == files.NamesAbove(s.dir, mayMatter) {
		s.keepCached(file, w, looks, sum, above, looked)
	}
	return w, nil
}

// watchers are those of the rules that were read.
func (s *session) watchers() watchers {
	w := watchers{root: s.root, broken: len(s.book.Unwatched()) > 0}
	w.triggers = stream.FromRules(s.slashed(), filepath.ToSlash(s.root))
	for _, t := range w.triggers {
		r := s.rules[t.Name]
		w.rules = append(w.rules, watcherRule{r.Path, s.book.Binding(r)})
	}
	return w
}

// mayMatter tells names that rules could be read from in a folder above the project: others come and go there, in a folder for
// temporary files with every program.
func mayMatter(name string) bool {
	switch strings.ToLower(filepath.Ext(name)) {
	case ".md", ".mdc", ".mdx", ".markdown", ".json", ".jsonc", ".yaml", ".yml", ".toml", ".txt":
		return true
	}
	return strings.HasPrefix(name, ".") && !strings.HasPrefix(name, ".pertain-") || strings.Contains(strings.ToLower(name), "rules")
}

// cacheFile is where the rules are kept for the folders of some files; it is not for files behind links.
func (s *session) cacheFile(named []string) (string, bool) {
	if s.paths.State == "" || s.sample {
		return "", false
	}
	self, err := os.Executable()
	if err != nil {
		return "", false
	}
	info, err := os.Stat(self)
	if err != nil {
		return "", false
	}
	parts := []string{cacheForm, self, strconv.FormatInt(info.Size(), 10), info.ModTime().UTC().Format(time.RFC3339Nano), s.dir}
	var folders []string
	for _, path := range named {
		if info, err := os.Lstat(path); err == nil && !info.Mode().IsRegular() {
			return "", false
		}
		if dir := filepath.Dir(path); !slices.Contains(folders, dir) {
			folders = append(folders, dir)
		}
	}
	slices.Sort(folders)
	return filepath.Join(s.paths.State, cacheFolder, hash(append(parts, folders...)...)+cacheSuffix), true
}

// cached reads what was kept, if nothing has changed since.
func (s *session) cached(file string) (watchers, bool) {
	data, err := files.OS().ReadFile(file, maxCache)
	if err != nil {
		return watchers{}, false
	}
	d := decoder{rest: data}
	if d.text() != cacheForm {
		return watchers{}, false
	}
	for range d.count() {
		if name, value := d.text(), d.text(); s.place.Env(name) != value {
			return watchers{}, false
		}
	}
	looks := make([]files.Look, d.count())
	for i := range looks {
		looks[i] = files.Look{Path: d.text(), Listed: d.flag()}
	}
	if sum, above := d.text(), d.text(); d.failed || !files.Unchanged(looks, sum) || above != files.NamesAbove(s.dir, mayMatter) {
		return watchers{}, false
	}
	w := watchers{root: d.text(), broken: d.flag(), triggers: make([]stream.Trigger, d.count())}
	for i := range w.triggers {
		w.triggers[i] = stream.Trigger{
			Name: d.text(), Path: d.text(), Body: d.text(), InterruptMode: stream.InterruptMode(d.text()), Own: d.flag(), Extglobs: d.flag(),
			Patterns: d.list(), Scope: d.list(), Globs: d.list(),
		}
		w.rules = append(w.rules, watcherRule{d.text(), d.flag()})
	}
	return w, !d.failed && len(d.rest) == 0
}

// keepCached keeps rules for the next call. What cannot be written is read again.
func (s *session) keepCached(file string, w watchers, looks []files.Look, sum, above string, env map[string]string) {
	var e encoder
	e.text(cacheForm)
	e.count(len(env))
	for _, name := range slices.Sorted(maps.Keys(env)) {
		e.text(name)
		e.text(env[name])
	}
	e.count(len(looks))
	for _, look := range looks {
		e.text(look.Path)
		e.flag(look.Listed)
	}
	e.text(sum)
	e.text(above)
	e.text(w.root)
	e.flag(w.broken)
	e.count(len(w.triggers))
	for i, t := range w.triggers {
		for _, text := range []string{t.Name, t.Path, t.Body, string(t.InterruptMode)} {
			e.text(text)
		}
		e.flag(t.Own)
		e.flag(t.Extglobs)
		for _, list := range [][]string{t.Patterns, t.Scope, t.Globs} {
			e.list(list)
		}
		e.text(w.rules[i].path)
		e.flag(w.rules[i].binding)
	}
	target, err := files.OwnTarget(file)
	if err != nil || len(e.out) > maxCache || target.MakeFolder(0o700) != nil {
		return
	}
	_ = target.Write(e.out, 0o600)
	_ = files.RemoveOld(filepath.Dir(file), cacheSuffix, s.started.Add(-cacheAge))
}

// use takes watchers for the rules of this call.
func (s *session) use(w watchers) *stream.Set {
	s.bound = map[string]bool{}
	if s.rules == nil {
		s.rules = map[string]*rule.Rule{}
	}
	for i, t := range w.triggers {
		s.bound[t.Name] = w.rules[i].binding
		if s.rules[t.Name] == nil {
			s.rules[t.Name] = &rule.Rule{Name: t.Name, Path: w.rules[i].path, Content: t.Body}
		}
	}
	set, problems := stream.Compile(w.triggers, stream.Options{})
	if len(problems) > 0 || w.broken {
		s.problem(errTrigger)
	}
	return set
}

// wholeBook reads all rules, where what was kept is not enough.
func (s *session) wholeBook() bool {
	if s.book == nil {
		if err := s.load(s.files); err != nil {
			if !errors.Is(err, context.Canceled) {
				s.problem(errRules)
			}
			return false
		}
	}
	return true
}

// encoder writes texts with their lengths before them.
type encoder struct{ out []byte }

func (e *encoder) count(n int) { e.out = binary.AppendUvarint(e.out, uint64(n)) }

func (e *encoder) text(s string) {
	e.count(len(s))
	e.out = append(e.out, s...)
}

func (e *encoder) flag(b bool) {
	n := 0
	if b {
		n = 1
	}
	e.count(n)
}

// list tells an empty list from none.
func (e *encoder) list(list []string) {
	e.flag(list != nil)
	e.count(len(list))
	for _, s := range list {
		e.text(s)
	}
}

// decoder reads what encoder wrote, and notes whether that was so.
type decoder struct {
	rest   []byte
	failed bool
}

func (d *decoder) number() uint64 {
	n, size := binary.Uvarint(d.rest)
	if size <= 0 {
		d.failed, d.rest = true, nil
		return 0
	}
	d.rest = d.rest[size:]
	return n
}

// count is a number of things, each of which takes a byte at least.
func (d *decoder) count() int {
	n := d.number()
	if n > uint64(len(d.rest)) {
		d.failed, d.rest = true, nil
		return 0
	}
	return int(n)
}

func (d *decoder) text() string {
	n := d.count()
	s := string(d.rest[:n])
	d.rest = d.rest[n:]
	return s
}

func (d *decoder) flag() bool { return d.number() != 0 }

func (d *decoder) list() []string {
	is := d.flag()
	out := make([]string, 0, d.count())
	for range cap(out) {
		out = append(out, d.text())
	}
	if !is {
		return nil
	}
	return out
}
