package stream

import (
	"fmt"
	"strings"
	"sync"

	"github.com/pertain-dev/pertain/internal/regex"
	"github.com/pertain-dev/pertain/internal/regex/look"
	"github.com/pertain-dev/pertain/rule"
	"github.com/pertain-dev/pertain/stream/internal/lanes"
)

// Trigger is a rule as a stream sees it.
type Trigger struct {
	Name string
	// Patterns are ECMAScript expressions; the trigger fires when one matches.
	Patterns []string
	// Scope lists the streams that are watched: text, thinking, tool, tool:NAME or
	// tool:NAME(glob), one or several with commas between them; see ReadScope of package rule.
	// nil: text and tool.
	Scope []string
	// Globs narrow tool calls to those that touch a matching file. Paths are
	// relative to the project, with slashes.
	Globs []string
	// Extglobs says that the globs know groups, such as `@(a|b)`, and ranges, such as
	// `{1..3}`: the rule is one of a tool whose globs do.
	Extglobs bool
	// InterruptMode is for this trigger alone; "": that of the policy.
	InterruptMode InterruptMode
	// Path is the rule's file, relative to the project, with slashes.
	Path string
	// Body is what the model is told.
	Body string
	// Own says that the rule is one of the user's own. It is compiled into the set before
	// those of others, and interruptions by others do not use up its budget: a
	// repository full of triggers must not silence what the user relies on.
	Own bool
}

// Options says how to read triggers. The zero value is the default.
type Options struct {
	// Documented refuses a leading group of inline flags, as JavaScript does.
	Documented bool
}

// Problem is something wrong with a trigger. It quotes nothing but the trigger.
type Problem struct {
	Trigger int // index
	Part    Part
	Index   int    // in the list that Part names
	Offset  int    // in bytes
	Message string // what is wrong
	Hint    string // what would be right; "" if nothing is near
	// Full says that the pattern is good, but that the triggers before it have left
	// it too little of what a set may take.
	Full bool
}

// Part is a list of a trigger.
type Part string

const (
	InPatterns Part = "pattern"
	InScope    Part = "scope"
	InGlobs    Part = "glob"
)

func (p Problem) String() string {
	s := fmt.Sprintf("%s %d: %s", p.Part, p.Index+1, p.Message)
	if p.Hint != "" {
		s += "; " + p.Hint
	}
	return s
}

// Set is many triggers, compiled together. It is safe for concurrent use.
type Set struct {
	triggers    []Trigger
	scopes      []scope
	expressions []expression
	verified    []*verified
	immediate   []uint32 // expressions that match the empty text anywhere
	automaton   *lanes.Automaton
	fingerprint uint64
	options     regex.Options
	lookStates  *look.Cache

	tracesMu     sync.Mutex
	traces       map[uint32]*trace // of expressions that a scan has met
	traced       int               // instructions in them
	lookPrograms lookPrograms
}

// expression is one pattern of a trigger.
type expression struct {
	pattern  string
	trigger  int32
	index    int32 // of the pattern that it is, or is part of, in the trigger's Patterns
	verified int32 // index in looks; -1 if the automaton decides
}

// MaxStates bounds the memory that the automaton's states take, in bytes, for one
// set and all its streams together.
const MaxStates = 16 << 20

// Compile makes one automaton of all triggers. A pattern with a problem never
// fires; one for which the set has become too large is such a problem.
func Compile(triggers []Trigger, options Options) (*Set, []Problem) {
	return compile(triggers, options, lanes.DefaultLimits(MaxStates))
}

// Len gives the number of triggers.
func (s *Set) Len() int { return len(s.triggers) }

// Trigger gives one of the triggers that the set was compiled from.
func (s *Set) Trigger(i int) *Trigger { return &s.triggers[i] }

// FromRules gives the triggers of those rules that have any and are in force, in
// the order of the rules. root is the project's folder; it is
// absolute and written like the rules' paths.
// Rules that were read as the rulebook documents them watch text and tools without
// regard to files, and are to be compiled with [Options.Documented].
func FromRules(rules []*rule.Rule, root string) []Trigger {
	var out []Trigger
	for _, r := range rules {
		if !r.Watches() || r.Shadowed || r.Overfull() {
			continue
		}
		t := Trigger{Name: r.Name, Patterns: r.Triggers, Path: relative(root, r.Path), Body: r.Content, Own: r.Level == rule.User}
		if !r.Documented() {
			t.Scope, t.InterruptMode = r.Scope, InterruptMode(r.InterruptMode)
			t.Globs, t.Extglobs = r.ProjectGlobs(root)
		}
		out = append(out, t)
	}
	return out
}

// relative gives a path relative to the project, or as it is if it is elsewhere.
func relative(root, name string) string {
	if name == root {
		return "."
	}
	return strings.TrimPrefix(name, strings.TrimSuffix(root, "/")+"/")
}
