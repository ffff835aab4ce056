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

// IsRulesName tells whether a name is one that tools fix for a file of rules without an extension, such as .cursorrules, .roorules-code,
// .goosehints and .augment-guidelines. Folders of rules may hold files of any name: that a file has the name which a link to it has says nothing, since
// whoever wrote the link chose it.
func IsRulesName(base string) bool {
	base = strings.ToLower(base)
	return !strings.Contains(strings.TrimLeft(base, "."), ".") &&
		(strings.HasSuffix(base, "rules") || strings.Contains(base, "rules-") || strings.HasSuffix(base, "hints") || strings.HasSuffix(base, "guidelines"))
}
