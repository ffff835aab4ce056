package cli

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"

	"github.com/pertain-dev/pertain"
	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/internal/visible"
	"github.com/pertain-dev/pertain/stream"
)

// exitTrigger is the exit code of guard when a trigger fired (docs/reference/exit-codes.md).
const exitTrigger = 3

// guardEvent is one line of guard's JSON.
type guardEvent struct {
	Event  string   `json:"event"`
	Rules  []string `json:"rules"`
	Offset int64    `json:"offset"`
	// Remind says that the settings let the copy go on, and Keep that what was said
	// before the copy stopped is to stay in the conversation. By default it is dropped.
	Remind bool `json:"remind,omitempty"`
	Keep   bool `json:"keep,omitempty"`
}

func (a *app) guardCommand() *cobra.Command {
	var keepGoing bool
	var inject, memory string
	var options pertain.RuleOptions
	cmd := &cobra.Command{
		Use:   "guard",
		Short: "Copy a model's output and stop where a rule's trigger fires",
		Long: `Copy standard input to standard output as it arrives, and watch it with the
rules that have a trigger. At the first trigger guard stops, with exit code 3:
everything before the character that completed the match has been copied.

With --json the output is not the text but one line that says which rules fired
and where; standard error says the same in words. With --keep-going everything is copied, each rule is reported once at
its first match, and the exit code at the end is 3 if any fired.

--inject gives the text that shows the rules to the model when the request is
sent again. Calls that share a --memory are one conversation: each is a turn, a
rule that has fired keeps silent, and after three calls in a row that were
stopped the next one only reports; calls that rules of a repository stopped do
not count for rules of your own. The settings under ttsr change that. The FILE
need not exist, or may be empty. Calls may run at once; FILE.lock, which is empty,
keeps them apart. Neither file is written through a link that leaves the workspace
or, outside of one, the folder of the file. Unless its workspace or folder is
trusted, a FILE that your Pertain did not write there is not believed, and told.`,
		Example: `  some-llm | pertain guard
  some-llm ask.md | pertain guard --inject rule.md > answer.md || some-llm ask.md rule.md
  some-llm | pertain guard --keep-going > answer.md
  pertain guard --json < transcript.txt`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			for _, flag := range []string{"memory", "inject"} {
				if f := cmd.Flags().Lookup(flag); f.Changed && f.Value.String() == "" {
					return usage("--%s has an empty name, perhaps from a variable that is not set; name a file, or leave --%s out", flag, flag)
				}
			}
			if memory != "" && inject != "" && sameFile(a.abs(memory), a.abs(inject)) {
				return usage("--memory %s and --inject %s are the same file, and would overwrite each other; name two", memory, inject)
			}
			g := &guard{out: a.call.Stdout, notes: a.call.Stderr, together: sameOutput(a.given.stdout, a.given.stderr), json: a.json, reminds: !cmd.Flags().Changed("keep-going")}
			if err := a.startGuard(cmd.Context(), g, options, memory, keepGoing); err != nil {
				return err
			}
			fired, err := a.guardInto(cmd.Context(), g, inject)
			a.keepGuard(cmd.Context(), g, memory)
			if err != nil {
				return err
			}
			if fired {
				return &exit{exitTrigger, ""}
			}
			return nil
		},
	}
	cmd.Flags().BoolVar(&keepGoing, "keep-going", false, "copy everything and report each rule at its first match")
	cmd.Flags().StringVar(&inject, "inject", "", "write to this `FILE` what shows the model the rules that fired; empty if none did")
	cmd.Flags().StringVar(&memory, "memory", "", "keep in this `FILE` which rules have fired in a conversation")
	a.documentedFlag(cmd, &options)
	a.agentFlag(cmd, &options)
	a.jsonFlag(cmd)
	return cmd
}

// tellIdle says to somebody at a terminal that nothing is watched: else a guard
// without rules looks like one that found nothing.
func (a *app) tellIdle(g *guard) {
	if !onTerminal(a.call.Stderr) {
		return
	}
	why := "no rule here has a trigger for text, so nothing is watched; `pertain rules` lists the rules"
	for i := range g.set.Len() {
		if !g.set.Watches(i, prose) {
			continue
		}
		if !g.silent[i] {
			return
		}
		why = "nothing is watched: every rule with a trigger has fired in this conversation"
	}
	fmt.Fprintln(a.call.Stderr, "pertain: "+why)
}

// tellFull says on stderr which good triggers did not fit into the set: nothing
// else tells, and these rules do not fire.
func (a *app) tellFull(set *stream.Set, problems []stream.Problem) {
	told := map[string]bool{} // names of rules
	for _, p := range problems {
		name := set.Trigger(p.Trigger).Name
		if !p.Full || told[name] {
			continue
		}
		told[name] = true
		if len(told) <= maxFullTold {
			fmt.Fprintf(a.call.Stderr, "pertain: rule %s is not watched: %s\n", clean(name), p.Message)
		}
	}
	if more := len(told) - maxFullTold; more > 0 {
		fmt.Fprintf(a.call.Stderr, "pertain: %d more rules are not watched\n", more)
	}
}

// maxFullTold is how many rules are told of one by one.
const maxFullTold = 20

// tellBroken says on stderr which triggers cannot fire, which must not go unnoticed,
// and what else of these codes was found.
func (a *app) tellBroken(book *pertain.Rulebook, options pertain.RuleOptions, codes ...diag.Code) error {
	if options.Documented { // warnings stay in the JSON of `rules` (docs/reference/json.md)
		return nil
	}
	var broken diag.List
	for _, d := range book.Warnings() {
		if slices.Contains(codes, d.Code) {
			broken.Add(d)
		}
	}
	for _, d := range book.Unwatched() {
		if !slices.Contains(codes, d.Code) {
			broken.Add(d)
		}
	}
	if !slices.Contains(codes, diag.RuleInvalidField) { // else they are there already
		for _, r := range book.Rules() {
			broken = append(broken, r.ScopeProblems()...)
		}
	}
	return a.tellRuleFiles(broken)
}

// bookTriggers are the triggers of a rulebook, in order of precedence.
func (a *app) bookTriggers(book *pertain.Rulebook) []stream.Trigger {
	rules := slices.Clone(book.Rules())
	for i, r := range rules {
		if filepath.Separator != '/' {
			copied := *r
			copied.Path = filepath.ToSlash(r.Path)
			rules[i] = &copied
		}
	}
	return stream.FromRules(rules, filepath.ToSlash(book.Root))
}

// report tells what fired: where the copy stops together, or where it goes on each
// on its own.
func (g *guard) report(verdict stream.Verdict) error {
	var lines []guardEvent
	stops := verdict.Interrupt
	if stops {
		order := map[*stream.Trigger]int{}
		for i := range g.set.Len() {
			order[g.set.Trigger(i)] = i
		}
		slices.SortFunc(verdict.Fired, func(x, y stream.Fired) int { return order[x.Trigger] - order[y.Trigger] })
	}
	for _, f := range verdict.Fired {
		g.fired = append(g.fired, f.Trigger)
		g.note(f.Trigger, stops)
		if stops && len(lines) > 0 {
			lines[0].Rules = append(lines[0].Rules, f.Trigger.Name)
			continue
		}
		lines = append(lines, guardEvent{"trigger", []string{f.Trigger.Name}, f.Offset, g.reminds && !stops, stops && !verdict.Discard})
	}
	for _, line := range lines {
		if g.json {
			enc := json.NewEncoder(visible.JSONWriter(g.out))
			enc.SetEscapeHTML(false)
			if err := enc.Encode(line); err != nil {
				return err
			}
		}
		g.newLine()
		for _, name := range line.Rules {
			fmt.Fprintf(g.notes, "pertain: the trigger of rule %s fired at byte %d\n", clean(name), line.Offset)
		}
	}
	return nil
}

// tellUndecided says on stderr what was given up: that a rule did not fire then
// means nothing.
func (g *guard) tellUndecided(open []stream.Undecided) {
	for _, u := range open {
		if g.watches(u.Trigger) {
			t := g.set.Trigger(u.Trigger)
			fmt.Fprintf(g.notes, "pertain: rule %s may have missed a match: %s; %s in %s\n", clean(t.Name), clean(u.String()), g.set.Hint(u), clean(t.Path))
		}
	}
}
