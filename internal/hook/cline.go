package hook

import "strings"

// cline is Cline. It cannot be kept from one call alone, `cancel` ends its run; what is said reaches its model before and after
// a tool. The part of its JSON that belongs to the event says which one it is.
func cline() dialect {
	return dialect{read: readCline, write: writeCline, silent: []moment{begin, prompt, compact, end}, unable: true, late: true}
}

// clineEvents are the events, by the names of their parts without case, in the order in which they are looked for.
var clineEvents = []struct {
	part   string
	moment moment
	start  start
}{
	{"preToolUse", before, anew},
	{"postToolUse", after, anew},
	{"taskStart", begin, anew},
	{"taskResume", begin, resumed},
	{"userPromptSubmit", prompt, anew},
	{"preCompact", compact, anew},
	{"taskCancel", ignored, anew},
	{"taskComplete", ignored, anew},
}

func readCline(o object, event string) request {
	if event == "" {
		event = o.text("hookName")
	}
	r := request{conversation: o.text("taskId"), dir: o.first("workspaceRoots"), event: event}
	for _, e := range clineEvents {
		part := o.object(e.part)
		if part == nil && !strings.EqualFold(strings.ReplaceAll(event, "_", ""), e.part) {
			continue
		}
		r.moment, r.start = e.moment, e.start
		r.tool = part.text("toolName", "tool")
		r.call = part.text("toolCallId", "toolUseId")
		r.arguments = part.arguments("parameters")
		break
	}
	return r
}

func writeCline(_ request, a answer) reply {
	text := a.context
	if a.deny {
		text = a.reason
	}
	if text == "" {
		return reply{output: nothing}
	}
	return reply{output: encoded(struct {
		Cancel  bool   `json:"cancel"`
		Context string `json:"contextModification"`
	}{false, text})}
}
