package lsp

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"slices"
	"strings"

	"github.com/pertain-dev/pertain/internal/discover"
	"github.com/pertain-dev/pertain/internal/files"
	"github.com/pertain-dev/pertain/internal/follow"
	"github.com/pertain-dev/pertain/internal/gitignore"
	"github.com/pertain-dev/pertain/rule"
	"github.com/pertain-dev/pertain/skill"
	"github.com/pertain-dev/pertain/strategy"
)

// sourceWords are what a strategy may begin with: texts below its folder, and skills.
func (s *server) sourceWords(ctx context.Context, b *buffer) []word {
	var words []word
	ctx = s.overlaid(ctx)
	tree := follow.Noted(ctx, files.OS())
	flavor := tree.Flavor()
	dir := flavor.Dir(b.path)
	within := files.Below(tree, dir)
	_ = files.Walk(ctx, tree, dir, files.WalkOptions{MaxEntries: files.OfferEntries, Within: &within}, func(step files.Step) error {
		name := flavor.Base(step.Path)
		switch {
		case step.Err != nil: // what cannot be read is not offered
		case step.Info.Kind == files.Folder && step.Rel != "." && (name == ".git" || name == "node_modules"):
			return files.ErrSkipFolder
		case step.Info.Kind == files.File && strings.HasSuffix(strings.ToLower(name), ".md") && step.Path != b.path:
			detail := "Markdown"
			if strategy.IsFile(step.Path) {
				detail = "strategy"
			}
			words = append(words, word{label: "./" + flavor.ToSlash(step.Rel), kind: aFile, detail: detail, topic: "skills", name: "from"})
		}
		return nil //nolint:nilerr // see above
	})
	registry, err := b.folder.skills.Load(ctx)
	if err != nil {
		return words
	}
	for _, one := range registry.Skills() {
		words = append(words, word{label: skill.Scheme + one.ID, kind: aValue, detail: one.Name})
	}
	return words
}

// ruleWords are those for the frontmatter of a rule: the fields of its tool, and their
// values.
func (s *server) ruleWords(ctx context.Context, b *buffer, c cursor) []word {
	format, ok := b.format()
	if !ok {
		return nil
	}
	var words []word
	key := c.key
	if c.item {
		key = c.parent()
	}
	switch {
	case len(c.keys) == 0 && key == "":
		present := b.topKeys()
		for i, name := range format.FieldNames() {
			if i > 0 && slices.Contains(format.GlobKeys[min(1, len(format.GlobKeys)):], name) || slices.Contains(present, name) {
				continue // another tool's name for the same
			}
			words = append(words, word{label: name, kind: aField, detail: ruleFieldDetail(format, name), topic: "rules"})
		}
	case slices.Contains(format.GlobKeys, key):
		return s.globWords(ctx, b, c)
	case key == format.ModeKey:
		for _, mode := range format.Modes() {
			words = append(words, word{label: mode, kind: aChoice})
		}
	case key == "interruptMode":
		for _, mode := range []string{"always", "prose-only", "tool-only", "never"} {
			words = append(words, word{label: mode, kind: aChoice})
		}
	case key == "scope":
		for _, name := range []string{"text", "thinking", "tool"} {
			words = append(words, word{label: name, kind: aChoice, topic: "triggers"})
		}
	default:
		return schemaWords(schemaOf("rule"), "rules", c)
	}
	return words
}

// format is how the tool writes rules that reads the document.
func (b *buffer) format() (*rule.Format, bool) {
	return discover.RuleFormat(files.OS(), b.folder.lint.Rules, b.path)
}

// ruleFieldDetail says what a field is for, also one that a tool calls by another name.
func ruleFieldDetail(format *rule.Format, name string) string {
	switch {
	case slices.Contains(format.GlobKeys, name):
		return about("rules", "globs")
	case name == format.ModeKey && name != "alwaysApply":
		return "when the rule applies: " + strings.Join(format.Modes(), ", ")
	}
	return about("rules", name)
}

// globWords are globs for what the project holds: folders, and kinds of files, the
// commonest first.
func (s *server) globWords(ctx context.Context, b *buffer, c cursor) []word {
	tree := files.OS()
	flavor := tree.Flavor()
	counts := map[string]int{}
	enough, seen := errors.New("enough"), 0
	_ = gitignore.Walk(ctx, tree, discover.ProjectRoot(tree, b.folder.lint.Rules.Dir), func(step files.Step) error {
		if seen++; seen > files.OfferEntries {
			return enough
		}
		rel := flavor.ToSlash(step.Rel)
		if step.Err != nil || step.Info.Kind != files.File {
			return nil //nolint:nilerr // what cannot be looked at is not offered
		}
		name := rel[strings.LastIndexByte(rel, '/')+1:]
		if i := strings.LastIndexByte(name, '.'); i > 0 {
			counts["**/*"+name[i:]]++
		}
		if first, _, nested := strings.Cut(rel, "/"); nested && !strings.HasPrefix(first, ".") {
			counts[first+"/**"]++
		}
		return nil
	})
	globs := slices.SortedFunc(maps.Keys(counts), func(x, y string) int { return cmp.Or(cmp.Compare(counts[y], counts[x]), cmp.Compare(x, y)) })
	var words []word
	for _, glob := range globs {
		insert := ""
		if strings.HasPrefix(glob, "*") && c.quote == 0 {
			insert = `"` + glob + `"` // a value that begins with * would be an alias
		}
		words = append(words, word{label: glob, kind: aValue, insert: insert})
	}
	return words
}

// settingWords are those for the settings file; ids are of the strategies that are
// loaded.
func (s *server) settingWords(ctx context.Context, b *buffer, c cursor) []word {
	if c.item && slices.Equal(c.keys, []string{"disabled"}) {
		var words []word
		for _, one := range s.strategies(s.overlaid(ctx), b) {
			words = append(words, word{label: one.ID, kind: aValue, detail: one.Name})
		}
		return words
	}
	return schemaWords(schemaOf("settings"), "settings", c)
}
