package mcpserver

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/pertain-dev/pertain/internal/visible"
	"github.com/pertain-dev/pertain/rule"
	"github.com/pertain-dev/pertain/stream"
)

const checkTextDescription = `Tells whether what you are about to write or do breaks a rule of the repository: some rules have a trigger, a pattern that must not appear.
Give a text, with the file it is meant for if there is one, or a tool call. The answer holds each broken rule and the line; rewrite and check again.`

type checkTextInput struct {
	Text      *string `json:"text,omitempty" jsonschema:"at most 1 MiB"`
	File      string  `json:"file,omitempty" jsonschema:"for which the text is"`
	Tool      string  `json:"tool,omitempty" jsonschema:"that you are about to call"`
	Arguments any     `json:"arguments,omitempty" jsonschema:"of that call"`
}

type checkTextOutput struct {
	Broken []brokenRule `json:"broken" jsonschema:"empty: no rule is broken"`
	Note   string       `json:"note,omitempty" jsonschema:"what was not checked, and why"`
}

type brokenRule struct {
	Name string `json:"name"`
	URI  string `json:"uri"`
	Path string `json:"path" jsonschema:"the rule's file"`
	File string `json:"file,omitempty" jsonschema:"of a tool call: the file in which it was broken"`
	Line int    `json:"line" jsonschema:"of the text, or of what the call adds, from 1"`
	More int    `json:"more,omitempty" jsonschema:"of a tool call: in how many more places it breaks the rule, which are not told one by one"`
	Text string `json:"text,omitempty" jsonschema:"what to follow"`
	Note string `json:"note,omitempty"`

	Reminder bool `json:"reminder,omitempty" jsonschema:"true: the user does not want work to stop for it here; keep it in mind from now on"`
}

// maxChecked is how many bytes of text are checked.
const maxChecked = 1 << 20

func (c *session) checkText(ctx context.Context, in checkTextInput) (checkTextOutput, error) {
	out := checkTextOutput{Broken: []brokenRule{}}
	texts, err := in.texts()
	if err != nil {
		return out, err
	}
	policy, err := c.policy(ctx)
	if err != nil {
		return out, err
	}
	var all []broken
	var disabled bool
	if in.Tool != "" {
		var check *callCheck
		if check, disabled, err = c.checkCall(ctx, texts, policy); check != nil {
			all, out.Note = check.found, check.notes.String()
		}
	} else {
		all, out.Note, disabled, err = c.checkOne(ctx, &texts[0], policy)
	}
	switch {
	case err != nil:
		return out, err
	case disabled:
		out.Note = "the user's settings switch triggers off; nothing was checked"
		return out, nil
	}
	left := maxText
	for _, own := range []bool{true, false} { // a repository full of long rules must not push out the user's own
		for i := range all {
			if (all[i].rule.Level == rule.User) == own {
				all[i].fit(&left)
			}
		}
	}
	for _, b := range all {
		out.Broken = append(out.Broken, b.broken)
	}
	return out, nil
}

// checkOne looks at a text that no call adds. disabled: there are rules for it, and the settings switch them off.
func (c *session) checkOne(ctx context.Context, text *checkedText, policy stream.Policy) (all []broken, note string, disabled bool, err error) {
	spaces, err := c.workspaces(ctx)
	if err != nil {
		return nil, "", false, err
	}
	rules, note, err := c.watching(ctx, text)
	switch {
	case err != nil || len(rules) == 0:
		return nil, note, false, err
	case policy.Disabled:
		return nil, "", true, nil
	}
	all, notes, err := judge(ctx, rules, policy, text)
	for i := range all {
		all[i].broken.Path = fileIn(spaces, all[i].rule.Path)
	}
	return all, joinNotes(append([]string{note}, notes...)...), false, err
}

// policy is what the user's settings say about triggers.
func (c *session) policy(ctx context.Context) (stream.Policy, error) {
	w, err := c.workspace(ctx)
	if err != nil {
		return stream.Policy{}, err
	}
	return w.StreamPolicy()
}

// broken is a rule that a text breaks.
type broken struct {
	broken brokenRule
	rule   *rule.Rule
}

// fit adds the rule's text, if it fits.
func (b *broken) fit(left *int) {
	if text := b.rule.Text(); len(text) <= *left {
		b.broken.Text = text
		*left -= len(text)
	} else {
		b.broken.Note = "the text is long; read " + b.broken.URI
	}
}

// judgedPiece is how much of a text is looked at, in bytes, before it is asked whether somebody still waits.
const judgedPiece = 16 << 10

// judge has a watcher look at a text, as at a turn of its own: what was said about an
// earlier text does not count. Triggers are named by their file: rules of two roots may share a name.
func judge(ctx context.Context, rules []watchingRule, policy stream.Policy, in *checkedText) (found []broken, notes []string, err error) {
	triggers, byPath := make([]stream.Trigger, len(rules)), make(map[string]watchingRule, len(rules))
	for i, r := range rules {
		triggers[i] = stream.Trigger{Name: r.Path, Patterns: r.Triggers, Own: r.Level == rule.User, InterruptMode: stream.InterruptMode(r.InterruptMode)}
		byPath[r.Path] = r
	}
	set, problems := stream.Compile(triggers, stream.Options{}) // a pattern that cannot be read never fires; lint tells
	watcher, err := stream.NewWatcher(ctx, set, nil, policy)
	if err != nil {
		return nil, nil, err
	}
	source := stream.Source{Kind: stream.Text}
	if in.file != "" {
		source.Kind = stream.Tool
	}
	var fired []stream.Fired
	undecided := 0
	for rest, ended := in.text, false; !ended; {
		if err := ctx.Err(); err != nil {
			return nil, nil, err
		}
		piece := rest[:min(judgedPiece, len(rest))]
		var verdict stream.Verdict
		var err error
		if rest = rest[len(piece):]; piece != "" {
			verdict, err = watcher.Feed(ctx, source, piece)
		} else {
			verdict, err = watcher.End(ctx, source)
			ended = true
		}
		if err != nil {
			return nil, nil, err
		}
		fired, undecided = append(fired, verdict.Fired...), undecided+len(verdict.Undecided)
	}
	slices.SortStableFunc(fired, func(a, b stream.Fired) int { return int(a.Offset - b.Offset) })
	for _, f := range fired {
		r := byPath[f.Trigger.Name]
		found = append(found, broken{brokenRule{Name: visible.Strip(r.Name), URI: r.uri, Line: lineOf(in.text, f.Offset), Reminder: !policy.Interrupts(f.Trigger, source.Kind)}, r.Rule})
	}
	if undecided > 0 {
		notes = append(notes, fmt.Sprintf("%d patterns took too long and could not be decided", undecided))
	}
	unwatched := 0
	for _, p := range problems {
		if p.Full {
			unwatched++
		}
	}
	if unwatched > 0 {
		notes = append(notes, fmt.Sprintf("%d patterns are too large together with the others and were not checked", unwatched))
	}
	return found, notes, nil
}

// lineOf is the line of the last character before an offset.
func lineOf(text string, offset int64) int {
	end := max(0, min(int(offset), len(text))-1)
	return 1 + strings.Count(text[:end], "\n")
}
