package rule

import (
	"slices"
	"strings"

	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/document"
)

// globWords are the names that tools have for path globs, and likely slips.
var globWords = []string{"globs", "paths", "applyTo", "fileMatchPattern", "glob", "path", "pattern", "patterns"}

// modeWords are the names that tools have for when a rule applies, with the
// values that show that really this is meant.
var modeWords = []struct {
	key    string
	tool   string
	values []string
}{
	{"alwaysApply", "Cursor", []string{"true", "false"}},
	{"trigger", "Windsurf", []string{"always_on", "glob", "model_decision", "manual"}},
	{"inclusion", "Kiro", []string{"always", "fileMatch", "manual", "auto"}},
	{"type", "Augment", []string{"always_apply", "manual", "agent_requested"}},
}

// checkKeys looks for fields that the tool does not read: another tool's, or
// misspelt ones. What nobody knows is a remark.
func (f *Fields) checkKeys() {
	if f.node == nil {
		return
	}
	format := f.rule.Format
	known := format.keys()
	hint := "known fields: " + quotedList(known)
	for _, e := range f.node.Entries {
		key := e.Key.Text
		if i := slices.Index(format.GlobKeys, key); i >= 0 {
			if i > 0 {
				f.secondKey(e, format.GlobKeys[:i])
			}
			continue
		}
		if format.knows(key) {
			continue
		}
		if slices.Contains(metadata, key) || f.synced(key) {
			continue
		}
		if slices.Contains(globWords, key) && len(format.GlobKeys) > 0 {
			f.wrongKey(e, format.GlobKeys[0], "it does nothing here")
			continue
		}
		if f.wrongMode(e) {
			continue
		}
		if why, ok := unsupported[key]; ok {
			f.list.Add(diag.At(f.rule.Source, e.Key.Span(), diag.RuleUnsupportedField, "`%s` is a field of oh-my-pi that means nothing here: %s", key, why))
			continue
		}
		near := diag.Nearest(key, known)
		if near == "" || len(key) < 3 {
			d := diag.At(f.rule.Source, e.Key.Span(), diag.RuleUnknownField, "%s does not know the field `%s`", format.Tool, key)
			d.Hint = hint
			f.rule.Remarks.Add(d)
			continue
		}
		f.list.Add(diag.At(f.rule.Source, e.Key.Span(), diag.RuleUnknownField, "%s does not know the field `%s`", format.Tool, key).
			WithHint("did you mean `%s`?", near))
		f.rename(e, near)
	}
}

// metadata are fields that authors and programs write down for themselves.
var metadata = []string{
	"name", "title", "tags", "version", "author", "authors", "priority", "category", "license", "source", "updated", "created", "date", "id", "keywords", "language", "framework",
}

// unsupported are fields that oh-my-pi has, and that mean nothing here.
var unsupported = map[string]string{
	"astCondition":  "patterns of syntax trees are not watched",
	"ast-condition": "patterns of syntax trees are not watched",
	"question":      "no model is asked",
	"reminder":      "the rule's whole text is told",
	"agents":        "the rule holds for every agent",
}

// synced tells whether a field is another tool's beside the right one: the file is
// kept for both.
func (f *Fields) synced(key string) bool {
	has := func(keys ...string) bool { return slices.ContainsFunc(keys, f.Has) }
	if slices.Contains([]string{"globs", "paths", "applyTo", "fileMatchPattern"}, key) {
		return has(f.rule.Format.GlobKeys...)
	}
	for _, m := range modeWords {
		if m.key == key {
			return f.rule.Format.ModeKey != "" && has(f.rule.Format.ModeKey) || f.rule.Format.ModeKey == "" && has(f.rule.Format.GlobKeys...)
		}
	}
	return false
}

func (f *Fields) wrongKey(e document.Entry, right, effect string) {
	f.list.Add(diag.At(f.rule.Source, e.Key.Span(), diag.RuleWrongKey, "%s rules have no field `%s`; %s", f.rule.Format.Tool, e.Key.Text, effect).
		WithHint("the right key is `%s`", right))
	slip := e.Key.Text == "glob" || e.Key.Text == "path" || e.Key.Text == "pattern"
	if slip && !slices.ContainsFunc(f.rule.Format.GlobKeys, f.Has) { // else its globs would win over those that count now
		f.rename(e, right)
	}
}

// secondKey is a field for globs that the tool does not have and that is read
// where those before it say nothing.
func (f *Fields) secondKey(e document.Entry, before []string) {
	for _, key := range before {
		if f.IsEmptyList(key) || f.decides(key) {
			f.list.Add(diag.At(f.rule.Source, e.Key.Span(), diag.RuleWrongKey, "%s rules have no field `%s`; beside `%s` it does nothing", f.rule.Format.Tool, e.Key.Text, key).
				WithHint("write its globs under `%s`, or remove it", key))
			return
		}
	}
	f.wrongKey(e, before[0], "it is read all the same")
}

// decides tells whether a field holds globs.
func (f *Fields) decides(key string) bool {
	quiet := *f
	quiet.list = new(diag.List) // what is wrong with it is told when it is read
	return quiet.Globs(key) != nil
}

// wrongMode finds another tool's word for when a rule applies.
func (f *Fields) wrongMode(e document.Entry) bool {
	format := f.rule.Format
	for _, m := range modeWords {
		if m.key != e.Key.Text || !slices.Contains(m.values, e.Value.Text) {
			continue
		}
		d := diag.At(f.rule.Source, e.Key.Span(), diag.RuleWrongKey, "`%s` is a field of %s rules; in %s rules it does nothing", m.key, m.tool, format.Tool)
		right := format.ModeKey
		if right == "" && len(format.GlobKeys) > 0 {
			right = format.GlobKeys[0]
		}
		if right != "" {
			d = d.WithHint("the right key is `%s`", right)
		} else {
			d = d.WithHint("remove it: these rules apply by their place alone")
		}
		f.list.Add(d)
		return true
	}
	return false
}

// rename offers the edit of a misspelt key, unless the right one is there too,
// or another key is to become it.
func (f *Fields) rename(e document.Entry, right string) {
	if !f.Has(right) {
		f.offer(e, right, right)
	}
}

// offer adds the edit, unless another key is to become the same; path is the new
// key and what it is nested in.
func (f *Fields) offer(e document.Entry, right, path string) {
	if slices.ContainsFunc(f.rule.Fixes, func(fix Fix) bool { return fix.key == path }) {
		return
	}
	f.rule.Fixes = append(f.rule.Fixes, Fix{Span: e.Key.Span(), Text: right, Why: "rename `" + e.Key.Text + "` to `" + right + "`", key: path})
}

func quotedList(words []string) string {
	out := ""
	for i, w := range words {
		if i > 0 {
			out += ", "
		}
		out += "`" + w + "`"
	}
	return out
}

// interruptModes are where a trigger may interrupt; the settings have the same.
var interruptModes = []string{"always", "prose-only", "tool-only", "never"}

// interruptMode reads where the rule's triggers interrupt, however its name and its
// value are spelt; "" if the rule does not say.
func (f *Fields) interruptMode() string {
	for _, key := range append([]string{"interruptMode"}, otherSpellings...) {
		n := f.node.Get(key)
		if n == nil || n.Kind == document.Null {
			continue
		}
		for _, mode := range interruptModes {
			if n.Kind == document.String && plainWord(n.Text) == plainWord(mode) {
				return mode
			}
		}
		if mode := f.Word(key, interruptModes...); mode != "" {
			return mode
		}
	}
	return ""
}

// plainWord is a word without case, dashes and underscores: prose-only, proseOnly and
// prose_only are one.
func plainWord(s string) string {
	return strings.NewReplacer("-", "", "_", "").Replace(strings.ToLower(strings.TrimSpace(s)))
}

// disable switches the rule off if it says `enabled: false`.
func (f *Fields) disable() {
	if enabled := f.Flag("enabled"); enabled == nil || *enabled {
		return
	}
	f.rule.Disabled, f.rule.Activation = true, Never
	d := diag.At(f.rule.Source, f.node.Get("enabled").Span(), diag.RuleDisabled, "the rule is switched off by `enabled: false`, and never used")
	f.list.Add(d.WithHint("remove the field to use the rule"))
}
