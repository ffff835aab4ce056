package syntax

import (
	"math"
	"slices"
)

// dotnetGroups knows all groups of an expression before it is parsed, since
// references may point forward and decide what an escape means.
type dotnetGroups struct {
	numbers []int // sorted; group 0 is the whole match
	names   map[string]int
}

func (g *dotnetGroups) count() int { return len(g.numbers) }

func (g *dotnetGroups) has(number int) bool {
	_, found := slices.BinarySearch(g.numbers, number)
	return found
}

// slot gives the dense index of a group's number, so that (?<1000000>...) costs
// no more than any other. 0 if there is no such group.
func (g *dotnetGroups) slot(number int) int {
	slot, found := slices.BinarySearch(g.numbers, number)
	if !found {
		return 0
	}
	return slot
}

// number gives the number of a named group, -1 if there is none.
func (g *dotnetGroups) number(name string) int {
	if n, ok := g.names[name]; ok {
		return n
	}
	return -1
}

// countDotNetGroups finds the groups as .NET numbers them: plain ones by their
// order, those with a number for a name by it, and after these the named ones.
func countDotNetGroups(pattern string, options dotnetOptions) *dotnetGroups {
	p := &dotnetParser{parser: parser{src: pattern}, options: options, groups: &dotnetGroups{}}
	numbers := []int{0}
	var names []string
	auto, ignoreNext := 1, false
	var outer []dotnetOptions
	for p.more() && p.err == nil {
		p.skipBlank()
		if !p.more() {
			break
		}
		switch r := p.next(); r {
		case '\\':
			if p.more() {
				p.next()
			}
		case '[':
			p.skipClass()
		case ')':
			if len(outer) > 0 {
				p.options, outer = outer[len(outer)-1], outer[:len(outer)-1]
			}
		case '(':
			outer = append(outer, p.options)
			if p.at('?') && p.peek(1) != ')' {
				p.pos++
				switch {
				case p.at('<') || p.at('\''):
					p.pos++
					if c := p.peek(0); isDigit(c) {
						if n, _ := p.decimal(); c != '0' && n < math.MaxInt32 {
							numbers = append(numbers, n)
						}
					} else if name := p.name(); name != "" {
						names = append(names, name)
					}
				default:
					p.inlineOptions()
					if p.accept(')') {
						outer = outer[:len(outer)-1]
					} else if p.at('(') {
						ignoreNext = true
						continue
					}
				}
			} else if p.options&optExplicit == 0 && !ignoreNext {
				numbers = append(numbers, auto)
				auto++
			}
			ignoreNext = false
		}
	}
	slices.Sort(numbers)
	g := &dotnetGroups{numbers: slices.Compact(numbers)}
	for _, name := range names {
		if g.number(name) >= 0 {
			continue
		}
		for g.has(auto) {
			auto++
		}
		if g.names == nil {
			g.names = make(map[string]int)
		}
		g.names[name] = auto
		at, _ := slices.BinarySearch(g.numbers, auto)
		g.numbers = slices.Insert(g.numbers, at, auto)
	}
	return g
}

// skipClass skips a character class without looking at what it means.
func (p *dotnetParser) skipClass() {
	p.class(p.pos)
	p.depth = 0
}
