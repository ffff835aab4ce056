package discover

import (
	"github.com/pertain-dev/pertain/rule"
)

// moreTools are those of which there is little to say: single files that are all
// text, and folders in the form of a tool that has one already. Each has a row in
// internal/agent, or its source is named here.
func moreTools() []tool {
	return []tool{
		memoryTool("warp", "Warp", "WARP.md"), // https://docs.warp.dev/agents/capabilities/rules
		trae(),
		modeTool("kilo", "Kilo Code", 8, modeFolders{".kilocode", "rules", ".kilocoderules"}),
		kiloNew(),
		factory(),
		omp(),
		piDev(),
		opencode(),
		crush(),
		amp(),
		folderTool("aiassistant", plainFormat("JetBrains AI Assistant"), ".aiassistant/rules", ".md"), // https://www.jetbrains.com/help/ai-assistant/configure-project-rules.html
		memoryTool("replit", "Replit", "replit.md"),                                                   // https://docs.replit.com/replitai/replit-dot-md
		aider(),
		memoryTool("firebase", "Firebase Studio", ".idx/airules.md"), // https://firebase.google.com/docs/studio/set-up-gemini
		folderTool("qoder", qoderFormat(), ".qoder/rules", ".md"),    // https://docs.qoder.com/user-guide/rules
		codebuddy(),
		firebender(),
		devin(),
		folderTool("zencoder", likeCursor("Zencoder"), ".zencoder/rules", ".md"), // https://docs.zencoder.ai/rules-context/zen-rules
		grok(),
		folderTool("tabnine", plainFormat("Tabnine"), ".tabnine/guidelines", ".md"), // https://docs.tabnine.com/main/getting-started/tabnine-agent/guidelines
		memoryTool("void", "Void", ".voidrules"),                                    // https://github.com/voideditor/void
	}
}

// morePriority is that of all of them: they hide none of the others' rules.
const morePriority = 8

func plainFormat(title string) *format { return &format{Tool: title, Whole: true} }

// likeCursor is Cursor's fields under another tool's name; without frontmatter a
// rule is always on.
func likeCursor(title string) *format {
	return &format{Tool: title, GlobKeys: []string{"globs"}, ModeKey: "alwaysApply", Keys: []string{"name"}, Activate: alwaysWithoutFields}
}

// qoderFormat is Windsurf's fields.
func qoderFormat() *format {
	f := windsurfFormat()
	f.Tool, f.MaxCharacters = "Qoder", 0
	f.Activate = func(fields *rule.Fields) rule.Activation {
		if !fields.Present {
			return rule.AlwaysActive
		}
		return windsurfTrigger(fields)
	}
	return f
}

// alwaysWithoutFields: a rule that says nothing is always on.
func alwaysWithoutFields(f *rule.Fields) rule.Activation {
	if !f.Present {
		return rule.AlwaysActive
	}
	return rule.ByFields
}

// memoryTool has one file, all text, in any folder.
func memoryTool(id, title, path string) tool {
	return tool{id: id, priority: morePriority, project: []location{{path: path, format: plainFormat(title), located: true, always: true}}}
}

// folderTool has a folder of rules.
func folderTool(id string, f *format, path string, exts ...string) tool {
	return tool{id: id, priority: morePriority, project: []location{{path: path, exts: exts, format: f, always: f.Whole}}}
}

// grok is the file of a program that is called Grok CLI, https://github.com/superagent-ai/grok-cli,
// and the rules of xAI's own, https://docs.x.ai/build/features/project-rules
func grok() tool {
	f := plainFormat("Grok")
	return tool{
		id: "grok", priority: morePriority,
		project: []location{
			{path: ".grok/GROK.md", format: f, located: true, always: true},
			{path: ".grok/rules", exts: []string{".md"}, format: f, flat: true, always: true},
		},
	}
}

func trae() tool {
	return tool{
		id: "trae", priority: morePriority,
		project: []location{{path: ".trae/rules", exts: []string{".md"}, format: likeCursor("Trae")}},
		user:    []location{{path: ".trae/user_rules.md", format: plainFormat("Trae"), always: true}},
	}
}

// kiloNew is the folders of Kilo Code since version 7.
func kiloNew() tool {
	f := plainFormat("Kilo Code")
	folder := []location{{path: ".kilo/rules", exts: anyName, format: f, always: true}}
	return tool{id: "kilo", priority: morePriority, project: folder, user: folder}
}

func factory() tool {
	f := plainFormat("Factory droid")
	return tool{
		id: "factory", priority: morePriority,
		project: []location{{path: ".factory/AGENTS.md", name: ".factory/AGENTS", format: f, located: true, always: true}},
		user:    []location{{path: ".factory/AGENTS.md", name: ".factory/AGENTS", format: f, always: true}},
	}
}

// omp is the memory files of oh-my-pi; its rules are the native ones.
func omp() tool {
	f := plainFormat("oh-my-pi")
	file := func(path, name string) location {
		return location{path: path, name: name, format: f, always: true, notBelow: true}
	}
	return tool{
		id: "omp", priority: morePriority,
		project: []location{file(".omp/AGENTS.md", ".omp/AGENTS"), file(".omp/RULES.md", ".omp/RULES"), file(".omp/APPEND_SYSTEM.md", ".omp/APPEND_SYSTEM")},
		user:    []location{file(".omp/agent/AGENTS.md", ".omp/AGENTS"), file(".omp/agent/RULES.md", ".omp/RULES")},
	}
}

func piDev() tool {
	f := plainFormat("pi")
	file := func(path, name string) location {
		return location{path: path, name: name, format: f, always: true, notBelow: true}
	}
	return tool{
		id: "pi", priority: morePriority,
		project: []location{file(".pi/APPEND_SYSTEM.md", ".pi/APPEND_SYSTEM")},
		user: []location{
			file(".pi/agent/AGENTS.md", ".pi/AGENTS"), file(".pi/agent/CLAUDE.md", ".pi/CLAUDE"), file(".pi/agent/APPEND_SYSTEM.md", ".pi/APPEND_SYSTEM"),
		},
	}
}

func crush() tool {
	f := plainFormat("Crush")
	plain := location{path: "CRUSH.md", format: f, located: true, always: true, anyCase: true}
	local := location{path: "CRUSH.local.md", name: "CRUSH.local", format: f, located: true, always: true, anyCase: true}
	return tool{
		id: "crush", priority: morePriority,
		project: []location{plain, local},
		user:    []location{{path: "crush/CRUSH.md", name: "crush/CRUSH", format: f, always: true, config: true}},
	}
}

// amp is the user's files of Amp; Crush reads one of them, too.
func amp() tool {
	f := plainFormat("Amp")
	return tool{
		id: "amp", priority: morePriority,
		user: []location{
			{path: "amp/AGENTS.md", name: "amp/AGENTS", format: f, always: true, config: true},
			{path: "AGENTS.md", name: ".config/AGENTS", format: f, always: true, config: true},
		},
	}
}

// aider is the file that Aider's documents call CONVENTIONS.md. Aider reads it when
// it is told to: https://aider.chat/docs/usage/conventions.html
func aider() tool {
	return tool{id: "aider", priority: morePriority, project: []location{{path: "CONVENTIONS.md", format: plainFormat("Aider"), located: true, manual: true}}}
}

// codebuddy: https://www.codebuddy.ai/docs/cli/memory
func codebuddy() tool {
	f := plainFormat("CodeBuddy")
	return tool{
		id: "codebuddy", priority: morePriority,
		project: []location{
			{path: "CODEBUDDY.md", format: f, located: true, always: true},
			{path: ".codebuddy/rules", exts: []string{".md", ".mdc"}, format: likeCursor("CodeBuddy")},
		},
		user: []location{{path: ".codebuddy/CODEBUDDY.md", name: "CODEBUDDY", format: f, always: true}},
	}
}

// firebender: https://docs.firebender.com/api-reference/rules and https://docs.firebender.com/api-reference/agents-md. Globs are
// those of names, in any folder: `*.kt` is every file of Kotlin there.
func firebender() tool {
	f, memory := likeCursor("Firebender"), plainFormat("Firebender")
	f.BaseName = true
	rules := location{path: ".firebender/rules", exts: []string{".mdc"}, format: f, flat: true}
	file := location{path: ".firebender/AGENTS.md", name: ".firebender/AGENTS", format: memory, always: true}
	located := file
	located.located = true
	return tool{id: "firebender", priority: morePriority, project: []location{located, rules}, user: []location{file, rules}}
}

// devin is the user's file of Devin's command line, https://docs.devin.ai/cli/extensibility/rules; the rules of projects are with
// Windsurf's.
func devin() tool {
	f := plainFormat("Devin")
	return tool{
		id: "devin", priority: morePriority,
		user: []location{
			{path: "devin/AGENTS.md", name: "devin/AGENTS", format: f, always: true, config: true},
			{path: "devin/AGENT.md", name: "devin/AGENT", format: f, always: true, config: true},
		},
	}
}

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
