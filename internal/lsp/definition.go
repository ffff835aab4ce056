package lsp

import (
	"context"
	"slices"
	"strings"

	"github.com/pertain-dev/pertain"
	"github.com/pertain-dev/pertain/internal/files"
	"github.com/pertain-dev/pertain/rule"
	"github.com/pertain-dev/pertain/skill"
	"github.com/pertain-dev/pertain/strategy"
)

// definition leads to what a name stands for: the source of `from`, addresses of rules
// and skills, imported files, strategies by id. A file that the document may not reach
// is not told of.
func (s *server) definition(ctx context.Context, params positionParams) (any, error) {
	b, by := s.open(params.TextDocument.URI)
	if b == nil || b.kind == nothing || len(b.text.string) > maxEdited {
		return nil, nil
	}
	offset := b.text.offset(params.Position, by)
	ctx = s.overlaid(ctx)
	path := s.target(ctx, b, offset)
	if path == "" || !files.Native().IsAbs(path) {
		return nil, ctx.Err()
	}
	return location{URI: uriOf(path)}, ctx.Err()
}

// target is the file that something at an offset stands for; empty: none.
func (s *server) target(ctx context.Context, b *buffer, offset int) string {
	word := addressAt(b.text.string, offset)
	switch {
	case hasScheme(word, rule.Scheme):
		return ruleFileOf(ctx, b.folder, word)
	case hasScheme(word, skill.Scheme):
		resource, err := b.folder.skills.Read(ctx, word)
		if err != nil {
			return ""
		}
		return resource.File
	}
	where, start := b.partOf(offset)
	switch {
	case b.kind == ruleFile && where == body:
		return importedFile(ctx, b, word)
	case where != fields:
		return ""
	}
	c := cursorAt(b.text.string, start, offset)
	switch {
	case b.kind == strategyFile && (len(c.keys) == 0 && c.key == "from" || slices.Equal(c.keys, []string{"from"}) && c.key == "source"):
		read, err := b.folder.lint.Read(ctx, []string{b.path})
		if err == nil && len(read.Strategies) == 1 && len(read.Strategies[0].Includes) > 0 {
			return read.Strategies[0].Includes[0].Name()
		}
	case b.kind == settingsFile && c.item && slices.Equal(c.keys, []string{"disabled"}):
		id := strategy.Key(strings.TrimSpace(b.text.string[c.whole.Start:c.whole.End]))
		for _, one := range s.strategies(ctx, b) {
			if strategy.Key(one.ID) == id && one.Source != nil {
				return one.Source.Name()
			}
		}
	}
	return ""
}

func hasScheme(address, scheme string) bool {
	return len(address) > len(scheme) && strings.EqualFold(address[:len(scheme)], scheme)
}

// addressAt is the text around an offset without blanks, quotes and brackets.
func addressAt(text string, offset int) string {
	const ends = " \t\r\n\"'`()<>[]{},;"
	start, end := offset, offset
	for start > 0 && strings.IndexByte(ends, text[start-1]) < 0 {
		start--
	}
	for end < len(text) && strings.IndexByte(ends, text[end]) < 0 {
		end++
	}
	return strings.TrimRight(text[start:end], ".:!?")
}

func ruleFileOf(ctx context.Context, f *folder, address string) string {
	book, err := pertain.OpenRules(ctx, f.lint.Environment, pertain.RuleOptions{})
	if err != nil {
		return ""
	}
	found, err := book.Open(address)
	if err != nil {
		return ""
	}
	return found.Path
}

// importedFile is the file that `@path` of a rule's text leads to, if it was imported.
func importedFile(ctx context.Context, b *buffer, word string) string {
	name, ok := strings.CutPrefix(word, "@")
	if !ok || name == "" {
		return ""
	}
	read, err := b.folder.lint.Read(ctx, []string{b.path})
	if err != nil || len(read.Rules) == 0 {
		return ""
	}
	flavor := files.Native()
	wanted := flavor.Clean(flavor.Join(flavor.Dir(b.path), name))
	if rest, home := strings.CutPrefix(name, "~/"); home {
		wanted = flavor.Join(b.folder.lint.Rules.Home, rest)
	} else if flavor.IsAbs(name) {
		wanted = flavor.Clean(name)
	}
	for _, path := range read.Rules[0].Includes {
		if flavor.Key(path) == flavor.Key(wanted) {
			return path
		}
	}
	return ""
}
