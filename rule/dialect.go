package rule

import (
	"strings"

	"github.com/pertain-dev/pertain/internal/glob"
)

// pattern is a glob as its tool means it.
type pattern struct {
	pieces  []piece // a path that one of them matches is meant; none: nothing can be
	negated bool    // it takes files out, or means all others where each glob stands alone
	never   string  // why nothing can be meant; empty: something can
}

// piece is a glob in the one language that is matched here.
type piece struct {
	text   string
	glob   *glob.Path
	folder bool // it means what is below a folder of the name
}

// pattern reads a glob by the tool's dialect. The error says why it cannot be read.
func (f *Format) pattern(text string, folds bool) (pattern, *glob.SyntaxError) {
	if folds || f.Gitignore {
		text = glob.Fold(text)
	}
	var p pattern
	body, negated := f.negation(text)
	p.negated = negated
	var bodies []string
	if f.Gitignore {
		bodies, p.never = gitignorePieces(body)
	} else {
		bodies, p.never = f.pathPieces(body)
	}
	for _, b := range bodies {
		c, err := f.glob(b)
		if err != nil {
			return pattern{}, err
		}
		p.pieces = append(p.pieces, piece{b, c, f.Gitignore && strings.HasSuffix(b, below)})
	}
	return p, nil
}

// pathPieces takes a glob as a path from the base folder. A leading slash or `./`
// means that folder; to tools that have no globs with a leading slash, `./` means nothing.
func (f *Format) pathPieces(body string) (bodies []string, never string) {
	rooted := strings.HasPrefix(body, "/") || strings.HasPrefix(body, "./") && !f.Unrooted
	if f.Unrooted && strings.HasPrefix(body, "/") {
		return nil, "in " + f.Tool + " a glob that begins with `/` matches nothing"
	}
	if f.Minimatch && strings.HasPrefix(body, "./") {
		return nil, "in " + f.Tool + " a glob that begins with `./` matches nothing"
	}
	for strings.HasPrefix(body, "./") {
		body = body[2:]
	}
	body = strings.TrimLeft(body, "/")
	if f.Extglobs || f.Alone { // picomatch and minimatch
		body = plainBraces(body)
	}
	switch {
	case f.Picomatch:
		return picomatchPieces(body), ""
	case f.Minimatch && strings.HasSuffix(body, "/**"):
		body += "/*" // the folder itself is not meant
	}
	if f.BaseName && !rooted {
		if c, err := f.glob(body); err == nil && !c.HasSlash() {
			body = "**/" + body
		}
	}
	return []string{body}, ""
}

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
		if !strings.HasSuffix(name, "/**") {
			bodies = append(bodies, name+below)
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
