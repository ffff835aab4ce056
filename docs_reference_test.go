package pertain_test

import (
	"fmt"
	"slices"
	"strings"

	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/facts"
)

const generated = "This page is generated from the program (`go test . -run TestDocs -update`).\n\n"

// diagnosticsPage is the reference of all codes, docs/diagnostics.md.
func diagnosticsPage() string {
	return "# Diagnostics\n\n" +
		"Everything Pertain can say about a file or a match. The codes are stable: other programs may rely on them.\n" +
		generated + codesTable()
}

// codesTable is all diagnostic codes.
func codesTable() string {
	var b strings.Builder
	b.WriteString("| code | severity | meaning |\n| --- | --- | --- |\n")
	for _, info := range diag.Codes() {
		fmt.Fprintf(&b, "| `%s` | %s | %s |\n", info.Code, info.Severity, info.Sentence)
	}
	return b.String()
}

// contextPage is the reference of all context paths, docs/context.md.
func contextPage() string {
	return "# Context paths\n\n" +
		"What conditions (`when`) and prompt templates can name. A path that is not available now makes a condition unknown, never false.\n" +
		generated +
		"Numbers are compared as they are written: 9007199254740993 is not 9007199254740992, and 1e-400 is not 0. A number beyond the range of a double is not available. " +
		"Each part of an element's bounds is available or not on its own, and an element without a known type counts as `Unknown` (`context.unknown_type`).\n\n" +
		"`[]` after an array goes over all items. A number there is one item: `attachments.files[0].path`, from the end `[^1]` or `[-1]` (the last); " +
		"`[1..3]` are items of it, the end not included, and both ends may be left out. An item that is not there is not available, a range that is not there is an empty array.\n\n" +
		pathsTable() + "\nA strategy that names a path reads what it is collected as, and says so:\n\n" + needsTable()
}

// pathsTable is all paths.
func pathsTable() string {
	var b strings.Builder
	b.WriteString("| path | kind | collected as | meaning |\n| --- | --- | --- | --- |\n")
	for _, p := range facts.Paths() {
		if p.Kind == facts.Object {
			continue
		}
		kind := bare(p.Kind)
		if p.Kind == facts.Array {
			kind += " of " + bare(p.Item) + "s"
		}
		need := "always there"
		switch {
		case p.Needs != "":
			need = "`" + p.Needs + "`"
		case strings.HasPrefix(p.Name, "attachments."):
			need = "comes with the request"
		}
		fmt.Fprintf(&b, "| `%s` | %s | %s | %s |\n", p.Name, kind, need, p.Doc)
	}
	return b.String()
}

// needsTable is what users are told that is read.
func needsTable() string {
	var needs []string
	for _, p := range facts.Paths() {
		if p.Kind != facts.Object && p.Needs != "" {
			needs = append(needs, p.Needs)
		}
		var part facts.Needs
		if part.Add(p.Name); part.Wants(p.Name) { // read only when it is named
			needs = append(needs, p.Name)
		}
	}
	var b strings.Builder
	b.WriteString("| collected as | what users are told |\n| --- | --- |\n")
	told := map[string][]string{}
	var order []string
	for _, need := range append(needs, facts.Visual) {
		var one facts.Needs
		one.Add(need)
		sentences := one.Permissions()
		if one.Wants(need) {
			sentences = sentences[len(sentences)-1:] // what it says beyond the rest
		}
		for _, sentence := range sentences {
			if told[sentence] == nil {
				order = append(order, sentence)
			}
			if !slices.Contains(told[sentence], need) {
				told[sentence] = append(told[sentence], need)
			}
		}
	}
	for _, sentence := range order {
		need := told[sentence][0]
		if len(told[sentence]) > 1 { // all that is below one name
			need = need[:strings.IndexByte(need, '.')+1] + "…"
		}
		fmt.Fprintf(&b, "| `%s` | %s |\n", need, sentence)
	}
	return b.String()
}

// bare is a kind without its article.
func bare(k facts.Kind) string {
	return strings.TrimPrefix(strings.TrimPrefix(k.String(), "a "), "an ")
}
