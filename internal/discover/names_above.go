package discover

import (
	"path/filepath"
	"strings"
)

// MayHoldRules tells names that rules could be read from in a folder above the project: others come and go there, in a folder for
// temporary files with every program.
func MayHoldRules(name string) bool {
	switch strings.ToLower(filepath.Ext(name)) {
	case ".md", ".mdc", ".mdx", ".markdown", ".json", ".jsonc", ".yaml", ".yml", ".toml", ".txt":
		return true
	}
	return strings.HasPrefix(name, ".") && !strings.HasPrefix(name, ".pertain-") || strings.Contains(strings.ToLower(name), "rules")
}
