package discover

// agents is the folders that several tools share. Antigravity reads them with
// Windsurf's fields; `.agent/rules` is the older name.
func agents() tool {
	f := windsurfFormat()
	f.Tool = "agents"
	exts := []string{".md", ".mdc"}
	return tool{
		id: "agents", priority: 39,
		project: []location{
			{path: ".agents/rules", exts: exts, format: f},
			{path: ".agent/rules", exts: exts, format: f},
		},
	}
}
