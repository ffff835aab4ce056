package document

import (
	"strings"

	"github.com/pertain-dev/pertain/diag"
)

// parseDocumented follows the rulebook to the letter: the content starts with `---`,
// a later `\n---` closes it, and what is not YAML is read line by line with
// every value a string.
func parseDocumented(source *diag.Source) (*Document, diag.List) {
	text := source.Text()
	doc := &Document{Source: source}
	doc.setBody(0)
	if !strings.HasPrefix(text, "---") {
		return doc, nil
	}
	closing := strings.Index(text[3:], "\n---")
	if closing < 0 {
		return doc, nil
	}
	doc.HasFrontmatter = true
	doc.Block = diag.Span{Start: 3, End: 3 + closing}
	doc.setBody(3 + closing + len("\n---"))
	node, problems := parseBlock(source, doc.Block, &doc.spent)
	if len(problems) > 0 {
		list := report(source, problems, diag.RuleInvalidYAML)
		doc.Frontmatter = parseLines(source, doc.Block, false, &doc.spent)
		return doc, list
	}
	if node != nil && node.Kind == Mapping {
		doc.Frontmatter = node
	}
	return doc, nil
}
