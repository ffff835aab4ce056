package strategy

import (
	_ "embed"
	"strings"
	"sync"

	"github.com/pertain-dev/pertain/diag"
)

// iconNames are the names of the Lucide icon set (lucide.dev, version 1.62),
// former names included, one a line.
//
//go:embed icons.txt
var iconNames string

// icons maps a name without case and dashes to its Pascal form.
var icons = sync.OnceValue(func() map[string]string {
	m := make(map[string]string, 2500)
	for name := range strings.Lines(iconNames) {
		name = strings.TrimSpace(name)
		m[iconKey(name)] = pascal(name)
	}
	return m
})

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
// the Pascal form.
func icon(name string) (string, bool) {
	icon, ok := icons()[iconKey(name)]
	return icon, ok
}

// nearestIcon suggests a name.
func nearestIcon(name string) string {
	names := make([]string, 0, 2500)
	for line := range strings.Lines(iconNames) {
		names = append(names, pascal(strings.TrimSpace(line)))
	}
	return diag.DidYouMean(name, names)
}
