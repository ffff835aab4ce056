package rule

import "strings"

// below is what follows a folder's name in a glob for what is in it.
const below = "/**/*"

// gitignorePieces takes a glob as a line of .gitignore, as Claude Code does: a
// trailing `/**` is dropped first, a name without a slash is meant in any folder,
// and what is below a folder that is meant is meant, too.
func gitignorePieces(body string) (bodies []string, never string) {
	switch {
	case strings.HasPrefix(body, "./"):
		return nil, "in Claude Code a glob that begins with `./` matches nothing"
	case strings.HasPrefix(body, "#"):
		return nil, "in Claude Code a glob that begins with `#` is a comment"
	}
	for _, b := range expandBraces(body) {
		b = strings.TrimSuffix(b, "/**")
		folder := strings.HasSuffix(b, "/")
		name := strings.TrimSuffix(b, "/")
		anchored := strings.Contains(name, "/")
		name = strings.TrimLeft(name, "/")
		if name == "" {
			continue
		}
		if name == "**" || name == "*" && !anchored {
			bodies = append(bodies, "**")
			continue
		}
		if !anchored {
			name = "**/" + name
		}
		if !folder {
			bodies = append(bodies, name)
		}
		switch {
		case !strings.HasSuffix(name, "/**"):
			bodies = append(bodies, name+below)
		case folder: // folders below one: what is in them is meant
			bodies = append(bodies, name+"/*"+below)
		}
	}
	if len(bodies) == 0 {
		never = "it names nothing"
	}
	return bodies, never
}

// maxBraces is how many globs the braces of one may stand for.
const maxBraces = 256

// expandBraces writes a glob with braces as several without. Braces that are never
// closed stay, as text.
func expandBraces(text string) []string {
	out := []string{text}
	for i := 0; i < len(out) && len(out) < maxBraces; {
		open, end, items := firstBraces(out[i])
		if items == nil {
			i++
			continue
		}
		var more []string
		for _, item := range items {
			more = append(more, out[i][:open]+item+out[i][end:])
		}
		out = append(out[:i], append(more, out[i+1:]...)...)
	}
	for i := range out {
		out[i] = escapeBraces(out[i])
	}
	return out
}

// firstBraces finds the first pair of braces; items is nil if there is none.
func firstBraces(text string) (open, end int, items []string) {
	for open = 0; open < len(text); open++ {
		switch text[open] {
		case '\\':
			open++
			continue
		case '{':
		default:
			continue
		}
		depth, start := 0, open+1
		for end = open; end < len(text); end++ {
			switch text[end] {
			case '\\':
				end++
			case '{':
				depth++
			case ',':
				if depth == 1 {
					items = append(items, text[start:end])
					start = end + 1
				}
			case '}':
				if depth--; depth == 0 {
					return open, end + 1, append(items, text[start:end])
				}
			}
		}
		items = nil
	}
	return 0, 0, nil
}

func escapeBraces(text string) string {
	if !strings.ContainsAny(text, "{}") {
		return text
	}
	return strings.NewReplacer(`\{`, `\{`, `\}`, `\}`, "{", `\{`, "}", `\}`).Replace(text)
}

// plainBraces takes braces around a single item as text, as picomatch and minimatch
// do: `*.{ts}` is a file that ends in `{ts}`.
func plainBraces(text string) string {
	if !strings.Contains(text, "{") {
		return text
	}
	var b strings.Builder
	for i := 0; i < len(text); {
		open, end, items := firstBraces(text[i:])
		if items == nil {
			b.WriteString(text[i:])
			break
		}
		inner := text[i+open+1 : i+end-1]
		switch {
		case len(items) > 1 || strings.Contains(inner, ".."):
			b.WriteString(text[i : i+end])
		default:
			b.WriteString(text[i:i+open] + `\{` + plainBraces(inner) + `\}`)
		}
		i += end
	}
	return b.String()
}

// singleBraces is a glob without the braces around single items.
func singleBraces(text string) string {
	for at := 0; at < len(text); {
		open, end, items := firstBraces(text[at:])
		if items == nil {
			break
		}
		if len(items) == 1 && !strings.Contains(items[0], "..") {
			text = text[:at+open] + items[0] + text[at+end:]
			at += open
			continue
		}
		at += end
	}
	return text
}

// picomatchPieces writes a glob of picomatch 4 in the language that is matched here: a group needs no sign before it there, bars stand
// between whole globs as well, and `[!a]` is one of these two characters. `**` is what it is at the beginning of the whole glob alone:
// after a bar it is `*`, and in a group there must be a folder.
func picomatchPieces(text string) []string {
	if !strings.HasPrefix(text, "*") && !strings.HasPrefix(text, "!") && !strings.ContainsAny(text, `/()[]{}"`) {
		return []string{text} // a simple one, in which a bar is a bar
	}
	var out []string
	var b strings.Builder
	open := 0 // groups and braces
	for i := 0; i < len(text); i++ {
		switch c := text[i]; c {
		case '\\':
			b.WriteByte(c)
			if i++; i < len(text) {
				b.WriteByte(text[i])
			}
		case '[':
			end := strings.IndexByte(text[i:], ']')
			if end < 0 {
				b.WriteByte(c)
				continue
			}
			class := text[i : i+end+1]
			if strings.HasPrefix(class, "[!") && len(class) > 3 {
				class = `[\!` + class[2:]
			}
			b.WriteString(class)
			i += end
		case '(':
			if open++; closedGroup(text[i:]) && (i == 0 || strings.IndexByte("@?*+!", text[i-1]) < 0) {
				b.WriteByte('@')
				if strings.HasPrefix(text[i+1:], "**/") {
					b.WriteString("(*/")
					continue
				}
			}
			b.WriteByte(c)
		case '{':
			open++
			b.WriteByte(c)
		case ')', '}':
			open--
			b.WriteByte(c)
		case '|':
			if open == 0 && b.Len() > 0 && i+1 < len(text) {
				out = append(out, b.String())
				b.Reset()
				if strings.HasPrefix(text[i+1:], "**/") {
					i++
				}
				continue
			}
			b.WriteByte(c)
		default:
			b.WriteByte(c)
		}
	}
	return append(out, b.String())
}

// closedGroup tells whether the parenthesis that a text begins with is closed.
func closedGroup(text string) bool {
	depth := 0
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '\\':
			i++
		case '(':
			depth++
		case ')':
			if depth--; depth == 0 {
				return true
			}
		}
	}
	return false
}
