package document_test

import (
	"fmt"

	"github.com/pertain-dev/pertain/document"
)

func Example() {
	source, problems := document.Decode("note.strategy.md", []byte("---\nname: Note\ntags: [a, b]\n---\nWrite it down.\n"))
	doc, more := document.Parse(source, document.Strict)
	fmt.Println(len(problems)+len(more), doc.Frontmatter.Get("name").Text)
	for _, item := range doc.Frontmatter.Get("tags").Items {
		at := source.Position(item.Span().Start)
		fmt.Printf("%s at %d:%d\n", item.Text, at.Line, at.Column)
	}
	fmt.Print(doc.Body)
	// Output:
	// 0 Note
	// a at 3:8
	// b at 3:11
	// Write it down.
}
