package export

import (
	"path/filepath"
	"regexp"
	"strings"

	"github.com/pertain-dev/pertain/internal/files"
)

// mention is a word in a text that some agents take for a file to bring in.
var mention = regexp.MustCompile(`(?:^|[\s(*"])@([\pL\pN_./\\-]+)|#\[\[file:([^\]]+)\]\]`)

// tellImports tells which words of a text the agent will take for files, because there are such files: their text comes with the
// rule then.
func (p *Plan) tellImports(f Form, file *File) {
	imports := f.agent.Imports
	if file.Change == Skipped || file.skill || !imports.Kiro && (imports.Levels == 0 || imports.Memory && file.inner == "") {
		return
	}
	for _, at := range file.placed {
		for _, m := range mention.FindAllStringSubmatch(withoutCode(at.Text), -1) {
			name := strings.TrimRight(m[1], ".,")
			if imports.Kiro {
				name = m[2]
			}
			if name == "" {
				continue
			}
			dir := filepath.Dir(file.Path)
			if imports.Kiro {
				dir = p.folders.Root
			}
			info, err := p.tree.Stat(filepath.Join(dir, filepath.FromSlash(name)))
			if err == nil && info.Kind == files.File {
				at.lose("text", "%s brings in the file %s, which the text names", f.Title(), code(name))
			}
		}
	}
}

var (
	fences = regexp.MustCompile("(?ms)^ {0,3}(```|~~~).*?(^ {0,3}(```|~~~)[^\n]*$|\\z)")
	spans  = regexp.MustCompile("`[^`\n]*`")
)

// withoutCode is a text without what stands in fences and between backticks.
func withoutCode(text string) string {
	return spans.ReplaceAllString(fences.ReplaceAllString(text, ""), "")
}
