package discover

// amazonQ is Amazon Q's rules: plain text that always applies.
func amazonQ() tool {
	f := &format{Tool: "Amazon Q", Whole: true}
	return tool{
		id: "amazonq", priority: 18,
		project: []location{
			{path: ".amazonq/rules", exts: []string{".md"}, format: f, always: true},
			{path: "AmazonQ.md", format: f, located: true, always: true, notBelow: true},
		},
	}
}
