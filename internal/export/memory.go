package export

// The agents that have one file for all rules of a folder. Most read AGENTS.md: it is written once for all of them.

func agentsMD(name, user string) Form {
	return Form{Agent: name, Path: "AGENTS.md", User: user, Always: "every rule"}
}

func inConfig(f Form) Form {
	f.Config = true
	return f
}

func amp() Form      { return inConfig(agentsMD("amp", "amp/AGENTS.md")) }
func crush() Form    { return inConfig(agentsMD("crush", "crush/CRUSH.md")) }
func goose() Form    { return inConfig(agentsMD("goose", "goose/.goosehints")) }
func opencode() Form { return inConfig(agentsMD("opencode", "opencode/AGENTS.md")) }
func zed() Form      { return inConfig(agentsMD("zed", "zed/AGENTS.md")) }
func droid() Form    { return agentsMD("droid", ".factory/AGENTS.md") }
func junie() Form    { return agentsMD("junie", ".junie/AGENTS.md") }
func pi() Form       { return agentsMD("pi", ".pi/agent/AGENTS.md") }
func warp() Form     { return agentsMD("warp", "") }

func codex() Form {
	f := agentsMD("codex", ".codex/AGENTS.md")
	f.Env = "CODEX_HOME"
	return f
}

func gemini() Form {
	return Form{Agent: "gemini", Path: "GEMINI.md", User: ".gemini/GEMINI.md", Always: "every rule"}
}
