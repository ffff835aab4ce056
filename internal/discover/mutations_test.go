package discover_test

import (
	"encoding/binary"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/internal/discover"
	"github.com/pertain-dev/pertain/internal/files"
	"github.com/pertain-dev/pertain/rule"
)

// parts is a rule file taken apart: the lines of its frontmatter, and what follows.
type parts struct{ fields, body string }

func (p parts) text(open, close string) string {
	return open + "\n" + p.fields + "\n" + close + "\n" + p.body
}

// mutation is a way in which authors and editors spoil a rule file.
type mutation struct {
	name string
	text func(p parts) string
}

var firstValue = regexp.MustCompile(`(?m)^(\w+:)[ \t]*(\S.*)$`)

// first changes the value of the first field that has one.
func first(p parts, change func(value string) string) parts {
	if at := firstValue.FindStringSubmatchIndex(p.fields); at != nil {
		value := strings.Trim(p.fields[at[4]:at[5]], `"' `)
		p.fields = p.fields[:at[4]] + change(value) + p.fields[at[5]:]
	}
	return p
}

func mutations() []mutation {
	plain := func(p parts) string { return p.text("---", "---") }
	utf16LE := func(text string) string {
		data := []byte{0xFF, 0xFE}
		for _, unit := range utf16.Encode([]rune(text)) {
			data = binary.LittleEndian.AppendUint16(data, unit)
		}
		return string(data)
	}
	return []mutation{
		{"a blank before the first fence", func(p parts) string { return p.text(" ---", "---") }},
		{"a tab before the first fence", func(p parts) string { return p.text("\t---", "---") }},
		{"a blank before both fences", func(p parts) string { return p.text(" ---", " ---") }},
		{"blanks after the fences", func(p parts) string { return p.text("---  ", "--- \t") }},
		{"no-break space after the fence", func(p parts) string { return p.text("---\u00a0", "---") }},
		{"five dashes", func(p parts) string { return p.text("-----", "-----") }},
		{"five dashes at the end", func(p parts) string { return p.text("---", "-----") }},
		{"four dashes at the start", func(p parts) string { return p.text("----", "---") }},
		{"dashes of a word processor", func(p parts) string { return p.text("———", "———") }},
		{"two dashes", func(p parts) string { return p.text("--", "--") }},
		{"plus signs", func(p parts) string { return p.text("+++", "+++") }},
		{"asterisks", func(p parts) string { return p.text("***", "***") }},
		{"a word after the fence", func(p parts) string { return p.text("--- yaml", "---") }},
		{"a fence of code", func(p parts) string { return p.text("```yaml", "```") }},
		{"a fence of code around it", func(p parts) string { return "```\n" + p.text("---", "---\n```") }},
		{"dots at the end", func(p parts) string { return p.text("---", "...") }},
		{"a heading on the last fence", func(p parts) string { return "---\n" + p.fields + "\n---# Heading\n" + p.body }},
		{"never closed", func(p parts) string { return "---\n" + p.fields + "\n\n" + p.body }},
		{"never opened", func(p parts) string { return p.fields + "\n---\n" + p.body }},
		{"carriage returns alone", func(p parts) string { return strings.ReplaceAll(plain(p), "\n", "\r") }},
		{"CRLF", func(p parts) string { return strings.ReplaceAll(plain(p), "\n", "\r\n") }},
		{"CRLF in the frontmatter alone", func(p parts) string {
			return strings.ReplaceAll("---\n"+p.fields+"\n---\n", "\n", "\r\n") + p.body
		}},
		{"a byte order mark", func(p parts) string { return "\ufeff" + plain(p) }},
		{"two byte order marks", func(p parts) string { return "\ufeff\ufeff" + plain(p) }},
		{"a byte order mark in the second line", func(p parts) string { return "\n\ufeff" + plain(p) }},
		{"UTF-16", func(p parts) string { return utf16LE(plain(p)) }},
		{"a zero-width space", func(p parts) string { return "\u200b" + plain(p) }},
		{"a zero-width space after the fence", func(p parts) string { return p.text("---\u200b", "---") }},
		{"a soft hyphen", func(p parts) string { return "\u00ad" + plain(p) }},
		{"a blank line before it", func(p parts) string { return "\n" + plain(p) }},
		{"blank lines with blanks before it", func(p parts) string { return "  \n\t\n" + plain(p) }},
		{"a comment before it", func(p parts) string { return "<!-- generated -->\n" + plain(p) }},
		{"a heading before it", func(p parts) string { return "# Rule\n\n" + plain(p) }},
		{"indented", func(p parts) string {
			return "---\n  " + strings.ReplaceAll(p.fields, "\n", "\n  ") + "\n---\n" + p.body
		}},
		{"indented with fences", func(p parts) string {
			return "  ---\n  " + strings.ReplaceAll(p.fields, "\n", "\n  ") + "\n  ---\n" + p.body
		}},
		{"a tab before the first field", func(p parts) string { return "---\n\t" + p.fields + "\n---\n" + p.body }},
		{"blank lines inside", func(p parts) string {
			return "---\n\n" + strings.ReplaceAll(p.fields, "\n", "\n\n") + "\n\n---\n" + p.body
		}},
		{"a comment inside", func(p parts) string { return "---\n# a comment: here\n" + p.fields + "\n---\n" + p.body }},
		{"text inside", func(p parts) string { return "---\n" + p.fields + "\nThis rule is great\n---\n" + p.body }},
		{"twice", func(p parts) string { return "---\n" + p.fields + "\n---\n" + plain(p) }},
		{"twice, first empty", func(p parts) string { return "---\n---\n" + plain(p) }},
		{"a second block that is the text", func(p parts) string { return "---\n" + p.fields + "\n---\n---\n" + p.body + "\n---\n" }},
		{"a rule under it", func(p parts) string { return plain(p) + "\n---\n\nmore: text\n" }},
		{"a quote that is never closed", func(p parts) string {
			return plain(first(p, func(v string) string { return `"` + v }))
		}},
		{"a single quote that is never closed", func(p parts) string {
			return plain(first(p, func(v string) string { return "'" + v }))
		}},
		{"a quote that is never opened", func(p parts) string {
			return plain(first(p, func(v string) string { return v + `"` }))
		}},
		{"curly quotes", func(p parts) string { return plain(first(p, func(v string) string { return "“" + v + "”" })) }},
		{"backticks", func(p parts) string { return plain(first(p, func(v string) string { return "`" + v + "`" })) }},
		{"a list of one", func(p parts) string { return plain(first(p, func(v string) string { return "[" + v + "]" })) }},
		{"a colon in the value", func(p parts) string { return plain(first(p, func(v string) string { return "Note: " + v })) }},
		{"an at sign", func(p parts) string { return plain(first(p, func(v string) string { return "@" + v })) }},
		{"a percent sign", func(p parts) string { return plain(first(p, func(v string) string { return "%" + v })) }},
		{"an ampersand", func(p parts) string { return plain(first(p, func(v string) string { return "&" + v })) }},
		{"an exclamation mark", func(p parts) string { return plain(first(p, func(v string) string { return "!" + v })) }},
		{"a brace", func(p parts) string { return plain(first(p, func(v string) string { return "{" + v })) }},
		{"a text that goes on in the next line", func(p parts) string {
			return plain(first(p, func(v string) string { return v + "\nand goes on" }))
		}},
		{"no blank after the colon", func(p parts) string {
			return plain(parts{strings.Replace(p.fields, ": ", ":", 1), p.body})
		}},
		{"a blank before the colon", func(p parts) string {
			return plain(parts{strings.Replace(p.fields, ":", " :", 1), p.body})
		}},
		{"a wide colon", func(p parts) string { return plain(parts{strings.Replace(p.fields, ": ", "： ", 1), p.body}) }},
		{"equals signs", func(p parts) string { return plain(parts{strings.Replace(p.fields, ": ", " = ", 1), p.body}) }},
		{"JSON", func(p parts) string {
			return plain(parts{"{" + strings.ReplaceAll(p.fields, "\n", ",\n") + "}", p.body})
		}},
		{"capital letters", func(p parts) string {
			return plain(parts{strings.ToUpper(p.fields[:1]) + p.fields[1:], p.body})
		}},
		{"a field twice", func(p parts) string {
			line, _, _ := strings.Cut(p.fields, "\n")
			return plain(parts{p.fields + "\n" + line, p.body})
		}},
		{"a NUL", func(p parts) string { return plain(first(p, func(v string) string { return v + "\x00" })) }},
		{"no end of line", func(p parts) string { return "---\n" + p.fields + "\n---\n" + strings.TrimRight(p.body, "\n") }},
		{"Latin-1", func(p parts) string { return plain(parts{p.fields, "caf\xe9\n" + p.body}) }},
	}
}

// apart takes a file apart that has frontmatter of the plain form.
func apart(text string) (parts, bool) {
	text = strings.TrimPrefix(strings.ReplaceAll(text, "\r\n", "\n"), "\ufeff")
	rest, ok := strings.CutPrefix(text, "---\n")
	fields, body, closed := strings.Cut(rest, "\n---\n")
	return parts{fields, body}, ok && closed && firstValue.MatchString(fields) && strings.TrimSpace(body) != ""
}

// lostSilently says what of a rule a mutation takes away without a word; empty: nothing.
func lostSilently(path string, p parts, m mutation) string {
	roots := discover.RuleRoots{Dir: "/w", Home: "/home/u"}
	tree := files.NewMemory(files.Unix)
	want, _ := discover.RuleText(tree, roots, path, []byte(p.text("---", "---")))
	got, list := discover.RuleText(tree, roots, path, []byte(m.text(p)))
	told := list.Count(diag.Warning)+list.Count(diag.Error) > 0
	if got != nil {
		told = told || got.Remarks.Count(diag.Warning) > 0
	}
	switch {
	case got == nil:
		return "the whole rule"
	case !strings.Contains(squeezed(got.Content), lastLine(p.body)):
		return "text"
	case told:
		return ""
	case got.Bucket != want.Bucket || !slices.Equal(got.Globs, want.Globs):
		return fmt.Sprintf("%s %q, not %s %q", got.Bucket, got.Globs, want.Bucket, want.Globs)
	case !strings.Contains(described(got), described(want)):
		return "the description"
	}
	return ""
}

func described(r *rule.Rule) string {
	if r.Description == nil {
		return ""
	}
	return squeezed(*r.Description)
}

func squeezed(text string) string { return strings.Join(strings.Fields(text), " ") }

func lastLine(body string) string {
	lines := strings.Split(strings.TrimSpace(body), "\n")
	return squeezed(lines[len(lines)-1])
}

// TestMutations: what authors and editors do to frontmatter takes nothing away without a
// word.
func TestMutations(t *testing.T) {
	for path, p := range map[string]parts{
		"/w/.cursor/rules/a.mdc":                    {"description: How we write types\nglobs: \"**/*.ts\"\nalwaysApply: false", "# Types\n\nUse them.\n"},
		"/w/.claude/rules/a.md":                     {"paths:\n  - \"src/**/*.ts\"\n  - \"*.tsx\"\ndescription: d", "Text.\n\n- a\n- b\n"},
		"/w/.github/instructions/a.instructions.md": {"applyTo: '**/*.py'\ndescription: 'Python: the house rules'", "Be kind.\n"},
		"/w/.omp/rules/a.md":                        {"condition: \"\\\\.unwrap\\\\(\"\nglobs: [\"*.rs\"]", "Do not.\n"},
		"/w/.windsurf/rules/a.md":                   {"trigger: glob\nglobs: src/**/*.go,*.mod", "gofmt.\n"},
	} {
		for _, m := range mutations() {
			if lost := lostSilently(path, p, m); lost != "" {
				t.Errorf("%s, %s: %s", path, m.name, lost)
			}
		}
	}
}

// TestCorpusMutations does the same to real files, drawn at random: each mutation to some.
func TestCorpusMutations(t *testing.T) {
	dir := corpus(t)
	var all []string
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() && (strings.HasSuffix(path, ".mdc") || strings.HasSuffix(path, ".md")) {
			all = append(all, path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	random := rand.New(rand.NewPCG(13, 60))
	tried := 0
	for _, m := range mutations() {
		for left := 3; left > 0; {
			path := all[random.IntN(len(all))]
			text, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			p, ok := apart(string(text))
			if !ok {
				continue
			}
			left--
			tried++
			rel, _ := filepath.Rel(dir, path)
			if lost := lostSilently("/w/"+filepath.ToSlash(rel), p, m); lost != "" {
				t.Errorf("%s, %s: %s", rel, m.name, lost)
			}
		}
	}
	if tried < 60 {
		t.Errorf("%d were tried", tried)
	}
}
