package strategy

import (
	_ "embed"
	"slices"
	"strings"

	"github.com/pertain-dev/pertain/diag"
)

// iconNames are the names of the Lucide icon set (lucide.dev, version 1.62),
// former names included, one a line, in the order of their keys.
//
//go:embed icons.txt
var iconNames string

// iconKey is a name without case and dashes.
func iconKey(name string) string { return strings.ToLower(strings.ReplaceAll(name, "-", "")) }

func pascal(name string) string {
	var b strings.Builder
	for part := range strings.SplitSeq(name, "-") {
		if part != "" {
			b.WriteString(strings.ToUpper(part[:1]) + part[1:])
		}
	}
	return b.String()
}

// icon finds a Lucide icon by its name, `FileText` or `file-text`, and returns
// the Pascal form. Most programs ask for a few of the two thousand, so that the
// names are searched where they are. Of several with one key, such as `move-3-d`
// and `move-3d`, the last one counts.
func icon(name string) (found string, ok bool) {
	key := iconKey(name)
	from, to := 0, len(iconNames) // of the lines that are left
	for from < to {
		start := strings.LastIndexByte(iconNames[:(from+to)/2], '\n') + 1
		line, _, _ := strings.Cut(iconNames[start:], "\n")
		order := strings.Compare(iconKey(line), key)
		if order > 0 {
			to = start
			continue
		}
		if order == 0 {
			found, ok = pascal(line), true
		}
		from = start + len(line) + 1
	}
	return found, ok
}

// nearestIcon suggests a name.
func nearestIcon(name string) string {
	names := make([]string, 0, 2500)
	for line := range strings.Lines(iconNames) {
		names = append(names, pascal(strings.TrimSpace(line)))
	}
	return diag.DidYouMean(name, names)
}

// Icons are the names of icons that begin with a text, without case, sorted; all of
// them, if it is empty.
func Icons(prefix string) []string {
	var names []string
	for line := range strings.Lines(iconNames) {
		if line = strings.TrimSpace(line); strings.HasPrefix(iconKey(line), iconKey(prefix)) {
			names = append(names, pascal(line))
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}
