package stream

import (
	"fmt"
	"hash/fnv"
	"slices"

	"github.com/pertain-dev/pertain/internal/regex"
	"github.com/pertain-dev/pertain/internal/regex/look"
	"github.com/pertain-dev/pertain/internal/regex/syntax"
	"github.com/pertain-dev/pertain/stream/internal/lanes"
)

// compiler goes over all expressions twice: to learn what characters they tell
// apart, and to put them where they belong.
type compiler struct {
	*Set
	plan     *lanes.Plan
	usage    usage
	problems []Problem
	refused  int // expressions that did not fit
}

// maxRefused is how many expressions may turn out not to fit. Those that follow are
// not tried any more: trying takes time, and a stranger's rules may have any number.
const maxRefused = 256

func compile(triggers []Trigger, options Options, limits lanes.Limits) (*Set, []Problem) {
	c := &compiler{Set: &Set{triggers: triggers, lookStates: look.NewCache(MaxLookAround)}, plan: lanes.NewPlan()}
	c.options = regex.Options{Dialect: regex.ECMAScript, InlineFlags: !options.Documented}
	hash := fnv.New64a()
	for _, own := range []bool{true, false} { // the user's own first, as long as the set is not full
		for i := range triggers {
			if triggers[i].Own != own {
				continue
			}
			for j, pattern := range triggers[i].Patterns {
				fmt.Fprintf(hash, "%d %t %q", i, options.Documented, pattern)
				c.read(i, j, pattern)
			}
		}
	}
	c.readScopes()
	slices.SortStableFunc(c.problems, func(a, b Problem) int { return a.Trigger - b.Trigger })
	c.Set.fingerprint = hash.Sum64()
	c.shareEffort()
	c.automaton = c.plan.Build(limits)
	return c.Set, c.problems
}

// read checks one pattern and takes it in.
func (c *compiler) read(trigger, index int, pattern string) {
	full := Problem{
		Trigger: trigger, Part: InPatterns, Index: index, Full: true,
		Message: "the regular expressions of all triggers together are too large",
		Hint:    "use fewer or shorter ones; what is repeated {n,m} times counts m times",
	}
	if c.refused >= maxRefused {
		c.problems = append(c.problems, full)
		return
	}
	re, bad := regex.Parse(pattern, c.options)
	if bad != nil {
		c.problems = append(c.problems, Problem{Trigger: trigger, Part: InPatterns, Index: index, Offset: bad.Offset, Message: bad.Message, Hint: bad.Hint})
		return
	}
	before := c.mark()
	if c.take(trigger, index, re); !c.usage.fits() {
		c.undo(before)
		c.refused++
		c.problems = append(c.problems, full)
	}
}

// take adds an expression, whether it fits or not.
func (c *compiler) take(trigger, index int, re *regex.Regexp) {
	if len(re.String()) > takeApart {
		if all := syntax.Alternatives(re.String(), c.options); all != nil {
			c.takeAll(trigger, index, all)
			return
		}
	}
	program, exact := re.Search()
	if program == nil {
		if all := syntax.Alternatives(re.String(), c.options); all != nil {
			c.takeAll(trigger, index, all)
			return
		}
	}
	c.add(trigger, index, re, program, exact)
}

// takeApart is the length in bytes beyond which an expression is looked at as the
// alternatives that it consists of, if it does.
const takeApart = 16 << 10

// takeAll takes in a large expression as several, which fire the same trigger, as long as they fit.
func (c *compiler) takeAll(trigger, index int, all []syntax.Alternative) {
	seen := make(map[string]bool, len(all))
	for _, a := range all {
		text := a.Text()
		if seen[text] {
			continue
		}
		seen[text] = true
		if plain, before, after, ok := a.Plain(); ok && c.plan.AddLiteral(lanes.Literal{Text: plain, Before: before, After: after, Expression: uint32(len(c.expressions))}) {
			c.usage.countLiteral(plain)
			c.expressions = append(c.expressions, expression{pattern: text, trigger: int32(trigger), index: int32(index), verified: -1})
		} else if re, bad := regex.Parse(text, c.options); bad == nil { // valid, since the whole is
			c.take(trigger, index, re)
		}
		if !c.usage.fits() {
			return
		}
	}
}

// add puts an expression where it belongs. program is nil if it is
// too large for the automaton.
func (c *compiler) add(trigger, index int, re *regex.Regexp, program *syntax.Program, exact bool) {
	number := uint32(len(c.expressions))
	if program != nil && !c.plan.Fits(program) {
		program = nil
	}
	e := expression{pattern: re.String(), trigger: int32(trigger), index: int32(index), verified: -1}
	if !exact || program == nil {
		e.verified = int32(len(c.verified))
		l := &verified{trigger: int32(trigger), pattern: index, re: re}
		if program == nil {
			// What it needs a text to hold is looked for instead.
			program, l.sticky = literalProgram(re.Required()), true
		}
		l.always = program == nil || program.Nullable()
		c.addVerified(l)
		if l.always {
			program = nil
		}
	}
	c.expressions = append(c.expressions, e)
	if e.verified < 0 && !program.Nullable() && program.Early() {
		c.addVerified(&verified{trigger: int32(trigger), pattern: index, re: re, early: true})
	}
	switch {
	case program == nil:
	case program.Nullable():
		c.immediate = append(c.immediate, number)
	default:
		c.usage.countProgram(program, re.String(), c.triggers[trigger].Own)
		c.plan.Add(program, number)
	}
}

// literalProgram matches where one of the literals is, and everywhere if there are none; nil if
// they cannot be looked for as they are.
func literalProgram(l regex.Literals) *syntax.Program {
	if l.Folded {
		return nil
	}
	p := &syntax.Program{Insts: []syntax.Inst{{Op: syntax.OpMatch}}}
	add := func(i syntax.Inst) uint32 {
		p.Insts = append(p.Insts, i)
		return uint32(len(p.Insts) - 1)
	}
	for n, literal := range l.Any {
		next := uint32(0)
		runes := []rune(literal)
		for i := len(runes) - 1; i >= 0; i-- {
			next = add(syntax.Inst{Op: syntax.OpSet, Set: []rune{runes[i], runes[i]}, Out: next})
		}
		if n > 0 {
			next = add(syntax.Inst{Op: syntax.OpSplit, Out: next, Alt: p.Start})
		}
		p.Start = next
	}
	return p
}
