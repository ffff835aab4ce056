package mark

import "strings"

// What is said before the text of a rule where a format has no field for it. Readers know the sentences by their beginnings.
const (
	OnlyFor = "This is only for files that match "
	NotFor  = "This is not for files that match "
	Heed    = "Heed this only where it is about what you do: "

	// Between stands between the rules of one file.
	Between = "\n\n---\n\n"
)

// HoldsOnly tells whether an exported text is made of these texts, what stands between them and those sentences alone.
func HoldsOnly(text string, parts []string) bool {
	text = plain(text)
	for _, part := range parts {
		part = strings.TrimSpace(plain(part))
		before, after, found := strings.Cut(text, part)
		if !found {
			before, after, found = strings.Cut(text, Opening(part))
		}
		if !found {
			return false
		}
		text = before + "\n" + after
	}
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if line != "" && line != "---" && !strings.HasPrefix(line, OnlyFor) && !strings.HasPrefix(line, NotFor) && !strings.HasPrefix(line, Heed) {
			return false
		}
	}
	return true
}

// Opening is a text whose first line cannot be taken for that of frontmatter: `---` is written as `***`, which means the same.
func Opening(text string) string {
	if !strings.HasPrefix(text, "---") {
		return text
	}
	line, rest, more := strings.Cut(text, "\n")
	line = strings.ReplaceAll(line, "-", "*")
	if more {
		line += "\n" + rest
	}
	return line
}
