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
	spaces, err := c.workspaces(ctx)
	if err != nil {
		return out, err
	}
	var notes []string
	var all []broken
	told := map[string]bool{} // rules and files
	books, sets := newRulebooks(), judgedSets{}
	for _, text := range texts {
		if err := ctx.Err(); err != nil { // a call may add any number of files
			return out, err
		}
		rules, doubt, err := c.watching(ctx, text, books)
		if doubt != "" && !slices.Contains(notes, doubt) {
			notes = append(notes, doubt)
		}
		if err != nil {
			return out, err
		}
		if len(rules) == 0 {
			continue
		}
		if policy.Disabled {
			out.Note = "the user's settings switch triggers off; nothing was checked"
			return out, nil
		}
		found, more, err := sets.judge(ctx, rules, policy, text)
		if err != nil {
			return out, err
		}
		for _, m := range more {
			if !slices.Contains(notes, m) {
				notes = append(notes, m)
			}
		}
		for _, f := range found {
			if key := f.rule.Path + "\x00" + f.broken.File; !told[key] {
				told[key] = true
				f.broken.Path = fileIn(spaces, f.rule.Path)
				all = append(all, f)
			}
		}
	}
	left := maxText
	for _, own := range []bool{true, false} { // a repository full of long rules leaves room for the user's own
		for i := range all {
			if (all[i].rule.Level == rule.User) == own {
				all[i].fit(&left)
			}
		}
	}
	for _, b := range all {
		out.Broken = append(out.Broken, b.broken)
	}
	out.Note = strings.Join(notes, "; ")
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

// broken is a rule that a text breaks.
type broken struct {
	broken brokenRule
	rule   *rule.Rule
}

// fit adds the rule's text, if there is room for it.
func (b *broken) fit(left *int) {
	if text := b.rule.Text(); len(text) <= *left {
		b.broken.Text = text
		*left -= len(text)
	} else {
		b.broken.Note = "the text is long; read " + b.broken.URI
	}
}

// judgedSets are the triggers that texts of one call are looked at for, by the files of their rules: most of the
// files that a call adds have the same ones.
type judgedSets map[string]judgedSet

type judgedSet struct {
	set       *stream.Set
	byPath    map[string]watchingRule
	unwatched int // patterns for which there was no room
}

// of gives those of some rules. Triggers are named by their file: rules of two roots may share a name.
func (s judgedSets) of(rules []watchingRule) judgedSet {
	var key strings.Builder
	for _, r := range rules {
		key.WriteString(r.Path)
		key.WriteByte(0)
	}
	if known, ok := s[key.String()]; ok {
		return known
	}
	triggers := make([]stream.Trigger, len(rules))
	judged := judgedSet{byPath: make(map[string]watchingRule, len(rules))}
	for i, r := range rules {
		triggers[i] = stream.Trigger{Name: r.Path, Patterns: r.Triggers, Own: r.Level == rule.User, InterruptMode: stream.InterruptMode(r.InterruptMode)}
		judged.byPath[r.Path] = r
	}
	set, problems := stream.Compile(triggers, stream.Options{}) // a pattern that cannot be read never fires; lint tells
	for _, p := range problems {
		if p.Full {
			judged.unwatched++
		}
	}
	judged.set = set
	s[key.String()] = judged
	return judged
}

// judgedPiece is how much of a text is looked at, in bytes, before it is asked whether somebody still waits.
const judgedPiece = 16 << 10

// judge has a watcher look at a text, as at a turn of its own: what was said about an
// earlier text does not count.
func (s judgedSets) judge(ctx context.Context, rules []watchingRule, policy stream.Policy, in checkedText) (found []broken, notes []string, err error) {
	judged := s.of(rules)
	watcher, err := stream.NewWatcher(ctx, judged.set, nil, policy)
	if err != nil {
		return nil, nil, err
	}
	source := stream.Source{Kind: stream.Text}
	if in.tool != "" || in.file != "" {
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
		r := judged.byPath[f.Trigger.Name]
		b := brokenRule{Name: visible.Strip(r.Name), URI: r.uri, Line: lineOf(in.text, f.Offset), Reminder: !policy.Interrupts(f.Trigger, source.Kind)}
		if in.tool != "" {
			b.File = visible.Strip(in.file)
		}
		found = append(found, broken{b, r.Rule})
	}
	if undecided > 0 {
		notes = append(notes, fmt.Sprintf("%d patterns took too long and could not be decided", undecided))
	}
	if judged.unwatched > 0 {
		notes = append(notes, fmt.Sprintf("%d patterns are too large together with the others and were not checked", judged.unwatched))
	}
	return found, notes, nil
}

// lineOf is the line of the last character before an offset.
func lineOf(text string, offset int64) int {
	end := max(0, min(int(offset), len(text))-1)
	return 1 + strings.Count(text[:end], "\n")
}
