package mcpserver

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/pertain-dev/pertain"
	"github.com/pertain-dev/pertain/rule"
	"github.com/pertain-dev/pertain/stream"
)

const checkTextDescription = `Tells whether text that you are about to write or show breaks a rule of the repository: some rules have a trigger, a pattern that must not appear.
Name the file if the text is meant for one; then only the rules for that file count. The answer holds the text of each broken rule and the line where it was broken. Rewrite and check again.`

type checkTextInput struct {
	Text string `json:"text" jsonschema:"what you are about to write; at most 1 MiB"`
	File string `json:"file,omitempty" jsonschema:"path of the file it is meant for, relative to the workspace or absolute in it"`
}

type checkTextOutput struct {
	Broken []brokenRule `json:"broken" jsonschema:"empty: no rule is broken"`
}

type brokenRule struct {
	Name string `json:"name"`
	URI  string `json:"uri"`
	Line int    `json:"line" jsonschema:"of the text, from 1"`
	Text string `json:"text,omitempty" jsonschema:"what to follow"`
	Note string `json:"note,omitempty"`
}

// maxChecked is how many bytes of text are checked.
const maxChecked = 1 << 20

func (c *session) checkText(ctx context.Context, in checkTextInput) (checkTextOutput, error) {
	out := checkTextOutput{Broken: []brokenRule{}}
	if len(in.Text) > maxChecked {
		return out, errors.New("the text is longer than 1 MiB; check it in parts")
	}
	rules, err := c.watching(ctx, in.File)
	if err != nil || len(rules) == 0 {
		return out, err
	}
	triggers := make([]stream.Trigger, len(rules))
	for i, r := range rules {
		triggers[i] = stream.Trigger{Name: r.Name, Patterns: r.Triggers}
	}
	set, _ := stream.Compile(triggers, stream.Options{}) // a pattern that cannot be read never fires; lint tells
	watch := set.Stream()
	fired := slices.Concat(watch.Feed(in.Text), nil)
	fired = append(fired, watch.End()...)
	slices.SortStableFunc(fired, func(a, b stream.Firing) int { return int(a.Offset - b.Offset) })
	left := maxText
	for _, f := range fired {
		r := rules[f.Trigger]
		b := brokenRule{Name: r.Name, URI: address(r.Name), Text: r.Content, Line: lineOf(in.Text, f.Offset)}
		if len(b.Text) > left {
			b.Text, b.Note = "", "the text is long; read "+b.URI
		}
		left -= len(b.Text)
		out.Broken = append(out.Broken, b)
	}
	return out, nil
}

// lineOf is the line of the last character before an offset.
func lineOf(text string, offset int64) int {
	end := max(0, min(int(offset), len(text))-1)
	return 1 + strings.Count(text[:end], "\n")
}

// watching are the rules whose triggers watch text, or text for a file.
func (c *session) watching(ctx context.Context, file string) ([]*rule.Rule, error) {
	spaces, err := c.workspaces(ctx)
	if err != nil {
		return nil, err
	}
	var found []*rule.Rule
	if file == "" {
		for _, w := range spaces {
			book, err := w.Rules(ctx, pertain.RuleOptions{})
			if err != nil {
				return nil, err
			}
			found = append(found, book.Bucket(rule.TTSR)...)
		}
		return slices.DeleteFunc(found, func(r *rule.Rule) bool { return !watches(r, "text") }), nil
	}
	paths, homes, err := find(spaces, []string{file})
	if err != nil {
		return nil, err
	}
	book, err := homes[0].Rules(ctx, pertain.RuleOptions{Files: paths})
	if err != nil {
		return nil, err
	}
	for _, v := range book.ForPaths(paths, false)[0] {
		if len(v.Rule.Triggers) > 0 && watches(v.Rule, "tool") {
			found = append(found, v.Rule)
		}
	}
	return found, nil
}

// watches tells whether a rule's scope has a kind of stream: text, or tool with
// whatever tool.
func watches(r *rule.Rule, kind string) bool {
	return r.Scope == nil || slices.ContainsFunc(r.Scope, func(s string) bool { return s == kind || strings.HasPrefix(s, kind+":") })
}
