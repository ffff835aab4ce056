package cli

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/pertain-dev/pertain"
	"github.com/pertain-dev/pertain/facts"
	"github.com/pertain-dev/pertain/internal/visual"
	"github.com/pertain-dev/pertain/rule"
	"github.com/pertain-dev/pertain/skill"
)

// Completion in shells: what exists here, by name. Names that come from files and would not
// stay one word of a line are left out.

const onlyThese = cobra.ShellCompDirectiveNoFileComp

// offered are names that are safe to hand to a shell, each once.
func offered(names []string, prefix string) []string {
	var out []string
	seen := map[string]bool{}
	for _, name := range names {
		if word := prefix + name; name != "" && isWord(word) && !seen[word] {
			seen[word] = true
			out = append(out, word)
		}
	}
	return out
}

// isWord tells whether a text is one word of a line to every shell, and no flag: nothing that is a command, an expansion, a home
// folder, a place of a program or a line of the history there.
func isWord(text string) bool {
	return clean(text) == text && !strings.ContainsAny(text, " \t\n\r`$\\'\";&|<>()!") && !strings.ContainsAny(text[:1], "-~=#")
}

// completeIDs offers the ids of strategies.
func (a *app) completeIDs(cmd *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
	if len(args) > 0 {
		return nil, onlyThese
	}
	options, err := a.engineOptions()
	if err != nil {
		return nil, cobra.ShellCompDirectiveError
	}
	engine, err := pertain.Open(cmd.Context(), options)
	if err != nil {
		return nil, cobra.ShellCompDirectiveError
	}
	var ids []string
	for _, s := range engine.Catalog().Strategies() {
		ids = append(ids, s.ID)
	}
	return offered(ids, ""), onlyThese
}

// completeRules offers the names of rules.
func (a *app) completeRules(cmd *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
	if len(args) > 0 {
		return nil, onlyThese
	}
	names, ok := a.ruleNames(cmd)
	if !ok {
		return nil, cobra.ShellCompDirectiveError
	}
	return offered(names, ""), onlyThese
}

func (a *app) ruleNames(cmd *cobra.Command) ([]string, bool) {
	book, err := a.rulebook(cmd.Context(), pertain.RuleOptions{})
	if err != nil {
		return nil, false
	}
	return book.Names(), true
}

// completeSkills offers the ids of skills.
func (a *app) completeSkills(cmd *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
	if len(args) > 0 {
		return nil, onlyThese
	}
	return offered(a.skillIDs(cmd), ""), onlyThese
}

func (a *app) skillIDs(cmd *cobra.Command) []string {
	registry, err := a.skills(cmd.Context())
	if err != nil {
		return nil
	}
	var ids []string
	for _, s := range registry.Skills() {
		ids = append(ids, s.ID)
	}
	return ids
}

// completeAddresses offers rule://NAME and skill://ID.
func (a *app) completeAddresses(cmd *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
	if len(args) > 0 {
		return nil, onlyThese
	}
	names, _ := a.ruleNames(cmd)
	return append(offered(names, rule.Scheme), offered(a.skillIDs(cmd), skill.Scheme)...), onlyThese
}

// completeNeeds offers the parts of the context that can be collected.
func completeNeeds(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	names := []string{facts.Visual}
	for _, p := range facts.Paths() {
		if p.Needs != "" && !slices.Contains(names, p.Needs) {
			names = append(names, p.Needs)
		}
	}
	slices.Sort(names)
	return names, onlyThese
}

// completeQuery offers types, and attributes after @, for the last step of a query.
func completeQuery(_ *cobra.Command, args []string, query string) ([]string, cobra.ShellCompDirective) {
	if len(args) > 0 {
		return nil, onlyThese
	}
	var words []string
	at := strings.LastIndexAny(query, "/@[")
	switch {
	case at < 0:
		query = "//" + query
		at, words = 1, facts.ElementTypes()
	case query[at] == '/':
		words = facts.ElementTypes()
	case query[at] == '@':
		for _, a := range visual.Attributes() {
			words = append(words, a.String())
		}
	}
	var out []string
	for _, word := range words {
		if strings.HasPrefix(strings.ToLower(word), strings.ToLower(query[at+1:])) {
			out = append(out, query[:at+1]+word)
		}
	}
	return out, onlyThese | cobra.ShellCompDirectiveNoSpace
}
