package hook

// cursor is Cursor. Its documents call the reason `agentMessage` in some places and `agent_message` in others: both are sent.
// Before a tool nothing but the reason of a denial reaches its model.
func cursor() dialect {
	return dialect{read: readCursor, write: writeCursor, exits: []moment{before}, silent: []moment{prompt, before, compact, end}}
}

var cursorEvents = map[string]moment{
	"sessionstart":         begin,
	"beforesubmitprompt":   prompt,
	"pretooluse":           before,
	"beforeshellexecution": before,
	"beforemcpexecution":   before,
	"posttooluse":          after,
	"afterfileedit":        after,
	"precompact":           compact,
	"stop":                 end,
	"afteragentresponse":   said,
	"afteragentthought":    ignored,
	"beforereadfile":       ignored,
	"afterreadfile":        ignored,
	"aftershellexecution":  ignored,
	"aftermcpexecution":    ignored,
	"posttoolusefailure":   ignored,
	"sessionend":           ignored,
	"subagentstart":        ignored,
	"subagentstop":         ignored,
}

func readCursor(o object, event string) request {
	if name := o.text("hook_event_name"); name != "" {
		event = name
	}
	r := request{
		moment:       named(event, cursorEvents),
		event:        event,
		start:        started(o.text("source")),
		conversation: o.text("conversation_id", "session_id"),
		call:         o.text("tool_use_id", "tool_call_id"),
		dir:          o.text("cwd"),
		tool:         o.text("tool_name"),
		arguments:    o.arguments("tool_input"),
		message:      o.text("text", "last_assistant_message"),
	}
	if r.dir == "" {
		r.dir = o.first("workspace_roots")
	}
	switch {
	case named(event, map[string]moment{"beforeshellexecution": before}) == before:
		r.tool, r.arguments = "shell", encoded(map[string]string{"command": o.text("command")})
	case named(event, map[string]moment{"afterfileedit": after}) == after:
		r.tool, r.arguments = "edit", encoded(map[string]any{"file_path": o.text("file_path"), "edits": o["edits"]})
	}
	return r
}

func writeCursor(r request, a answer) reply {
	type decision struct {
		Permission string `json:"permission,omitempty"`
		Message    string `json:"agentMessage,omitempty"`
		Underscore string `json:"agent_message,omitempty"`
		Context    string `json:"additional_context,omitempty"`
		FollowUp   string `json:"followup_message,omitempty"`
	}
	switch {
	case a.deny && r.moment == end:
		return reply{output: encoded(decision{FollowUp: a.reason})}
	case a.deny:
		return reply{output: encoded(decision{Permission: "deny", Message: a.reason, Underscore: a.reason})}
	case a.context != "":
		return reply{output: encoded(decision{Context: a.context})}
	}
	return reply{output: nothing}
}
