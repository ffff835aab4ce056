package stream

import (
	"strings"

	"github.com/pertain-dev/pertain/internal/glob"
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
	// Paths are the files that a tool call touches, relative to the project, with
	// slashes. They may be given as late as they are known.
	Paths []string
}

// scope is a trigger's Scope and Globs, compiled.
type scope struct {
	text, thinking, tool bool
	tools                []toolScope
	globs                []*glob.Path // nil: any file, and none
}

type toolScope struct {
	name string
	glob *glob.Path // nil: any file, and none
}

const scopeHint = "a scope is text, thinking, tool, tool:NAME or tool:NAME(glob)"

func (c *compiler) readScopes() {
	c.scopes = make([]scope, len(c.triggers))
	for i := range c.triggers {
		t, s := &c.triggers[i], &c.scopes[i]
		if t.Scope == nil {
			s.text, s.tool = true, true
		}
		for j, word := range t.Scope {
			if offset, message := s.add(strings.TrimSpace(word)); message != "" {
				c.problems = append(c.problems, Problem{i, InScope, j, offset, message, scopeHint, false})
			}
		}
		for j, pattern := range t.Globs {
			g, bad := ruleGlob(t.Extglobs)(pattern)
			if bad != nil {
				c.problems = append(c.problems, Problem{i, InGlobs, j, bad.Offset, bad.Message, bad.Hint, false})
				continue
			}
			s.globs = append(s.globs, g)
		}
	}
}

// ruleGlob gives what reads the globs of a rule.
func ruleGlob(extended bool) func(string) (*glob.Path, *glob.SyntaxError) {
	if extended {
		return glob.CompileExtended
	}
	return glob.CompilePath
}

// add reads one entry of a scope; message is "" if it is valid.
func (s *scope) add(word string) (offset int, message string) {
	switch word {
	case "text":
		s.text = true
		return 0, ""
	case "thinking":
		s.thinking = true
		return 0, ""
	case "tool":
		s.tool = true
		return 0, ""
	}
	name, ok := strings.CutPrefix(word, "tool:")
	if !ok || name == "" {
		return 0, "there is no such scope"
	}
	var files *glob.Path
	if open := strings.IndexByte(name, '('); open >= 0 {
		pattern, closed := strings.CutSuffix(name[open+1:], ")")
		if !closed || open == 0 {
			return 0, "the scope of a tool is not complete"
		}
		g, bad := compileGlob(pattern)
		if bad != nil {
			return len("tool:") + open + 1 + bad.Offset, bad.Message
		}
		name, files = name[:open], g
	}
	s.tools = append(s.tools, toolScope{name, files})
	return 0, ""
}

// compileGlob reads the glob of a scope; one without a slash matches in every
// folder, since a scope says nothing of where it is written.
func compileGlob(pattern string) (*glob.Path, *glob.SyntaxError) {
	g, bad := glob.CompilePath(pattern)
	if bad == nil && !g.HasSlash() && !g.Rooted() && !g.Negated() {
		return glob.CompilePath("**/" + strings.TrimPrefix(pattern, "./"))
	}
	return g, bad
}

// watches says whether a trigger may fire in a stream at all, whatever its files.
func (s *scope) watches(source *Source) bool {
	switch source.Kind {
	case Text:
		return s.text
	case Thinking:
		return s.thinking
	}
	if s.tool {
		return true
	}
	for _, t := range s.tools {
		if t.name == source.Tool {
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
	return s.inScope(source) && (s.globs == nil || matchesAny(s.globs, source.Paths))
}

func (s *scope) inScope(source *Source) bool {
	if s.tool {
		return true
	}
	for _, t := range s.tools {
		if t.name == source.Tool && (t.glob == nil || matchesAny([]*glob.Path{t.glob}, source.Paths)) {
			return true
		}
	}
	return false
}

// matchesAny says whether one of the files matches one of the globs, and none that
// is negated.
func matchesAny(globs []*glob.Path, files []string) bool {
	for _, file := range files {
		matched, positive := false, false
		for _, g := range globs {
			if g.Negated() {
				if g.Match(file) {
					matched, positive = false, true
					break
				}
				continue
			}
			positive = true
			matched = matched || g.Match(file)
		}
		if matched || !positive {
			return true
		}
	}
	return false
}
