package hook

// windsurf is Windsurf. It knows a denial only as the exit code 2, with the reason on standard error, and nothing else of a
// hook reaches its model.
func windsurf() dialect {
	return dialect{read: readWindsurf, write: writeWindsurf, late: true, speechless: true}
}

var windsurfEvents = map[string]moment{
	"prewritecode":        before,
	"preruncommand":       before,
	"premcptooluse":       before,
	"postwritecode":       ignored,
	"postruncommand":      ignored,
	"postmcptooluse":      ignored,
	"prereadcode":         ignored,
	"postreadcode":        ignored,
	"preuserprompt":       ignored,
	"postcascaderesponse": ignored,
	"postsetupworktree":   ignored,
}

func readWindsurf(o object, event string) request {
	if name := o.text("agent_action_name"); name != "" {
		event = name
	}
	info := o.object("tool_info")
	r := request{
		moment: named(event, windsurfEvents), event: event, conversation: o.text("trajectory_id"),
		dir: o.text("cwd"), arguments: o.arguments("tool_info"),
	}
	switch named(event, map[string]moment{"prewritecode": before, "preruncommand": after, "premcptooluse": end}) {
	case before:
		r.tool = "edit"
	case after:
		r.tool = "shell"
		r.arguments = encoded(map[string]string{"command": info.text("command_line", "command")})
		if dir := info.text("cwd"); dir != "" {
			r.dir = dir
		}
	case end:
		r.tool, r.arguments = info.text("mcp_tool_name"), info.arguments("mcp_tool_arguments")
	}
	return r
}

func writeWindsurf(_ request, a answer) reply {
	if a.deny {
		return reply{errors: a.reason + "\n", code: 2}
	}
	return reply{}
}
