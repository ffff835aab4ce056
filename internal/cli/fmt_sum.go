package cli

import "fmt"

// What is formatted in folders by one call, as much as is loaded of strategies: one blob under many names costs a stranger's
// repository nothing. A file that is named is formatted whatever it takes.
const (
	maxFormatted       = 64 << 20 // bytes of files
	maxFormattedEffort = 6 << 20  // bytes of frontmatter, as often as they are read
)

// formatSum is what formatting a file took, or all of them.
type formatSum struct{ bytes, effort int }

func (s *formatSum) add(more formatSum) {
	s.bytes += more.bytes
	s.effort += more.effort
}

// limit says beyond which limit the files before are; empty: none.
func (s *formatSum) limit() string {
	switch {
	case s.bytes > maxFormatted:
		return fmt.Sprintf("the %d MiB that are read of folders", maxFormatted>>20)
	case s.effort > maxFormattedEffort:
		return fmt.Sprintf("the %d MiB of frontmatter that are formatted in folders, counted as often as it must be read, and with what aliases stand for", maxFormattedEffort>>20)
	}
	return ""
}

// notFormatted tells of files that are over the limit.
func (a *app) notFormatted(paths []string, limit string) string {
	what := "it is not looked at"
	if more := len(paths) - 1; more > 0 {
		what = fmt.Sprintf("it and %s are not looked at", plural(more, "more file"))
	}
	return fmt.Sprintf("%s: %s: the files before have more than %s; name the rest, or folders further down, in calls of their own", clean(a.shortName(paths[0])), what, limit)
}
