package strategy

import (
	"slices"
	"strings"

	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/document"
)

// Title is what a strategy is called in a language.
type Title struct {
	Language string // a tag such as de or pt-BR; empty: whatever the language is
	Text     string
}

// TitleFor is the title in the language of a locale such as de-AT, or "" if there
// is none: the tag itself, shorter and shorter forms of it, English, the first.
func (s *Strategy) TitleFor(locale string) string {
	if len(s.Titles) == 0 {
		return ""
	}
	for tag := languageTag(locale); tag != ""; {
		if text, ok := s.titleIn(tag); ok {
			return text
		}
		at := strings.LastIndexByte(tag, '-')
		tag = tag[:max(0, at)]
	}
	if text, ok := s.titleIn("en"); ok {
		return text
	}
	return s.Titles[0].Text
}

func (s *Strategy) titleIn(tag string) (string, bool) {
	for _, t := range s.Titles {
		if languageTag(t.Language) == tag {
			return t.Text, true
		}
	}
	return "", false
}

// languageTag is the form in which tags are compared: zh_Hant.UTF-8 is zh-hant.
func languageTag(locale string) string {
	if at := strings.IndexAny(locale, ".@"); at >= 0 {
		locale = locale[:at]
	}
	return strings.ToLower(strings.ReplaceAll(locale, "_", "-"))
}

// titles reads `title`: a text, or a map from language tags to texts.
func (c *checker) titles(node *document.Node) []Title {
	const hint = "write one text, or a map such as `{ en: Summarize, de: Zusammenfassen }`"
	if node == nil || node.Kind == document.Null {
		return nil
	}
	if node.Kind == document.String {
		if strings.TrimSpace(node.Text) == "" {
			c.add(diag.At(node.Source(), node.Span(), diag.StrategyInvalidField, "`title` is empty").WithHint("write a title, or remove the field"))
			return nil
		}
		return []Title{{Text: node.Text}}
	}
	if node.Kind != document.Mapping {
		c.wrongType(node, "title", "a string, or a map of strings by language", hint)
		return nil
	}
	if len(node.Entries) == 0 {
		c.add(diag.At(node.Source(), node.Span(), diag.StrategyInvalidField, "`title` has no text").WithHint(hint))
		return nil
	}
	var titles []Title
	for _, e := range node.Entries {
		switch {
		case !isLanguageTag(e.Key.Text):
			c.add(diag.At(e.Key.Source(), e.Key.Span(), diag.StrategyInvalidField, "`title` has no language `%s`", diag.Short(e.Key.Text)).
				WithHint("write a language tag, such as `en`, `de` or `pt-BR`"))
		case e.Value.Kind != document.String || strings.TrimSpace(e.Value.Text) == "":
			what := e.Value.Kind.String()
			if e.Value.Kind == document.String {
				what = "an empty one"
			}
			at := e.Value
			if e.Value.Kind == document.Null {
				at = e.Key
			}
			c.add(diag.At(at.Source(), at.Span(), diag.StrategyInvalidField, "`title` of `%s` must be a text, not %s", e.Key.Text, what).
				WithHint("put the text in quotes"))
		default:
			titles = append(titles, Title{e.Key.Text, e.Value.Text})
		}
	}
	return slices.Clip(titles) // strategies may share it
}

// isLanguageTag checks the form of a tag: letters first, then letters and digits,
// in parts of at most eight joined by - or _.
func isLanguageTag(text string) bool {
	for i, part := range strings.FieldsFunc(text+"-", func(r rune) bool { return r == '-' || r == '_' }) {
		if len(part) > 8 || i == 0 && len(part) < 2 {
			return false
		}
		for _, r := range part {
			letter := 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z'
			if !letter && (i == 0 || r < '0' || r > '9') {
				return false
			}
		}
	}
	return text != "" && !strings.ContainsAny(text[:1]+text[len(text)-1:], "-_")
}
