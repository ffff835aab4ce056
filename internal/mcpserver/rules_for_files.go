package mcpserver

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/pertain-dev/pertain"
	"github.com/pertain-dev/pertain/internal/visible"
	"github.com/pertain-dev/pertain/rule"
)

const rulesForFilesDescription = `Tells which rules of the repository apply to files you are about to create or edit. Call it before editing; the files need not exist.
Follow each rule's text; where it is left out, read its uri. "why": "glob" (a pattern matches the path), "always", "description" (read it if that fits your task), "trigger" (it counts if what you write matches; check_text tells).`

type rulesForFilesInput struct {
	Files []string `json:"files" jsonschema:"paths, absolute or in the workspace; at most 100"`
	Known []string `json:"known,omitempty" jsonschema:"names or uris of rules that you have; they are left out"`
	Text  *bool    `json:"text,omitempty" jsonschema:"false: without texts"`
	Agent string   `json:"agent,omitempty" jsonschema:"claude …: what it loads"`
}

type rulesForFilesOutput struct {
	Rules []appliedRule `json:"rules" jsonschema:"the rules that apply, most important first"`
	Note  string        `json:"note,omitempty" jsonschema:"how a path was understood that may mean several files, and whether rules were left out"`
}

type appliedRule struct {
	Name        string   `json:"name"`
	URI         string   `json:"uri"`
	Path        string   `json:"path" jsonschema:"the rule's file"`
	Why         rule.Why `json:"why" jsonschema:"glob, always, description or trigger"`
	Files       []string `json:"files" jsonschema:"the files it applies to, as you named them; empty: all of them"`
	Glob        string   `json:"glob,omitempty" jsonschema:"the pattern that matches"`
	Description string   `json:"description,omitempty"`
	Text        string   `json:"text,omitempty" jsonschema:"what to follow"`
	Note        string   `json:"note,omitempty"`

	Agents []string  `json:"agents,omitempty" jsonschema:"the agents that load the rule by themselves"`
	When   rule.When `json:"when,omitempty" jsonschema:"when the agent that was asked for loads it: start, touch, listed, trigger or never"`

	rule *rule.Rule
}

// maxFiles is how many files one call may name.
const maxFiles = 100

// maxText is how many bytes of rules one answer holds.
const maxText = 48 << 10

func limitFiles(files []string) error {
	if len(files) > maxFiles {
		return fmt.Errorf("%d files are too many for one call; name at most %d", len(files), maxFiles)
	}
	return nil
}

func (c *session) rulesForFiles(ctx context.Context, in rulesForFilesInput) (rulesForFilesOutput, error) {
	out := rulesForFilesOutput{Rules: []appliedRule{}}
	if len(in.Files) == 0 {
		return out, errors.New("name at least one file in `files`")
	}
	if err := limitFiles(in.Files); err != nil {
		return out, err
	}
	if in.Agent != "" {
		if err := pertain.CheckAgent(in.Agent); err != nil {
			return out, err
		}
	}
	spaces, err := c.workspaces(ctx)
	if err != nil {
		return out, err
	}
	named, err := find(spaces, in.Files)
	if err != nil {
		return out, err
	}
	out.Note = named.doubt
	unread, known := 0, 0
	for _, w := range spaces {
		var own, names []string
		for i, path := range named.paths {
			if named.spaces[i] == w {
				own, names = append(own, path), append(names, in.Files[i])
			}
		}
		if len(own) == 0 {
			continue
		}
		book, err := w.Rules(ctx, pertain.RuleOptions{Files: own, Agent: in.Agent, Agents: in.Agent == ""})
		if err != nil {
			return out, err
		}
		unread += len(book.LeftOut())
		address := func(name string) string { return addressIn(spaces, w, address(name)) }
		for _, r := range applied(book.ForPaths(own, false), names, address) {
			if slices.Contains(in.Known, r.Name) || slices.Contains(in.Known, r.URI) {
				known++
				continue
			}
			r.Path = fileIn(spaces, r.Path)
			out.Rules = append(out.Rules, r)
		}
	}
	note := ""
	if known > 0 {
		note = fmt.Sprintf("%d more apply that you have", known)
	}
	out.Note = joinNotes(out.Note, note, limitRules(&out.Rules), leftOut(unread))
	limit := maxText
	if in.Text != nil && !*in.Text {
		limit = 0
	}
	limitText(out.Rules, limit)
	for i := range out.Rules {
		if r := &out.Rules[i]; len(r.Files) == len(in.Files) {
			r.Files = []string{}
		}
	}
	return out, nil
}

// maxRules is how many rules one answer names that are not the user's own: of those a repository may have any number, and push none of
// the others out.
const maxRules = 500

// limitRules leaves out the least important ones that are too many, and says so.
func limitRules(rules *[]appliedRule) (note string) {
	others, left := 0, len(*rules)
	*rules = slices.DeleteFunc(*rules, func(r appliedRule) bool {
		if r.rule.Level == rule.User {
			return false
		}
		others++
		return others > maxRules
	})
	if left -= len(*rules); left == 0 {
		return ""
	}
	return fmt.Sprintf("%d more apply, which are too many for one answer; name fewer files, or see `pertain rules for`", left)
}

// applied turns verdicts by file into rules with their files, in the order of
// the rules' precedence.
func applied(verdicts [][]rule.Verdict, names []string, address func(name string) string) []appliedRule {
	var out []appliedRule
	at := map[*rule.Rule]int{}
	for i, list := range verdicts {
		for _, v := range list {
			k, seen := at[v.Rule]
			if !seen {
				k = len(out)
				at[v.Rule] = k
				r := appliedRule{Name: visible.Strip(v.Rule.Name), URI: address(v.Rule.Name), Path: v.Rule.Path, Why: v.Why, Glob: visible.Strip(v.Glob), Agents: v.Rule.Agents, When: v.Rule.When, rule: v.Rule}
				if v.Rule.Description != nil {
					r.Description = shorten(visible.Strip(*v.Rule.Description), 300)
				}
				out = append(out, r)
			}
			out[k].Files = append(out[k].Files, names[i])
		}
	}
	slices.SortStableFunc(out, func(a, b appliedRule) int { return weight(a.Why) - weight(b.Why) })
	return out
}

// weight puts what must be followed before what may.
func weight(why rule.Why) int {
	switch why {
	case rule.ByGlob:
		return 0
	case rule.ByAlways:
		return 1
	case rule.ByDescription:
		return 2
	}
	return 3
}

// limitText adds the texts, each once, but for those that do not fit, and those that
// count only later. Nothing is cut in the middle: half a rule may say the opposite.
func limitText(rules []appliedRule, left int) {
	wanted := left > 0
	var once rule.Once
	for i := range rules {
		r := &rules[i]
		if !wanted || r.Why == rule.ByDescription || r.Why == rule.ByTrigger {
			continue
		}
		switch rest := visible.Strip(once.Rest(r.rule)); {
		case rest == "":
			r.Note = "its text stands with a rule above"
		case len(rest) > left:
			r.Note = "the text is long; read " + r.URI
		default:
			r.Text = rest
			once.Take(r.rule)
			left -= len(rest)
		}
	}
}

// leftOut says that so many files or folders of rules were not read, since a limit was
// reached; empty: none.
func leftOut(n int) string {
	switch n {
	case 0:
		return ""
	case 1:
		return "1 file or folder of rules is too large, or one too many, and was not read; `pertain rules` tells which"
	}
	return fmt.Sprintf("%d files or folders of rules are too large, or too many, and were not read; `pertain rules` tells which", n)
}

// joinNotes puts notes into one text, without those that say nothing.
func joinNotes(notes ...string) string {
	return strings.Join(slices.DeleteFunc(notes, func(note string) bool { return note == "" }), "; ")
}
