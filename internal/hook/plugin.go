package hook

// plugin is what the plugins speak that `setup` writes for agents that run hooks inside of themselves: OpenCode and pi. What is
// said before a tool they keep, and add to its result.
func plugin() dialect {
	return dialect{read: readPlugin, write: writePlugin, exits: []moment{before}, silent: []moment{compact, end}}
}

var pluginEvents = map[string]moment{"begin": begin, "before": before, "after": after, "end": end}

func readPlugin(o object, event string) request {
	if name := o.text("event"); name != "" {
		event = name
	}
	return request{
		moment:       named(event, pluginEvents),
		event:        event,
		start:        started(o.text("source")),
		conversation: o.text("conversation"),
		call:         o.text("call"),
		dir:          o.text("cwd"),
		tool:         o.text("tool"),
		arguments:    o.arguments("args"),
		message:      o.text("message"),
	}
}

func writePlugin(r request, a answer) reply {
	type decision struct {
		Decision string `json:"decision"`
		Reason   string `json:"reason,omitempty"`
		Context  string `json:"context,omitempty"`
	}
	switch {
	case a.deny:
		return reply{output: encoded(decision{Decision: "deny", Reason: a.reason})}
	case a.context != "" || r.moment == before:
		return reply{output: encoded(decision{Decision: "allow", Context: a.context})}
	}
	return reply{output: nothing}
}
