package toolcall

import (
	"cmp"
	"strings"
)

// isSection tells the line that begins a section of numbered lines: `[PATH#TAG]`.
func isSection(text string) bool {
	text = strings.TrimRightFunc(text, isBlank)
	return len(text) > 2 && text[0] == '[' && text[len(text)-1] == ']'
}

// section begins one. Its agent takes off quotes, and words of apply_patch that models write before a name.
func (p *patch) section(text string) {
	text = strings.TrimRightFunc(text, isBlank)
	name := strings.TrimFunc(text[1:len(text)-1], isBlank)
	if at := len(name) - len("#0123"); at > 0 && name[at] == '#' && strings.Trim(name[at+1:], "0123456789abcdefABCDEF") == "" {
		name = strings.TrimRightFunc(name[:at], isBlank)
	}
	names := []string{name}
	plain := unquoted(strings.Trim(name, "* "))
	for _, word := range []string{"update", "add", "delete", "move"} {
		if rest, ok := cutPrefixFold(plain, word); ok {
			if _, after, ok := strings.Cut(rest, ":"); ok {
				plain = unquoted(strings.Trim(after, "* "))
			}
		}
	}
	if plain != name && plain != "" {
		names = append(names, plain)
	}
	p.form, p.adds = sectionForm, false
	p.start(names...)
}

func unquoted(name string) string {
	if last := len(name) - 1; last > 0 && (name[0] == '"' || name[0] == '\'') && name[0] == name[last] {
		return name[1:last]
	}
	return name
}

// sectionLine reads a line of a section. Lines that are added begin with a plus sign, but others are taken, too.
func (p *patch) sectionLine(text string) {
	if to, ok := strings.CutPrefix(text, "MV "); ok {
		p.also(true, unquoted(strings.TrimFunc(to, isBlank)))
		return
	}
	if text != "" && !isOperation(text) {
		p.put(strings.TrimPrefix(text, "+"))
	}
}

// isOperation tells a line of a section that says what becomes of the lines after it, and nothing else.
func isOperation(text string) bool {
	word, where, _ := strings.Cut(strings.TrimRightFunc(text, isBlank), " ")
	switch word {
	case "REM":
		return where == ""
	case "PUT", "CUT":
		where, _, _ = strings.Cut(where, "@")
		return strings.Trim(where, "0123456789.=*<>$: ") == ""
	}
	return false
}

// contextHunk begins a hunk of a context diff: of the file that the lines before have named, or else of the same.
func (p *patch) contextHunk() {
	p.form = contextForm
	if name := diffName(p.from); name != "" || p.segments == nil {
		if path, ok := diffPath("", cmp.Or(name, p.index)); ok {
			p.start(path)
		}
	}
	p.from = ""
}

// contextLine reads a line of a context diff, and tells whether it is one.
func (p *patch) contextLine(text string) bool {
	switch {
	case strings.HasPrefix(text, "+ "), strings.HasPrefix(text, "! "):
		p.put(text[2:])
	case strings.HasPrefix(text, "*** ") && strings.HasSuffix(text, " ****"), strings.HasPrefix(text, "--- ") && strings.HasSuffix(text, " ----"):
	case strings.HasPrefix(text, "*"), strings.HasPrefix(text, "--- "), strings.HasPrefix(text, "diff "), strings.HasPrefix(text, "Index: "):
		p.form = noForm
		return false
	}
	return true
}

// turned is a line of a unified diff that is taken the other way round.
func (p *patch) turned(text string) string {
	inHunk := p.form == hunkForm && (!p.counted || p.old > 0 || p.new > 0)
	switch {
	case strings.HasPrefix(text, "@@ -"):
		if fields := strings.Fields(text); len(fields) > 2 {
			return "@@ -" + strings.TrimPrefix(fields[2], "+") + " +" + strings.TrimPrefix(fields[1], "-") + " @@"
		}
	case !inHunk:
	case strings.HasPrefix(text, "+"):
		return "-" + text[1:]
	case strings.HasPrefix(text, "-"):
		return "+" + text[1:]
	}
	return text
}
