package discover

// qwenFormat is how Qwen Code reads its rules: globs are picomatch, each on its
// own, a string is one.
func qwenFormat() *format {
	return &format{Tool: "Qwen Code", GlobKeys: []string{"paths"}, Extglobs: true, Picomatch: true, Alone: true, Unrooted: true, OnePattern: true, TakesBroken: true, Unquoted: true, Activate: alwaysWithoutGlobs}
}

// qwen is Qwen Code's memory files and rules. Rules count at the root of the
// repository alone.
func qwen() tool {
	memory, f, imports := &format{Tool: "Qwen Code", Whole: true}, qwenFormat(), importsOf("qwen")
	exts := []string{".md"}
	return tool{
		id: "qwen", priority: 10,
		project: []location{
			{path: "QWEN.md", format: memory, located: true, always: true, imports: imports, notBelow: true},
			{path: ".qwen/rules", exts: exts, format: f, rootOnly: true},
		},
		user: []location{
			{path: ".qwen/QWEN.md", format: memory, always: true, imports: imports},
			{path: ".qwen/AGENTS.md", name: ".qwen/AGENTS", format: memory, always: true, imports: imports},
			{path: ".qwen/rules", exts: exts, format: f},
		},
	}
}
