package visual

import (
	"fmt"
	"strings"
	"time"

	"github.com/pertain-dev/pertain/facts"
)

// Plan writes how a query is run: its chains, and the tests of each step in
// the order in which they are made.
func (q *Query) Plan() string {
	var b strings.Builder
	if q.fromPrimary {
		b.WriteString("from the primary element" + q.self.test.plan() + "; ")
	}
	if q.typesLead {
		b.WriteString("types lead; ")
	}
	for i, c := range q.chains {
		if i > 0 {
			b.WriteString(" // ")
		}
		fmt.Fprintf(&b, "chain from %d", c.first)
		if c.anchored {
			b.WriteString(" anchored")
		}
		if c.text {
			b.WriteString(" with text")
		}
		for _, s := range c.steps {
			name := "*"
			if !s.any {
				name = s.kind.String()
			}
			b.WriteString(" / " + name + s.test.plan())
		}
	}
	return b.String()
}

func (t *test) plan() string {
	var b strings.Builder
	if t.never {
		b.WriteString(" never")
	}
	if t.states != 0 {
		fmt.Fprintf(&b, " states %b of %b", t.want, t.states)
	}
	if t.name != nil {
		fmt.Fprintf(&b, " name %s", t.name)
	}
	for _, list := range [][]clause{t.cheap, t.costly} {
		for i := range list {
			c := &list[i]
			fmt.Fprintf(&b, " %s %d %v", c.attribute, c.how, c.number)
			if c.needle != nil {
				fmt.Fprintf(&b, " %s", c.needle)
			}
			if c.required != nil {
				c.required.in("")
				for _, n := range c.required.any {
					fmt.Fprintf(&b, " needs %s", n)
				}
			}
		}
		b.WriteString(";")
	}
	if t.looks {
		b.WriteString(" looks")
	}
	if t.empty() {
		return ""
	}
	return " (" + strings.TrimSpace(b.String()) + ")"
}

func (n *needle) String() string {
	return fmt.Sprintf("%q of %d to %d bytes, pivot %d+%d, ends %04x of %04x", n.text, n.least, n.most, n.pivot, n.width, n.ends, n.endBits)
}

// NeedleOf writes what a text is compared and looked for by.
func NeedleOf(text string, caseSensitive bool) string { return newNeedle(text, caseSensitive).String() }

// Effort runs a query in each of its modes and writes what it found, and how many
// steps it took.
func (q *Query) Effort(index *Index) string {
	var b strings.Builder
	for m, name := range []string{finding: "find", counting: "count", visiting: "visit"} {
		var r run
		r.mode = mode(m)
		var visited []string
		r.yield = func(element int, value facts.Value) bool {
			if len(visited) < 12 {
				text := fmt.Sprint(element)
				if !value.IsAbsent() {
					data, _ := value.MarshalJSON()
					text += " " + string(data)
				}
				visited = append(visited, text)
			}
			r.count++
			return r.count < 40
		}
		r.begin(q, index, Limits{Time: time.Hour, Regex: time.Hour})
		r.path()
		fmt.Fprintf(&b, "%s %d [%s], left %d, looks %d, %s; ", name, r.count, strings.Join(visited, ", "), r.left, r.looks, r.outcome)
	}
	return strings.TrimSuffix(b.String(), "; ")
}

// Made tells what an index has made of its tree.
func (s *Index) Made() string {
	var b strings.Builder
	fmt.Fprintf(&b, "columns %v, paths %v, work %d and %d", s.columns.Load() != nil, s.paths.Load() != nil, s.work.Load(), s.pathWork.Load())
	for _, n := range s.names {
		fmt.Fprintf(&b, ", names of %d: %d", n.kind, n.work)
		if n.index != nil {
			fmt.Fprintf(&b, ", %d in %d slots", len(n.index.names), len(n.index.slots))
		}
	}
	return b.String()
}

// Bounds are the numbers that decide when something is worth its time.
func Bounds() string {
	return fmt.Sprint(stepsPerLook, " ", block, " ", columnPayback, pathPayback, anyKind, namePayback, " ", elementsPerPath, maxPathDepth, " ", maxRequired)
}
