package export

import "strings"

// openFence tells whether a text ends in fenced code that is never closed: what stands below it would be code as well.
func openFence(text string) bool {
	fence := ""
	for line := range strings.Lines(text) {
		bare := strings.TrimRight(line, "\r\n")
		word := strings.TrimLeft(bare, " ")
		if len(bare)-len(word) > 3 {
			continue
		}
		switch {
		case fence != "":
			if strings.HasPrefix(word, fence) && strings.Trim(word, fence[:1]+" \t") == "" {
				fence = ""
			}
		case strings.HasPrefix(word, "```"), strings.HasPrefix(word, "~~~"):
			run := word[:len(word)-len(strings.TrimLeft(word, word[:1]))]
			if run[0] == '~' || !strings.Contains(word[len(run):], "`") { // else it is a span
				fence = run
			}
		}
	}
	return fence != ""
}

// openComment tells whether a text ends in a comment that is never closed.
func openComment(text string) bool {
	_, open := comments(text)
	return open
}

// tellOpenEnds tells which rules of a file of several change what stands below them, and what an agent leaves out of the text.
func (f *File) tellOpenEnds(forms []Form) {
	for _, at := range f.placed {
		hasComment, _ := comments(at.Text)
		if openFence(at.Text) {
			at.lose("text", "its last code fence is not closed, so what stands below it in the file is code as well; close it in the source")
		}
		for _, form := range forms {
			if form.agent.Imports.DropsComments && hasComment {
				at.lose("text", "%s reads it otherwise, without the HTML comments on lines of their own", form.Title())
			}
		}
	}
}
