package discover

// qwen is Qwen Code's memory files and rules.
func qwen() tool {
	memory := &format{Tool: "Qwen Code", Whole: true}
	f := &format{Tool: "Qwen Code", GlobKeys: []string{"paths"}, Extglobs: true, Activate: alwaysWithoutGlobs}
	exts := []string{".md"}
	return tool{
		id: "qwen", priority: 10,
		project: []location{
			{path: "QWEN.md", format: memory, located: true, always: true, imports: true},
			{path: ".qwen/rules", exts: exts, format: f},
		},
		user: []location{
			{path: ".qwen/QWEN.md", format: memory, always: true, imports: true},
			{path: ".qwen/rules", exts: exts, format: f},
		},
	}
}
