package load

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
)

// write puts n strategy files below a folder, as the complete examples of docs/reference
// are, with variations: a quarter each about selected files, a page in the
// browser, a text and a window. Three in a hundred are made `from` a skill. The
// same n gives the same files.
func write(dir string, n int) error {
	r := rand.New(rand.NewPCG(3, 9))
	for i := range n {
		folder := filepath.Join(dir, fmt.Sprintf("group-%02d", i%50))
		if i < 50 {
			if err := os.MkdirAll(folder, 0o755); err != nil {
				return err
			}
			if err := os.WriteFile(filepath.Join(folder, "SKILL.md"), []byte(skill(i)), 0o644); err != nil {
				return err
			}
		}
		if err := os.WriteFile(path(dir, i), []byte(text(r, i)), 0o644); err != nil {
			return err
		}
	}
	return nil
}

// path is where a strategy's file is.
func path(dir string, i int) string {
	return filepath.Join(dir, fmt.Sprintf("group-%02d", i%50), fmt.Sprintf("strategy-%05d.strategy.md", i))
}

func skill(i int) string {
	return fmt.Sprintf("---\nname: house-style-%d\ndescription: How texts are written here\n---\n\n# House style\n\nShort sentences. Plain words. No exclamation marks.\n", i)
}

var words = strings.Fields(`invoice report paper meeting contract ticket draft recipe budget thesis poster survey agenda memo letter manual
	schema patch release incident query table chart figure proof lemma grant visa tax rent travel hotel flight museum garden`)

func pick(r *rand.Rand, list []string) string { return list[r.IntN(len(list))] }

func text(r *rand.Rand, i int) string {
	var b strings.Builder
	topic, other := pick(r, words), pick(r, words)
	fmt.Fprintf(&b, "---\nschema: everywhere.strategy/v1\nid: user.bench.%s-%d\n", topic, i)
	if i%100 < 3 {
		b.WriteString("from: ./SKILL.md\n\n")
	}
	fmt.Fprintf(&b, "name: \"Handle the %s (%d)\"\ndescription: \"What to do with a %s that is about a %s\"\nicon: %s\npriority: %d\n\nwhen:\n",
		topic, i, topic, other, pick(r, []string{"FileText", "PenLine", "MessageSquareCode", "Image"}), r.IntN(100))
	switch i % 4 {
	case 0:
		fmt.Fprintf(&b, `  all:
    - extra.file_manager.selection.items:
        count:
          min: %d
    - extra.file_manager.selection.items:
        any:
          extension:
            in: [".pdf", ".docx", ".%s"]

tools:
  builtin.filesystem.read_file: true
  builtin.web.*: false

preprocessors:
  - file-manager-selection

options:
  matchingTimeout: 300ms
  conditionTimeout: 80ms
  regexTimeout: 50ms
`, 1+r.IntN(3), topic)
	case 1:
		fmt.Fprintf(&b, `  all:
    - extra.browser.active_tab.url:
        startsWith: "https://%s-%d.example/"
    - extra.browser.active_tab.title:
        regex: '\b(%s|%s)s?\b'

preprocessors:
  - browser-active-page

tools:
  builtin.web.*: true
`, other, r.IntN(1000), topic, other)
	case 2:
		fmt.Fprintf(&b, `  all:
    - attachments.selection.text:
        length:
          min: %d
    - any:
        - attachments.selection.text:
            contains: "%s %s"
        - clipboard.text:
            contains: "%s"
    - environment.os:
        in: ["windows", "macos", "linux"]
`, 1+r.IntN(40), topic, other, other)
	case 3:
		fmt.Fprintf(&b, `  all:
    - visual.exists:
        query: ".//TextEdit[@focused=true]"
    - visual.match:
        query: "//TopLevel/@name"
        contains: "%s %d"

systemPrompt: |
  You know everything about a %s.
  Preserve formatting when possible.
`, topic, r.IntN(1000), topic)
	}
	fmt.Fprintf(&b, "---\n\nPlease look at this %s:\n\n{attachments.selection.text}\n\nTell what matters about the %s, in a few sentences.\n", topic, other)
	return b.String()
}
