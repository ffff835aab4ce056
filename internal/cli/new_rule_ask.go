package cli

import (
	"fmt"
	"slices"
	"strings"

	"github.com/pertain-dev/pertain/internal/glob"
)

// askRule fills in what the call leaves open about a new rule, if somebody is there
// to be asked. told and toolTold say what the flags have answered.
func (a *app) askRule(n *newRule, name *string, told, toolTold bool) error {
	if *name != "" && told && toolTold {
		return nil
	}
	person := a.person()
	switch {
	case person == nil && *name == "":
		return usage("new rule: write the NAME of the rule behind it; on a terminal it is asked for")
	case person == nil:
		return nil
	}
	q := &questions{person: person}
	if *name == "" {
		*name = q.ask("Name of the rule:", func(answer string) string {
			if _, file := strategyName(answer); file == "" {
				return "a name holds a letter or digit"
			}
			return ""
		})
	}
	if !toolTold {
		n.tool = q.tool(n.tool)
	}
	if !told {
		n.globs = splitAnswer(q.ask("Globs of the files that it is for, such as src/**/*.ts (none: all files):", func(answer string) string {
			return a.problemOf(&newRule{tool: n.tool, globs: splitAnswer(answer)})
		}))
		n.description = q.ask("What it is about, in a sentence by which a model sees that it needs it (none: nothing):", nil)
		n.trigger = q.ask("Regular expression for what a model must not write (none: nothing):", func(answer string) string {
			return a.problemOf(&newRule{tool: n.tool, trigger: answer})
		})
	}
	if q.left {
		return negative("nothing was written")
	}
	return nil
}

// questions are put to a person until they are left.
type questions struct {
	*person
	left bool
}

// ask puts a question until check has nothing to say about the answer.
func (q *questions) ask(question string, check func(answer string) string) string {
	for !q.left {
		answer, ok := q.person.ask(question)
		if !ok {
			q.left = true
			break
		}
		problem := ""
		if check != nil {
			problem = check(answer)
		}
		if problem == "" {
			return answer
		}
		fmt.Fprintln(q.out, clean(problem))
	}
	return ""
}

// tool asks whose rule it is; no answer means the usual.
func (q *questions) tool(usual string) string {
	names := toolNames()
	answer := q.ask("Tool ("+strings.Join(names, ", ")+"; none: "+usual+"):", func(answer string) string {
		if answer != "" && !slices.Contains(names, answer) {
			return "there is no such tool here"
		}
		return ""
	})
	if answer == "" {
		return usual
	}
	return answer
}

// splitAnswer are the globs of an answer, with commas between them, but for those in
// braces.
func splitAnswer(answer string) []string {
	var out []string
	for _, item := range glob.SplitList(answer) {
		out = append(out, item.Text)
	}
	return out
}
