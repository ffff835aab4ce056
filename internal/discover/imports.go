package discover

import (
	"slices"
	"strings"
	"unicode"

	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/document"
	"github.com/pertain-dev/pertain/rule"
)

// Limits of `@path` imports: hostile files must not make much of little.
const (
	maxHops    = 4       // files that one import may lead through
	maxImports = 200     // files that one rule brings in
	maxGrowth  = 1 << 20 // bytes that they add
)

// expand puts the files that a rule's text names by `@path` into that text. An
// import on a line of its own is replaced; one inside a line comes after it.
func (s *search) expand(r *rule.Rule) diag.List {
	x := &expansion{search: s, rule: r, left: maxGrowth}
	r.Content = strings.TrimSpace(x.text(r.Content, r.Path, nil))
	r.Includes = x.included
	return x.list
}

type expansion struct {
	*search
	rule     *rule.Rule
	included []string
	left     int
	list     diag.List
}

// text expands the imports of one file; way is the files that led here.
func (x *expansion) text(text, file string, way []string) string {
	if !strings.Contains(text, "@") {
		return text
	}
	way = append(slices.Clip(way), file)
	var b strings.Builder
	fence := ""
	for line := range strings.Lines(text) {
		if f := fenceOf(line); f != "" {
			switch {
			case fence == "":
				fence = f
			case strings.HasPrefix(f, fence) && strings.TrimSpace(line) == f:
				fence = ""
			}
		} else if fence == "" {
			x.line(&b, line, file, way)
			continue
		}
		b.WriteString(line)
	}
	return b.String()
}

// fenceOf is the run of backticks or tildes that begins a line of a code fence.
func fenceOf(line string) string {
	trimmed := strings.TrimLeft(line, " ")
	if len(line)-len(trimmed) > 3 {
		return ""
	}
	for _, c := range []string{"`", "~"} {
		if n := len(trimmed) - len(strings.TrimLeft(trimmed, c)); n >= 3 {
			return trimmed[:n]
		}
	}
	return ""
}

func (x *expansion) line(b *strings.Builder, line, file string, way []string) {
	var brought []string
	alone := false
	for _, target := range importsIn(line) {
		text, ok := x.fetch(target, file, way)
		if !ok {
			continue
		}
		brought = append(brought, text)
		alone = strings.TrimSpace(line) == "@"+target
	}
	if !alone {
		b.WriteString(line)
	}
	for _, text := range brought {
		if !alone {
			if !strings.HasSuffix(line, "\n") {
				b.WriteByte('\n')
			}
			b.WriteByte('\n')
		}
		b.WriteString(strings.TrimSpace(text) + "\n")
		if !alone {
			b.WriteByte('\n')
		}
	}
}

// importsIn finds the targets of `@path` in a line, those in code spans left out.
func importsIn(line string) []string {
	var out []string
	for i := 0; i < len(line); {
		switch c := line[i]; {
		case c == '`':
			n := len(line[i:]) - len(strings.TrimLeft(line[i:], "`"))
			end := strings.Index(line[i+n:], line[i:i+n])
			if end < 0 {
				i += n
				continue
			}
			i += n + end + n
		case c == '@' && (i == 0 || strings.IndexByte(" \t(-*>", line[i-1]) >= 0):
			end := i + 1
			for end < len(line) && !unicode.IsSpace(rune(line[end])) && strings.IndexByte("`<>\"'|*?", line[end]) < 0 {
				if line[end] == '\\' && end+1 < len(line) {
					end++ // an escaped blank
				}
				end++
			}
			end = min(end, len(line))
			if target := strings.TrimRight(line[i+1:end], ".,;:!)]}"); target != "" {
				out = append(out, target)
			}
			i = end
		default:
			i++
		}
	}
	return out
}

// fetch reads an imported file and what that imports. What is not there is
// ordinary text: people write @names.
func (x *expansion) fetch(target, file string, way []string) (string, bool) {
	if len(way) > maxHops || len(x.included) >= maxImports || strings.Contains(target, "://") {
		return "", false
	}
	path, ok := x.target(strings.ReplaceAll(target, `\ `, " "), file)
	if !ok {
		return "", false
	}
	real, err := x.tree.RealPath(path)
	if err != nil {
		return "", false
	}
	if slices.ContainsFunc(way, func(w string) bool { return x.same(w, real) }) {
		return "", false // it is being read: a cycle
	}
	if why := x.refuse(real); why != "" {
		x.list.Add(diag.At(x.rule.Source, diag.NoSpan, diag.RuleInvalidField, "the import `@%s` is not followed: %s", target, why))
		return "", false
	}
	data, err := x.tree.ReadFile(real, document.MaxBytes)
	if err != nil || len(data) > x.left || strings.IndexByte(string(data), 0) >= 0 {
		return "", false
	}
	x.left -= len(data)
	x.included = append(x.included, real)
	source, _ := document.Decode(real, data)
	return x.text(source.Text(), real, way), true
}

// target makes the path absolute: from the importing file's folder, or the home.
func (x *expansion) target(target, file string) (string, bool) {
	if rest, ok := strings.CutPrefix(target, "~/"); ok {
		return x.flavor.Join(x.Home, rest), x.Home != ""
	}
	if x.flavor.IsAbs(target) {
		return x.flavor.Clean(target), true
	}
	return x.flavor.Join(x.flavor.Dir(file), target), true
}

func (x *expansion) same(path, real string) bool {
	other, err := x.tree.RealPath(path)
	return err == nil && x.flavor.Key(other) == x.flavor.Key(real)
}

// refuse says why a file, links followed, is not to be imported. A project comes
// from strangers: of the home it reaches only text that people write.
func (x *expansion) refuse(real string) string {
	below := func(folder string) bool {
		root, err := x.tree.RealPath(folder)
		return folder != "" && err == nil && x.flavor.Inside(root, real)
	}
	if below(x.root) {
		return ""
	}
	if !below(x.Home) {
		return "it lies outside of the project and the home"
	}
	if x.rule.Level == rule.User {
		return ""
	}
	if _, ok := ruleName(x.flavor.ToSlash(real), []string{".md", ".mdc", ".markdown", ".txt"}); !ok {
		return "a project's file imports from the home only Markdown and plain text"
	}
	return ""
}
