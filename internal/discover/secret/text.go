package secret

import (
	"slices"
	"strings"
)

// IsText tells whether a path, with slashes, is that of text which people write.
func IsText(path string) bool { return IsMarkdown(path) || endsWith(path, ".txt") }

// IsMarkdown tells whether a path, with slashes, is that of Markdown.
func IsMarkdown(path string) bool { return endsWith(path, ".md", ".mdc", ".markdown") }

// endsWith tells whether a name has one of the ends, and something before it.
func endsWith(path string, ends ...string) bool {
	base := strings.ToLower(path[strings.LastIndexByte(path, '/')+1:])
	return slices.ContainsFunc(ends, func(end string) bool { return strings.HasSuffix(base, end) && len(base) > len(end) })
}
