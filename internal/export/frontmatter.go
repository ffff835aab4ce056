package export

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/pertain-dev/pertain/internal/mark"
	"github.com/pertain-dev/pertain/internal/visible"
)

// field is a line or more of frontmatter.
type field string

func text(key, value string) field { return field(key + ": " + quote(value) + "\n") }

func word(key, value string) field { return field(key + ": " + value + "\n") }

// texts is a list, one to a line.
func texts(key string, values []string) field {
	var b strings.Builder
	b.WriteString(key + ":\n")
	for _, v := range values {
		b.WriteString("  - " + quote(v) + "\n")
	}
	return field(b.String())
}

// oneOrMore is a text, or a list where there are several.
func oneOrMore(key string, values []string) field {
	if len(values) == 1 {
		return text(key, values[0])
	}
	return texts(key, values)
}

// described is the field of a description, if there is one.
func described(description string) []field {
	if description == "" {
		return nil
	}
	return []field{text("description", description)}
}

// withFrontmatter is a file with the mark in its frontmatter.
func withFrontmatter(sources []string, fields []field, body string) string {
	var b strings.Builder
	b.WriteString("---\n" + mark.YAML(sources) + "\n")
	for _, f := range fields {
		b.WriteString(string(f))
	}
	b.WriteString("---\n\n" + body + "\n")
	return mark.Seal(b.String())
}

// withComment is a file without frontmatter, with the mark as its first line.
func withComment(sources []string, body string) string {
	return mark.Seal(mark.HTML(sources) + "\n\n" + body + "\n")
}

// quote writes a text in double quotes, as YAML and JSON have them.
func quote(s string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range s {
		switch {
		case r == '"' || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case r == '\n':
			b.WriteString(`\n`)
		case r == '\t':
			b.WriteString(`\t`)
		case r == utf8.RuneError, unicode.IsControl(r), r == 0x2028, r == 0x2029, r == 0xFEFF:
			fmt.Fprintf(&b, `\u%04X`, r)
		default:
			b.WriteRune(r)
		}
	}
	b.WriteByte('"')
	return b.String()
}

// plainText is a text of one rule that goes into another file: what no reader can see is left out.
func plainText(s string) string {
	return strings.ReplaceAll(strings.ReplaceAll(visible.Strip(s), "\r\n", "\n"), "\r", "\n")
}

// oneLine is a text for the middle of a sentence.
func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

// code is a text between backticks, of which it may have some itself.
func code(s string) string {
	s = visible.Strip(s)
	fence := "`"
	for strings.Contains(s, fence) {
		fence += "`"
	}
	if strings.HasPrefix(s, "`") || strings.HasSuffix(s, "`") {
		s = " " + s + " "
	}
	return fence + oneLine(s) + fence
}

func codes(list []string) string {
	out := make([]string, len(list))
	for i, s := range list {
		out[i] = code(s)
	}
	return strings.Join(out, ", ")
}
