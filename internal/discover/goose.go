package discover

// goose is Goose's hints at each level; `AGENTS.md`, which it reads too, is
// found there.
func goose() tool {
	f, imports := &format{Tool: "Goose", Whole: true}, importsOf("goose")
	return tool{
		id: "goose", priority: 12,
		project: []location{{path: ".goosehints", format: f, located: true, always: true, imports: imports}},
		user: []location{
			{path: "goose/.goosehints", format: f, always: true, imports: imports, config: true},
			{path: "goose/AGENTS.md", name: "goose/AGENTS", format: f, always: true, imports: imports, config: true},
		},
	}
}
