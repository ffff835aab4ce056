package rule_test

import (
	"fmt"

	"github.com/pertain-dev/pertain/rule"
)

func Example() {
	source, _ := rule.Decode("/work/.cursor/rules/tests.mdc", []byte("---\ndescription: How we test\nglobs: '**/*_test.go'\n---\nTables, please.\n"))
	origin := rule.Origin{Provider: "cursor", Level: rule.Project, Name: "tests", Base: "/work"}
	read, problems := rule.Read(source, origin, &rule.Format{Tool: "Cursor", GlobKeys: []string{"globs"}})
	set := rule.NewSet([]*rule.Rule{read}, problems, rule.Options{Root: "/work"})
	for i, verdicts := range set.For([]rule.File{{Path: "/work/sum_test.go"}, {Path: "/work/sum.go"}}, false) {
		for _, v := range verdicts {
			fmt.Println(i, v.Rule.Name, v.Why, v.Glob)
		}
	}
	fmt.Print(set.Prompt(rule.PromptOptions{}))
	// Output:
	// 0 tests glob **/*_test.go
	// <rules>
	// Read rule://<name> when working in matching domain
	//
	// <rule name="tests">
	// How we test
	// <glob>**/*_test.go</glob>
	// </rule>
	// </rules>
}
