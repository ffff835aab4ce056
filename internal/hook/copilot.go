package hook

// copilot is Copilot CLI. Its JSON does not say which event it is: the command does.
func copilot() dialect {
	return dialect{read: readCopilot, write: writeCopilot, exits: []moment{before}, silent: []moment{compact, end}}
}

var copilotEvents = map[string]moment{
	"sessionstart":        begin,
	"userpromptsubmitted": prompt,
	"userpromptsubmit":    prompt,
	"pretooluse":          before,
	"posttooluse":         after,
	"precompact":          compact,
	"agentstop":           end,
	"stop":                end,
	"sessionend":          ignored,
	"subagentstop":        ignored,
	"erroroccurred":       ignored,
	"posttoolusefailure":  ignored,
	"notification":        ignored,
	"permissionrequest":   ignored,
}

func readCopilot(o object, event string) request {
	if event == "" {
		event = o.text("hookEventName", "hook_event_name")
	}
	return request{
		moment:       named(event, copilotEvents),
		event:        event,
		start:        started(o.text("source")),
		conversation: o.text("sessionId", "session_id"),
		call:         o.text("toolCallId", "toolUseId", "tool_use_id"),
		dir:          o.text("cwd"),
		tool:         o.text("toolName", "tool_name"),
		arguments:    o.arguments("toolArgs", "toolInput", "tool_input"),
		message:      o.text("lastAssistantMessage", "last_assistant_message"),
		continued:    o.flag("stopHookActive"),
	}
}

func writeCopilot(r request, a answer) reply {
	type decision struct {
		Decision string `json:"permissionDecision,omitempty"`
		Reason   string `json:"permissionDecisionReason,omitempty"`
		Context  string `json:"additionalContext,omitempty"`
	}
	switch {
	case a.deny && r.moment == end:
		return reply{output: encoded(claudeAnswer{Decision: "block", Reason: a.reason})}
	case a.deny:
		return reply{output: encoded(decision{Decision: "deny", Reason: a.reason})}
	case a.context != "":
		return reply{output: encoded(decision{Context: a.context})}
	}
	return reply{output: nothing}
}
