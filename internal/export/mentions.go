package export

import (
	"path/filepath"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/pertain-dev/pertain/internal/files"
)

// mentions are the words of a text that some agents take for files to bring in, each once.
type mentions struct{ words, kiro []string }

// maxMentions is how many of each are looked at: a text that people write names a few files.
const maxMentions = 1000

// tellImports tells which words of a text the agent will take for files, because there are such files: their text comes with the
// rule then.
func (p *Plan) tellImports(f Form, file *File) {
	imports := f.agent.Imports
	if file.Change == Skipped || file.skill || !imports.Kiro && (imports.Levels == 0 || imports.Memory && file.inner == "") {
		return
	}
	for _, at := range file.placed {
		dir, names := filepath.Dir(file.Path), p.mentioned(at.Text).words
		if imports.Kiro {
			dir, names = p.folders.Root, p.mentioned(at.Text).kiro
		}
		for _, name := range names {
			info, err := p.tree.Stat(filepath.Join(dir, filepath.FromSlash(name)))
			if err == nil && info.Kind == files.File {
				at.lose("text", "%s brings in the file %s, which the text names", f.Title(), code(name))
			}
		}
	}
}

// mentioned are the mentions in a text, which many agents may get.
func (p *Plan) mentioned(text string) mentions {
	found, known := p.mentions[text]
	if !known {
		found = mentionsIn(text)
		if p.mentions == nil {
			p.mentions = map[string]mentions{}
		}
		p.mentions[text] = found
	}
	return found
}

const kiroMention = "#[[file:"

// mentionsIn finds the mentions that stand neither in fences nor between backticks.
func mentionsIn(text string) mentions {
	if !strings.Contains(text, "@") && !strings.Contains(text, kiroMention) {
		return mentions{}
	}
	var words, kiro unique
	for line := range strings.Lines(withoutCode(text)) {
		for at := strings.IndexByte(line, '@'); at >= 0 && !words.full(); at = after(line, '@', at) {
			name := line[at+1:]
			name = name[:lengthOf(name)]
			before, _ := utf8.DecodeLastRuneInString(line[:at])
			if at == 0 || unicode.IsSpace(before) || strings.ContainsRune("(*\"", before) {
				words.add(strings.TrimRight(name, ".,"))
			}
		}
		for rest := line; !kiro.full(); {
			_, name, ok := strings.Cut(rest, kiroMention)
			if !ok {
				break
			}
			if name, rest, ok = strings.Cut(name, "]"); !ok {
				break
			}
			if strings.HasPrefix(rest, "]") {
				kiro.add(name)
			}
		}
	}
	return mentions{words.list, kiro.list}
}

// after is the next offset of a character after one of a text; -1: there is none.
func after(text string, c byte, at int) int {
	next := strings.IndexByte(text[at+1:], c)
	if next < 0 {
		return -1
	}
	return at + 1 + next
}

// lengthOf is how much of a text may be the path of a file.
func lengthOf(text string) int {
	for i, r := range text {
		if !unicode.IsLetter(r) && !unicode.IsNumber(r) && !strings.ContainsRune("_./\\-", r) {
			return i
		}
	}
	return len(text)
}

// unique keeps each text once, up to maxMentions.
type unique struct {
	list []string
	seen map[string]bool
}

func (u *unique) full() bool { return len(u.list) >= maxMentions }

func (u *unique) add(text string) {
	if text == "" || u.seen[text] || u.full() {
		return
	}
	if u.seen == nil {
		u.seen = map[string]bool{}
	}
	u.seen[text] = true
	u.list = append(u.list, text)
}
