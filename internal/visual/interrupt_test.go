package visual

import (
	"context"
	"testing"
	"time"

	"github.com/pertain-dev/pertain/facts"
)

// asked counts how often it was asked whether it is over.
type asked struct {
	context.Context
	times int
}

func (a *asked) Err() error {
	a.times++
	return a.Context.Err()
}

// interrupted runs a query for somebody who has gone, which it notices after some steps, or ends before; after is how many it takes
// from then on, those included before it would notice once more.
func interrupted(q *Query, index *Index, m mode, steps int) (r run, noticed bool, after int) {
	over, end := context.WithCancel(context.Background())
	end()
	gone := &asked{Context: over}
	r = run{mode: m, yield: func(int, facts.Value) bool { return true }}
	r.begin(q, index, Limits{Time: time.Hour, Context: gone})
	r.left = steps
	r.path()
	return r, gone.times > 0, stepsPerLook*max(gone.times, 1) - r.left
}

// TestInterrupted: wherever a query is when its time is over, it ends there, and says so.
func TestInterrupted(t *testing.T) {
	var elements []facts.Element
	add := func(parent int, kind, name string, states facts.States) int {
		k, _ := facts.ParseElementType(kind)
		elements = append(elements, facts.Element{Type: k, Parent: parent, Name: name, HasName: name != "", States: states})
		return len(elements) - 1
	}
	for range 3 {
		screen := add(-1, "Screen", "", 0)
		for range 4 {
			window := add(screen, "TopLevel", "window", 0)
			for range 3 {
				panel := add(add(window, "Panel", "outer", 0), "Panel", "inner", 0)
				for k := range 6 {
					add(panel, "Button", []string{"Save", "Open", "Close"}[k%3], facts.States(k%2)*facts.Disabled)
				}
			}
		}
	}
	tree := facts.NewTree(elements, func(context.Context, int) (string, bool) { return "text", true })
	known := knowing(t, tree)
	for range 2 * namePayback {
		for _, named := range []string{"//*[@name='x']", "//Button[@name='x']"} {
			mustParse(t, named).Count(known, Limits{})
		}
	}
	for _, text := range []string{
		"//Button", "//*", "/Screen", "/TopLevel", "/*", "./*", ".//Button", "/Screen/TopLevel/Panel", "//Panel/Button", "//Panel/*", "//Panel/Panel/Button[@disabled=true]",
		"//TopLevel//Button", "//Panel//Panel//Button", "/Screen//Panel/*", "/Screen//Button", "//*//Panel//*[@disabled=true]", "//TopLevel[@name='window']//Panel/Panel//Button",
		"//Button[@name='save']", "//Panel/Button[@name='save']", "//TopLevel//Button[@name='open']", "//TopLevel/Panel//Panel/Button[@name='open']", "//Label//Button[@name='open']",
		"//Button[contains(@name,'e')]", "//Panel[matches(@name,'r$')]//Button[matches(@name,'e$')]", "//Panel[matches(@name,'r$')]/Button", "//Panel[@name='inner']/Button/@name",
		"//Button[@text='text']", "//Panel[@text='text']/Button", "//Panel[@text='text']/*", "//Panel[@text='text']//Button[@name='save']", "//TopLevel[@text='text']//Panel//Button", "/TopLevel[@text='text']//Button",
		".[@text='text']//Button", "//Button[contains(@text,'')]", "//Button/@text", "/Screen/@text", "/TopLevel[@text='text']", "//Panel[@text='text']/Button[@name='save']", "//TopLevel[@text='text']/Panel/Panel/Button[@name='save']",
		"//TopLevel[@text='text']/Panel[@name='outer']/Panel/Button[contains(@name,'s')]", "//TopLevel[@text='text']/Panel/*//Button[@name='save']", "//Screen//TopLevel[@text='text']//Panel//Button[@name='save']",
	} {
		q := mustParse(t, text)
		for name, index := range map[string]func() *Index{"new": func() *Index { return NewIndex(tree, 0, true) }, "known": func() *Index { return known }} {
			for _, m := range []mode{finding, counting, visiting} {
				for steps := 1; steps <= 2*len(elements); steps++ { // with texts it notices at the first
					r, noticed, after := interrupted(q, index(), m, steps)
					if r.outcome == Done && !noticed {
						break
					}
					if r.outcome != TimedOut || after > 0 {
						t.Fatalf("%s (%s, mode %d): %v after %d steps, and %d more", text, name, m, r.outcome, steps, after)
					}
					if m == finding && r.count > 0 {
						t.Fatalf("%s (%s): found, and %v", text, name, r.outcome)
					}
				}
			}
		}
	}
}
