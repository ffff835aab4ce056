package discover

// gemini is Gemini's memory files.
func gemini() tool {
	f := &format{Tool: "Gemini", Whole: true}
	return tool{
		id: "gemini", priority: 28,
		project: []location{{path: "GEMINI.md", format: f, located: true, always: true, imports: true}},
		user:    []location{{path: ".gemini/GEMINI.md", format: f, always: true, imports: true}},
	}
}
