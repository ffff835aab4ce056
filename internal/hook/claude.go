package hook

// claudeEvents are the events of Claude Code, whose form others have taken over, by their names without case.
var claudeEvents = map[string]moment{
	"sessionstart":       begin,
	"userpromptsubmit":   prompt,
	"pretooluse":         before,
	"posttooluse":        after,
	"stop":               end,
	"precompact":         ignored, // SessionStart comes after it, with the source `compact`
	"postcompact":        ignored,
	"posttoolusefailure": ignored,
	"posttoolbatch":      ignored,
	"permissionrequest":  ignored,
	"sessionend":         ignored,
	"subagentstart":      ignored,
	"subagentstop":       ignored,
	"notification":       ignored,
	"stopfailure":        ignored,
}

// claude is Claude Code.
func claude() dialect {
	return dialect{read: readClaude, write: writeClaude, exits: []moment{before, end}, silent: []moment{compact}}
}

func readClaude(o object, event string) request {
	if name := o.text("hook_event_name"); name != "" {
		event = name
	}
	return request{
		moment:       named(event, claudeEvents),
		event:        event,
		start:        started(o.text("source")),
		conversation: o.text("session_id"),
		call:         o.text("tool_use_id", "tool_call_id"),
		dir:          o.text("cwd"),
		tool:         o.text("tool_name"),
		arguments:    o.arguments("tool_input"),
		message:      o.text("last_assistant_message"),
		continued:    o.flag("stop_hook_active"),
	}
}

// claudeOutput is the part of an answer that belongs to one event.
type claudeOutput struct {
	Event    string `json:"hookEventName"`
	Decision string `json:"permissionDecision,omitempty"`
	Reason   string `json:"permissionDecisionReason,omitempty"`
	Context  string `json:"additionalContext,omitempty"`
}

// claudeAnswer is an answer.
type claudeAnswer struct {
	Decision string        `json:"decision,omitempty"`
	Reason   string        `json:"reason,omitempty"`
	Output   *claudeOutput `json:"hookSpecificOutput,omitempty"`
}

func writeClaude(r request, a answer) reply {
	switch {
	case a.deny && r.moment == end:
		return reply{output: encoded(claudeAnswer{Decision: "block", Reason: a.reason})}
	case a.deny:
		return reply{output: encoded(claudeAnswer{Output: &claudeOutput{Event: "PreToolUse", Decision: "deny", Reason: a.reason}})}
	case a.context != "":
		return reply{output: encoded(claudeAnswer{Output: &claudeOutput{Event: canonical(r), Context: a.context}})}
	}
	return reply{output: nothing}
}

// canonical is the name of an event as the agent writes it: what was given on a command line may be in another case.
func canonical(r request) string {
	switch r.moment {
	case begin:
		return "SessionStart"
	case prompt:
		return "UserPromptSubmit"
	case before:
		return "PreToolUse"
	case after:
		return "PostToolUse"
	}
	return r.event
}
