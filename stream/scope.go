package stream

import (
	"path"

	"github.com/pertain-dev/pertain/internal/glob"
	"github.com/pertain-dev/pertain/rule"
	"github.com/pertain-dev/pertain/toolcall"
)

// Kind is what a stream carries.
type Kind uint8

const (
	Text     Kind = iota // what the model says
	Thinking             // what it thinks
	Tool                 // the arguments of one tool call
)

func (k Kind) String() string {
	return [...]string{"text", "thinking", "tool"}[k]
}

// Source names one stream of a turn.
type Source struct {
	Kind Kind
	Tool string // name of the tool
	ID   string // tells the tool calls of a turn apart
	// Does is what the call does to its files, for scopes that name that, such as
	// tool:write. Other: what a tool of that name does. A call that only looks is
	// watched by triggers that name its tool.
	Does toolcall.Kind
	// Paths are the files that a tool call touches, relative to the project, with
	// slashes. They may be given as late as they are known, and more may be given with
	// every piece: what has matched fires as soon as one of them is a file that its
	// rule is for. A file that was given once need not be given again.
	Paths []string
	// OwnPaths are more names of these files, which count for triggers of the user's own
	// alone ([Trigger].Own): such as what a file is called in a repository of its own.
	OwnPaths []string
	// Anywhere says that the folder of the file is not known: Paths tell its name alone, and none that it may be any file.
	// Globs then fit where they may. It may be said late: then Paths count in place of those that were given before.
	Anywhere bool
}

// scope is a trigger's Scope and Globs, compiled.
type scope struct {
	own                  bool
	text, thinking, tool bool
	tools                []toolScope
	globs                []*glob.Path // nil: any file, and none
}

// toolScope is the calls of one tool.
type toolScope struct {
	name  string       // "": any tool
	globs []*glob.Path // nil: any file, and none
}

// readScopes reads the scopes and globs of all triggers, those of the user's own first: what does not fit any more never fires.
func (c *compiler) readScopes() {
	c.scopes = make([]scope, len(c.triggers))
	for _, own := range []bool{true, false} {
		for i := range c.triggers {
			if c.triggers[i].Own == own {
				c.readScope(i)
			}
		}
	}
}

func (c *compiler) readScope(i int) {
	t, s := &c.triggers[i], &c.scopes[i]
	s.own = t.Own
	if t.Scope == nil {
		s.text, s.tool = true, true
	}
	for j, word := range t.Scope {
		entries := rule.ReadScope(word)
		if len(entries) == 0 {
			c.problems = append(c.problems, Problem{i, InScope, j, 0, "the scope is empty", "leave it out, or write text, thinking, tool, tool:NAME or tool:NAME(glob)", false})
		}
		for _, e := range entries {
			if e.Message != "" {
				c.problems = append(c.problems, Problem{i, InScope, j, e.Offset + e.At, e.Message, e.Hint, false})
			} else if !c.addScope(s, e) {
				c.problems = append(c.problems, Problem{i, InScope, j, e.Offset, tooManyGlobs, fewerGlobs, true})
			}
		}
	}
	for j, pattern := range t.Globs {
		g, bad := ruleGlob(t.Extglobs)(pattern)
		switch {
		case bad != nil:
			c.problems = append(c.problems, Problem{i, InGlobs, j, bad.Offset, bad.Message, bad.Hint, false})
		case !c.usage.takeGlob(g):
			c.problems = append(c.problems, Problem{i, InGlobs, j, 0, tooManyGlobs, fewerGlobs, true})
			*s = scope{} // for which files it would be is not known: it watches nothing
			return
		default:
			s.globs = append(s.globs, g)
		}
	}
}

const (
	tooManyGlobs = "the globs of all triggers together are too many"
	fewerGlobs   = "use fewer, with fewer alternatives in braces"
)

// ruleGlob gives what reads the globs of a rule.
func ruleGlob(extended bool) func(string) (*glob.Path, *glob.SyntaxError) {
	if extended {
		return glob.CompileExtended
	}
	return glob.CompilePath
}

// addScope takes in an entry that is valid, and says whether its globs fit.
func (c *compiler) addScope(s *scope, e rule.ScopeEntry) bool {
	switch {
	case e.Kind == Text.String():
		s.text = true
	case e.Kind == Thinking.String():
		s.thinking = true
	case e.Tool == "" && e.Globs == nil:
		s.tool = true
	default:
		t := toolScope{name: e.Tool}
		for _, pattern := range e.Globs {
			g, bad := glob.CompileAnywhere(pattern)
			if bad != nil || !c.usage.takeGlob(g) { // what is valid may be too long with `**/` before it
				return false
			}
			t.globs = append(t.globs, g)
		}
		s.tools = append(s.tools, t)
	}
	return true
}

// is tells whether calls of a source are meant: by the name of the tool, without case,
// underscores and prefixes, or by what the call does.
func (t *toolScope) is(source *Source) bool {
	if t.name == "" || t.name == source.Tool {
		return true
	}
	does := source.Does
	if does == toolcall.Other {
		does = toolcall.KindOf(source.Tool)
	}
	return toolcall.Named(t.name, source.Tool, does)
}

// watches says whether a trigger may fire in a stream at all, whatever its files.
func (s *scope) watches(source *Source) bool {
	switch source.Kind {
	case Text:
		return s.text
	case Thinking:
		return s.thinking
	}
	if s.tool && source.Does != toolcall.Look {
		return true
	}
	for _, t := range s.tools {
		if t.is(source) {
			return true
		}
	}
	return false
}

// narrowed says whether it depends on the files that a tool call touches, and
// touches whether these are such files.
func (s *scope) narrowed(source *Source) bool {
	return source.Kind == Tool && !s.touches(source)
}

func (s *scope) touches(source *Source) bool {
	return s.inScope(source) && (s.globs == nil || source.mayBe(s.globs, s.own))
}

func (s *scope) inScope(source *Source) bool {
	if s.tool && source.Does != toolcall.Look {
		return true
	}
	for _, t := range s.tools {
		if t.is(source) && (t.globs == nil || source.mayBe(t.globs, s.own)) {
			return true
		}
	}
	return false
}

// mayBe tells whether the call touches a file that globs are for, as far as its files are known.
func (s *Source) mayBe(globs []*glob.Path, own bool) bool {
	if !s.Anywhere {
		return glob.MatchAny(globs, s.Paths) || own && glob.MatchAny(globs, s.OwnPaths)
	}
	names := make([]string, len(s.Paths))
	for i, p := range s.Paths {
		names[i] = path.Base(p)
	}
	return glob.MayMatchAny(globs, names)
}
