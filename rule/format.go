package rule

import (
	"slices"
	"strings"

	"github.com/pertain-dev/pertain/internal/glob"
)

// Format is how one tool writes its rules. A format is data: the readers in
// this package do what it says.
type Format struct {
	Tool string // as people call it: Cursor

	// Whole: the tool knows no frontmatter, and the whole file is text.
	Whole bool
	// Memory: frontmatter is taken off, and has no effect.
	Memory bool
	// GlobKeys are the fields that hold path globs. The first is the tool's own;
	// the others are read too, with a warning that names the first.
	GlobKeys []string
	// ModeKey is the field that says when a rule applies, if the tool has one.
	ModeKey string
	// Keys are all other fields that the tool knows.
	Keys []string

	OnePattern bool // a string is one glob, commas and all
	Exact      bool // globs are as they are written: no quotes are taken off that are no quotes
	Extglobs   bool // `@(a|b)`, `+(a)`, `!(a)` and `{1..3}` mean something: the tool's matcher is picomatch or minimatch
	Picomatch  bool // its groups need no sign before them, and `[!a]` is no negation; with Extglobs
	Minimatch  bool // a glob that begins with `./` matches nothing, and one that begins with `!(` is a negation; with Extglobs
	BaseName   bool // a glob without a slash matches in any folder
	Negation   bool // a glob that begins with `!` takes files out
	Gitignore  bool // a glob is a line of .gitignore, without case
	Alone      bool // each glob is compared on its own, so that one that begins with `!` means every other file
	Unrooted   bool // a glob that begins with `/` matches nothing
	SplitItems bool // commas separate globs in the elements of a list, too
	Overrides  bool // of rules with one name in several folders the nearest replaces the others (docs/reference/rules.md)
	DropFalse  bool // `alwaysApply: false` is as good as absent (docs/reference/rules.md)

	MaxCharacters int    // of a file; 0: no limit
	MaxBytes      int    // of a file; 0: no limit
	MaxLines      int    // of a file; 0: no limit
	LimitBy       string // who sets MaxCharacters and MaxBytes; empty: Tool

	Unquoted    bool // it is known that the tool takes globs without quotes that begin with `*`, which YAML cannot read
	BlankIsText bool // with a line before it, or never closed, frontmatter is text
	TakesBroken bool // it is known that the tool does both; here it is repaired, and told
	QuoteIsLost bool // a file with a quote that is never closed in its frontmatter is left out

	// Activate reads the tool's own activation. Nil: the usual fields decide.
	Activate func(*Fields) Activation

	// Contested tells what is not certain about how the tool takes this rule, in
	// plain words; empty: nothing. Nil: never anything.
	Contested func(*Rule) string

	// AlwaysIn is a program of the tool that loads each of its rules always, whatever their
	// fields say; empty: none is known.
	AlwaysIn string

	// Documented is how the rulebook takes each field (docs/reference/rules.md); the zero value
	// takes strings, and globs as strings or lists of strings.
	Documented Normalization
}

// Normalization says which values the rulebook keeps.
type Normalization struct {
	AnyGlobs       bool // elements are not filtered
	AnyDescription bool // whatever its type
	AnyTrigger     bool // whatever its type
	AnyAlways      bool // alwaysApply, whatever its type; else booleans
	TrueAlways     bool // alwaysApply only where it is true
}

// ownKeys are Pertain's fields, understood in every format that has frontmatter.
var ownKeys = []string{"description", "ttsr_trigger", "condition", "scope", "interruptMode", "examples", "enabled"}

// NativeFields are the fields of Pertain's own rules, in the order in which they are
// written.
func NativeFields() []string {
	return []string{"description", "globs", "alwaysApply", "ttsr_trigger", "condition", "scope", "interruptMode", "examples", "enabled"}
}

// otherSpellings are names of fields that are read as well as those of ownKeys.
var otherSpellings = []string{"interrupt-mode", "interrupt_mode"}

// aliases are other spellings that oh-my-pi takes, by the field that they mean.
var aliases = map[string][]string{
	"ttsr_trigger": {"ttsrTrigger", "ttsr-trigger"},
	"alwaysApply":  {"always-apply", "always_apply"},
}

// knows tells whether a key means something in this format.
func (f *Format) knows(key string) bool {
	if slices.Contains(f.keys(), key) || slices.Contains(otherSpellings, key) {
		return true
	}
	for field, others := range aliases {
		if slices.Contains(others, key) {
			return slices.Contains(f.keys(), field)
		}
	}
	return false
}

// keys are all fields of the format, the likeliest first.
func (f *Format) keys() []string {
	out := append([]string(nil), f.GlobKeys...)
	if f.ModeKey != "" {
		out = append(out, f.ModeKey)
	}
	out = append(out, f.Keys...)
	return append(out, ownKeys...)
}

// FieldNames are the fields that rules of the format may have, the likeliest first;
// none, if it has no frontmatter.
func (f *Format) FieldNames() []string {
	if f.Whole || f.Memory {
		return nil
	}
	var names []string
	for _, name := range f.keys() {
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

// Modes are the values of the field that says when a rule applies; nil if the tool has
// no such field.
func (f *Format) Modes() []string {
	for _, m := range modeWords {
		if m.key == f.ModeKey {
			return slices.Clone(m.values)
		}
	}
	return nil
}

// Origin is where a rule's file was found and what that means.
type Origin struct {
	Provider string
	Level    Level
	Name     string // of the rule
	Base     string // folder that globs are relative to, absolute, with slashes
	Within   string // folder whose files the rule is for; empty: all
	Always   bool   // its path alone makes it always apply
	Folder   string // of the project that holds the tool's files, relative to the root, with slashes; empty: the root, or none
	Nested   bool   // that folder lies below the working directory: it always stands before the name
	Prefix   string // the folder above the project that always stands before the name
	Chained  bool   // that folder is the working directory or one above it
	Inner    string // the workspace of its own, inside of the project, that this folder lies in, without links: who trusts the project does not trust that; empty: none
	Loose    bool   // no tool reads it there: it is a rule because the user says so
	Manual   bool   // its path says that somebody must ask for it

	Documented bool // exactly as the rulebook describes
}

// name is the rule's name as long as no other rule is known.
func (o *Origin) name() string {
	if o.Prefix != "" {
		return o.Prefix + "/" + o.Name
	}
	name := o.Name
	if o.Nested && o.Folder != "" {
		name = o.Folder + "/" + o.Name
	}
	if o.Level == Project && !o.Documented {
		return projectName(name)
	}
	return name
}

// usersOwn begins the names of the user's own memory files.
const usersOwn = "~/"

// projectName is the name of a project's rule: one in a folder that is called `~` does not take that of a file of the user's own.
func projectName(name string) string {
	if strings.HasPrefix(name, usersOwn) {
		return "./" + name
	}
	return name
}

// glob reads a glob by the tool's dialect.
func (f *Format) glob(pattern string) (*glob.Path, *glob.SyntaxError) {
	if f.Extglobs {
		return glob.CompileExtended(pattern)
	}
	return glob.CompilePath(pattern)
}

// negates tells whether a glob may begin with `!`.
func (f *Format) negates() bool { return f.Negation || f.Alone || f.Gitignore }

// negation takes off the `!` of a glob that takes files out.
func (f *Format) negation(pattern string) (body string, negated bool) {
	if f.Extglobs && !f.Minimatch && strings.HasPrefix(pattern, "!(") {
		return pattern, false
	}
	return strings.CutPrefix(pattern, "!")
}

// pattern is a glob as its tool means it.
type pattern struct {
	pieces  []piece // a path that one of them matches is meant; none: nothing can be
	negated bool    // it takes files out, or means all others where each glob stands alone
	never   string  // why nothing can be meant; empty: something can
}

// piece is a glob in the one language that is matched here.
type piece struct {
	text   string
	glob   *glob.Path
	folder bool // it means what is below a folder of the name
}

// pattern reads a glob by the tool's dialect. The error says why it cannot be read.
func (f *Format) pattern(text string, folds bool) (pattern, *glob.SyntaxError) {
	if folds || f.Gitignore {
		text = glob.Fold(text)
	}
	var p pattern
	body, negated := f.negation(text)
	p.negated = negated
	var bodies []string
	if f.Gitignore {
		bodies, p.never = gitignorePieces(body)
	} else {
		bodies, p.never = f.pathPieces(body)
	}
	for _, b := range bodies {
		c, err := f.glob(b)
		if err != nil {
			return pattern{}, err
		}
		p.pieces = append(p.pieces, piece{b, c, f.Gitignore && strings.HasSuffix(b, below)})
	}
	return p, nil
}

// pathPieces takes a glob as a path from the base folder. A leading slash or `./`
// means that folder; to tools that have no globs with a leading slash, `./` means nothing.
func (f *Format) pathPieces(body string) (bodies []string, never string) {
	rooted := strings.HasPrefix(body, "/") || strings.HasPrefix(body, "./") && !f.Unrooted
	if f.Unrooted && strings.HasPrefix(body, "/") {
		return nil, "in " + f.Tool + " a glob that begins with `/` matches nothing"
	}
	if f.Minimatch && strings.HasPrefix(body, "./") {
		return nil, "in " + f.Tool + " a glob that begins with `./` matches nothing"
	}
	for strings.HasPrefix(body, "./") {
		body = body[2:]
	}
	body = strings.TrimLeft(body, "/")
	if f.Extglobs || f.Alone { // picomatch and minimatch
		body = plainBraces(body)
	}
	switch {
	case f.Picomatch:
		return picomatchPieces(body), ""
	case f.Minimatch && strings.HasSuffix(body, "/**"):
		body += "/*" // the folder itself is not meant
	}
	if f.BaseName && !rooted {
		if c, err := f.glob(body); err == nil && !c.HasSlash() {
			body = "**/" + body
		}
	}
	return []string{body}, ""
}
