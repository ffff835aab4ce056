package pertain_test

import (
	"fmt"
	"slices"
	"strings"

	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/internal/discover"
	"github.com/pertain-dev/pertain/rule"
)

// fieldsTable is the frontmatter of each tool's rule files, beside the fields that all have.
func fieldsTable() string {
	var b strings.Builder
	b.WriteString("| provider | files | globs | when it applies | its other fields | a rule without any field |\n| --- | --- | --- | --- | --- | --- |\n")
	for _, row := range discover.Fields() {
		f := row.Format
		mode := quotedNames(f.ModeKey)
		if values := f.Modes(); values != nil {
			mode += ": " + quotedNames(values...)
		}
		var globs string
		if len(f.GlobKeys) > 0 {
			globs = quotedNames(f.GlobKeys[0])
		}
		usual := slices.DeleteFunc(rule.NativeFields(), func(key string) bool { return key == "globs" || key == "alwaysApply" })
		others := slices.DeleteFunc(slices.Clone(f.Keys), func(key string) bool { return slices.Contains(usual, key) })
		bare, _ := rule.Read(diag.NewSource("a.md", "Text.\n"), rule.Origin{Provider: row.Provider, Name: "a"}, f)
		bare.Settle()
		fmt.Fprintf(&b, "| %s | %s | %s | %s | %s | %s |\n", quotedNames(row.Provider), quotedNames(row.Files...), globs, mode, quotedNames(others...), quotedNames(string(bare.Bucket)))
	}
	return b.String()
}

// quotedNames are names as they stand in a table.
func quotedNames(names ...string) string {
	names = slices.DeleteFunc(slices.Clone(names), func(name string) bool { return name == "" })
	if len(names) == 0 {
		return ""
	}
	return "`" + strings.Join(names, "`, `") + "`"
}
