package discover

// agents is the folders that several tools share. Antigravity reads them with
// Windsurf's fields; `.agent/rules` is the older name.
func agents() tool {
	f := windsurfFormat()
	f.Tool, f.MaxCharacters = "Antigravity", 12_000
	f.Activate = unlessSilent(windsurfTrigger)
	memory := &format{Tool: "AGENTS.md", Whole: true}
	exts := []string{".md", ".mdc"}
	return tool{
		id: "agents", priority: 39,
		project: []location{
			{path: ".agents/rules", exts: exts, format: f},
			{path: ".agent/rules", exts: exts, format: f},
			{path: ".agents/AGENTS.md", name: ".agents/AGENTS", format: memory, located: true, always: true},
			{path: ".agent/AGENTS.md", name: ".agent/AGENTS", format: memory, located: true, always: true},
		},
		user: []location{
			{path: ".agent/rules", exts: exts, format: f},
			{path: ".agents/AGENTS.md", name: ".agents/AGENTS", format: memory, always: true},
			{path: ".agent/AGENTS.md", name: ".agent/AGENTS", format: memory, always: true},
		},
	}
}
