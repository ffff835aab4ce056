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
		before, after, found := strings.Cut(text, strings.TrimSpace(plain(part)))
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
