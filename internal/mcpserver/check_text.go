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
	Note   string       `json:"note,omitempty" jsonschema:"what was not checked, and why"`
}

type brokenRule struct {
	Name string `json:"name"`
	URI  string `json:"uri"`
	Line int    `json:"line" jsonschema:"of the text, from 1"`
	Text string `json:"text,omitempty" jsonschema:"what to follow"`
	Note string `json:"note,omitempty"`

	Reminder bool `json:"reminder,omitempty" jsonschema:"true: the user does not want work to stop for it here; keep it in mind from now on"`
}

// maxChecked is how many bytes of text are checked.
const maxChecked = 1 << 20

func (c *session) checkText(ctx context.Context, in checkTextInput) (checkTextOutput, error) {
	out := checkTextOutput{Broken: []brokenRule{}}
	if len(in.Text) > maxChecked {
		return out, errors.New("the text is longer than 1 MiB; check it in parts")
	}
	rules, doubt, err := c.watching(ctx, in.File)
	out.Note = doubt
	if err != nil || len(rules) == 0 {
		return out, err
	}
	policy, err := c.policy(ctx)
	if err != nil {
		return out, err
	}
	if policy.Disabled {
		out.Note = "the user's settings switch triggers off; nothing was checked"
		return out, nil
	}
	verdict, unwatched, err := judge(ctx, rules, policy, in)
	if err != nil {
		return out, err
	}
	slices.SortStableFunc(verdict.Fired, func(a, b stream.Fired) int { return int(a.Offset - b.Offset) })
	byPath := make(map[string]watchingRule, len(rules))
	for _, r := range rules {
		byPath[r.Path] = r
	}
	for _, f := range verdict.Fired {
		r := byPath[f.Trigger.Name]
		out.Broken = append(out.Broken, brokenRule{Name: visible.Strip(r.Name), URI: r.uri, Line: lineOf(in.Text, f.Offset), Reminder: !verdict.Interrupt})
	}
	left := maxText
	for _, own := range []bool{true, false} { // a repository full of long rules leaves room for the user's own
		for i, f := range verdict.Fired {
			b := &out.Broken[i]
			if f.Trigger.Own != own {
				continue
			}
			if b.Text = byPath[f.Trigger.Name].Rule.Text(); len(b.Text) > left {
				b.Text, b.Note = "", "the text is long; read "+b.URI
			}
			left -= len(b.Text)
		}
	}
	notes := []string{out.Note}
	if n := len(verdict.Undecided); n > 0 {
		notes = append(notes, fmt.Sprintf("%d patterns took too long and could not be decided", n))
	}
	if unwatched > 0 {
		notes = append(notes, fmt.Sprintf("%d patterns are too large together with the others and were not checked", unwatched))
	}
	out.Note = strings.TrimPrefix(strings.Join(notes, "; "), "; ")
	return out, nil
}

// policy is what the user's settings say about triggers.
func (c *session) policy(ctx context.Context) (stream.Policy, error) {
	w, err := c.workspace(ctx)
	if err != nil {
		return stream.Policy{}, err
	}
	return w.StreamPolicy()
}

// judge has a watcher look at the text, as at a turn of its own: what was said
// about an earlier text does not count. Text for a file is what a tool writes.
// Triggers are named by their file: rules of two roots may share a name.
func judge(ctx context.Context, rules []watchingRule, policy stream.Policy, in checkTextInput) (verdict stream.Verdict, unwatched int, err error) {
	triggers := make([]stream.Trigger, len(rules))
	for i, r := range rules {
		triggers[i] = stream.Trigger{Name: r.Path, Patterns: r.Triggers, Own: r.Level == rule.User}
	}
	set, problems := stream.Compile(triggers, stream.Options{}) // a pattern that cannot be read never fires; lint tells
	for _, p := range problems {
		if p.Full {
			unwatched++
		}
	}
	watcher, err := stream.NewWatcher(ctx, set, nil, policy)
	if err != nil {
		return verdict, unwatched, err
	}
	source := stream.Source{Kind: stream.Text}
	if in.File != "" {
		source.Kind = stream.Tool
	}
	verdict, err = watcher.Feed(ctx, source, in.Text)
	if err != nil {
		return verdict, unwatched, err
	}
	last, err := watcher.End(ctx, source)
	verdict.Fired = append(verdict.Fired, last.Fired...)
	verdict.Undecided = append(verdict.Undecided, last.Undecided...)
	verdict.Interrupt = verdict.Interrupt || last.Interrupt
	return verdict, unwatched, err
}

// lineOf is the line of the last character before an offset.
func lineOf(text string, offset int64) int {
	end := max(0, min(int(offset), len(text))-1)
	return 1 + strings.Count(text[:end], "\n")
}

// watchingRule is a rule with a trigger, and its address.
type watchingRule struct {
	*rule.Rule
	uri string
}

// watching are the rules whose triggers watch text, or text for a file, and how
// that file was understood if it may be another.
func (c *session) watching(ctx context.Context, file string) (found []watchingRule, doubt string, err error) {
	spaces, err := c.workspaces(ctx)
	if err != nil {
		return nil, "", err
	}
	if file == "" {
		for _, w := range spaces {
			book, err := w.Rules(ctx, pertain.RuleOptions{})
			if err != nil {
				return nil, "", err
			}
			for _, r := range book.Bucket(rule.TTSR) {
				known := slices.ContainsFunc(found, func(other watchingRule) bool { return other.Path == r.Path }) // one of the user's
				if !known && watches(r, "text") {
					found = append(found, watchingRule{r, addressIn(spaces, w, address(r.Name))})
				}
			}
		}
		return found, "", nil
	}
	named, err := find(spaces, []string{file})
	if err != nil {
		return nil, "", err
	}
	book, err := named.spaces[0].Rules(ctx, pertain.RuleOptions{Files: named.paths})
	if err != nil {
		return nil, "", err
	}
	for _, v := range book.ForPaths(named.paths, false)[0] {
		if len(v.Rule.Triggers) > 0 && watches(v.Rule, "tool") {
			found = append(found, watchingRule{v.Rule, addressIn(spaces, named.spaces[0], address(v.Rule.Name))})
		}
	}
	return found, named.doubt, nil
}

// watches tells whether a rule's scope has a kind of stream: text, or tool with
// whatever tool.
func watches(r *rule.Rule, kind string) bool {
	return r.Scope == nil || slices.ContainsFunc(r.Scope, func(s string) bool { return s == kind || strings.HasPrefix(s, kind+":") })
}
