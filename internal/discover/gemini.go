package discover

// gemini is Gemini's memory files.
func gemini() tool {
	f, imports := &format{Tool: "Gemini", Whole: true}, importsOf("gemini")
	return tool{
		id: "gemini", priority: 28,
		project: []location{
			{path: "GEMINI.md", format: f, located: true, always: true, imports: imports, anyCase: true},
			{path: ".gemini/GEMINI.md", name: ".gemini/GEMINI", format: f, located: true, always: true, imports: imports, notBelow: true},
		},
		user: []location{{path: ".gemini/GEMINI.md", format: f, always: true, imports: imports}},
	}
}
