// Package reference is the reference of Pertain's languages, files and commands:
// the pages of this folder, for whoever shows them elsewhere.
//
// Use [Topics] and [Page] for whole pages, and [Entry] for what a page says of one
// name: an operator, a path, a field, a setting, a code.
package reference

import (
	"embed"
	"slices"
	"strings"
)

//go:embed *.md
var pages embed.FS

// Topic is one page.
type Topic struct {
	Name  string // operators; the file is NAME.md
	About string // what the page is about, in a few words
}

// Topics are all pages, in the order in which they are best read.
func Topics() []Topic {
	return []Topic{
		{"strategies", "the file format: every field, ids, where strategies are found"},
		{"conditions", "when: all, any, none, not, and three values"},
		{"operators", "what can be asked of a value"},
		{"paths", "what conditions and templates can name"},
		{"visual", "queries about what is on the screen"},
		{"templates", "placeholders in prompts"},
		{"preprocessors", "what runs before a prompt is made"},
		{"tools", "tools that a prompt allows, and system prompts"},
		{"skills", "from, and the skills of all agents"},
		{"ask", "asking a model: upstreams, keys, what you agree to, where answers go"},
		{"trust", "providers of strategies, and whom to trust"},
		{"rules", "rules of all agents: fields, buckets, globs, precedence"},
		{"triggers", "rules that watch a model: expressions, scopes, settings"},
		{"agents", "agents that Pertain knows"},
		{"tests", "cases that authors write for strategies and rules"},
		{"settings", "the settings file"},
		{"diagnostics", "everything that can be said about a file or a match"},
		{"exit-codes", "what commands end with"},
		{"json", "the JSON of every command"},
		{"glossary", "words that mean one thing each"},
	}
}

// Page is the text of a topic, as Markdown. ok is false for what is no topic.
func Page(topic string) (text string, ok bool) {
	if !slices.ContainsFunc(Topics(), func(t Topic) bool { return t.Name == topic }) {
		return "", false
	}
	data, err := pages.ReadFile(topic + ".md")
	return strings.ReplaceAll(string(data), "\r\n", "\n"), err == nil
}

// Entry is what a page says of one name, as Markdown: the section under the
// heading that names it, else its row in a table, in which each cell but the first
// begins with the head of its column. ok is false if the page says nothing of it.
// Names are exact.
func Entry(topic, name string) (text string, ok bool) {
	page, ok := Page(topic)
	if !ok || name == "" {
		return "", false
	}
	for _, s := range sections(page) {
		if slices.Contains(s.names, name) {
			return s.text, true
		}
	}
	for _, r := range rows(page) {
		if slices.Contains(r.names, name) {
			return r.text, true
		}
	}
	return "", false
}

// Entries are the names that a page has an [Entry] for, in the page's order: those
// of headings first, then those of tables.
func Entries(topic string) []string {
	page, _ := Page(topic)
	var names []string
	for _, e := range append(sections(page), rows(page)...) {
		for _, name := range e.names {
			if !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
	}
	return names
}
