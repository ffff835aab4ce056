package settings

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"syscall"
	"unicode/utf8"

	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/document"
	"github.com/pertain-dev/pertain/internal/files"
)

// Load reads the settings file of these paths. The usual one may be missing. One that $PERTAIN_CONFIG names may not, since
// somebody meant it to hold, and it must be a regular file by an absolute path: else it would be the file of whatever folder
// the user is in. Where a variable names a file of a stranger's, what that may not say comes from the user's own file.
func (p Paths) Load(tree files.Tree) (Settings, diag.List, error) {
	values, list, err := p.read(tree)
	if err != nil {
		return values, list, err
	}
	values, list = p.own(tree, values, list)
	return values, list, nil
}

func (p Paths) read(tree files.Tree) (Settings, diag.List, error) {
	if !p.Named {
		return Load(tree, p.Config)
	}
	if !tree.Flavor().IsAbs(p.Config) {
		return closed(), nil, &NameError{p.Config, "a relative path, which would lead to another file in each folder: write an absolute path, or unset it"}
	}
	if tree.Flavor() == files.Unix && madeUp(p.Config) {
		return closed(), nil, &NameError{p.Config, "which is made up by the system, and another file in each process: write another path, or unset it"}
	}
	info, err := tree.Stat(p.Config)
	switch {
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, syscall.ENOTDIR):
		return closed(), nil, &NameError{p.Config, "and there is no such file: make it, write another path, or unset it"}
	case err == nil && info.Kind != files.File:
		return closed(), nil, &NameError{p.Config, "which is " + info.Kind.String() + ", not a regular file: write another path, or unset it"}
	case err == nil && files.Pseudo(p.Config): // such as the environment, whose values would be taken for mistakes in settings
		return closed(), nil, &NameError{p.Config, "which is made up by the system, not a regular file: write another path, or unset it"}
	}
	return Load(tree, p.Config)
}

// NameError says that $PERTAIN_CONFIG names no settings file.
type NameError struct {
	Name   string
	Reason string // and what to do about it
}

func (e *NameError) Error() string {
	return fmt.Sprintf("PERTAIN_CONFIG is `%s`, %s", e.Name, e.Reason)
}

// Load reads the settings file. A missing file, or an empty path, gives the defaults; so does every part of the file that is
// wrong, with a diagnostic. An error means that the file is there and cannot be read.
func Load(tree files.Tree, path string) (Settings, diag.List, error) {
	if path == "" {
		return Default(), nil, nil
	}
	path, err := tree.Abs(path)
	if err != nil {
		return Default(), nil, err
	}
	data, err := tree.ReadFile(path, document.MaxYAML)
	var large *files.TooLargeError
	switch {
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, syscall.ENOTDIR): // a file where a folder would be holds no settings
		return Default(), nil, nil
	case errors.As(err, &large):
		d := diag.At(diag.NewSource(path, ""), diag.NoSpan, diag.StrategyInvalidEncoding, "the settings file is larger than %d bytes", large.Limit)
		return closed(), diag.List{d}, nil
	case err != nil:
		return closed(), nil, err
	}
	s, list := Parse(diag.NewSource(path, strings.TrimPrefix(string(data), "\ufeff")))
	return s, list, nil
}

// closed is what holds where nobody knows what the file says: it may be that
// windows are private.
func closed() Settings {
	s := Default()
	for _, part := range uncertain(&s) {
		*part.broken = true
	}
	return s
}

// part is one of the settings for which it is not enough that the defaults hold where something is wrong.
type part struct {
	name   string
	word   string // without which nothing in the file can be about it
	broken *bool
}

func uncertain(s *Settings) []part {
	return []part{{"private", "privat", &s.Private.Broken}, {"gateway", "gatew", &s.Gateway.Broken}, {"ttsr", "ttsr", &s.TTSR.Broken}}
}

// Parse reads the text of a settings file. A mistake in one of the parts that tell
// whether they are broken, or one that makes it uncertain where they end, is noted there.
func Parse(source *diag.Source) (Settings, diag.List) {
	r := reader{settings: Default(), rows: table(), source: source}
	if text := source.Text(); !utf8.ValidString(text) {
		at := 0
		for at < len(text) {
			c, n := utf8.DecodeRuneInString(text[at:])
			if c == utf8.RuneError && n == 1 {
				break
			}
			at += n
		}
		r.list.Add(diag.At(source, diag.Span{Start: at, End: at + 1}, diag.StrategyInvalidEncoding, "the settings file is not valid UTF-8").
			WithHint("save it as UTF-8"))
		r.mistake("")
		return r.settings, withoutSecrets(source, r.list)
	}
	root, problems := document.ParseYAML(source)
	for _, p := range problems {
		d := diag.At(source, p.Span, diag.StrategyInvalidYAML, "%s", p.Message)
		d.Hint = p.Hint
		if p.Kind == document.DuplicateKey {
			d = d.WithRelated(source, p.First, "first here")
		}
		r.list.Add(d)
	}
	if len(problems) > 0 {
		text := strings.ToLower(source.Text())
		for _, p := range uncertain(&r.settings) {
			*p.broken = *p.broken || strings.Contains(text, p.word)
		}
	}
	if root != nil {
		r.section(root, "")
	}
	return r.settings, withoutSecrets(source, r.list)
}

type reader struct {
	settings Settings
	rows     []row
	source   *diag.Source
	list     diag.List
	strange  int // keys that are no settings
}

// section reads a map. prefix is empty, or the name of the section with a dot.
func (r *reader) section(node *document.Node, prefix string) {
	if node.Kind == document.Null {
		return
	}
	if node.Kind != document.Mapping {
		what := "the settings file"
		if prefix != "" {
			what = "`" + strings.TrimSuffix(prefix, ".") + "`"
		}
		r.list.Add(diag.At(r.source, node.Span(), diag.StrategyInvalidField, "%s must be a map, not %s", what, node.Kind).
			WithHint("write `%s: …` with one setting a line", r.names(prefix)[0]))
		r.mistake(prefix)
		return
	}
	for _, e := range node.Entries {
		key := prefix + e.Key.Text
		if strings.Contains(e.Key.Text, ".") {
			r.unknown(e.Key, prefix) // one way to write each setting: a second one would need a rule for both at once
		} else if i := slices.IndexFunc(r.rows, func(row row) bool { return row.key == key }); i >= 0 {
			r.value(&r.rows[i], e.Value)
		} else if r.names(key+".") != nil {
			r.section(e.Value, key+".")
		} else {
			r.unknown(e.Key, prefix)
		}
	}
}

// names lists what a section may hold, in the order of the table; nil if there is no such section.
func (r *reader) names(prefix string) []string {
	var out []string
	for i := range r.rows {
		rest, ok := strings.CutPrefix(r.rows[i].key, prefix)
		if !ok {
			continue
		}
		name, _, _ := strings.Cut(rest, ".")
		if !slices.Contains(out, name) {
			out = append(out, name)
		}
	}
	return out
}

// mistake notes that something is wrong at a setting or in a section.
func (r *reader) mistake(key string) {
	for _, p := range uncertain(&r.settings) {
		*p.broken = *p.broken || key == "" || strings.HasPrefix(key, p.name)
	}
}

func (r *reader) unknown(key *document.Node, prefix string) {
	if r.strange++; r.strange > diag.MaxPerFile { // nobody is shown more; what is meant by so many is not certain
		r.mistake("")
		return
	}
	r.mistake(prefix + strings.ToLower(key.Text))
	d := diag.At(r.source, key.Span(), diag.StrategyUnknownField, "there is no setting `%s`", prefix+key.Text)
	d.Hint = diag.DidYouMean(key.Text, r.names(prefix))
	for _, p := range uncertain(&r.settings) {
		if prefix == "" && strings.Contains(d.Hint, "`"+p.name+"`") {
			r.mistake(p.name)
		}
	}
	if d.Hint == "" {
		// The right word below the wrong key, such as a time limit outside `options`, or written with a dot.
		for i := range r.rows {
			section, name, ok := cutLast(r.rows[i].key)
			if ok && (strings.EqualFold(name, key.Text) || r.rows[i].key == prefix+key.Text) {
				d.Hint = fmt.Sprintf("write it as `%s` under `%s`", name, section)
				break
			}
		}
	}
	if d.Hint == "" {
		d.Hint = "the settings here are `" + strings.Join(r.names(prefix), "`, `") + "`"
	}
	r.list.Add(d)
}

func cutLast(key string) (section, name string, ok bool) {
	i := strings.LastIndexByte(key, '.')
	if i < 0 {
		return "", key, false
	}
	return key[:i], key[i+1:], true
}
