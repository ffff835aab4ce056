package hook

// gemini is Gemini CLI. What is said before a tool does not reach its model.
func gemini() dialect {
	return dialect{read: readGemini, write: writeGemini, exits: []moment{before, end}, silent: []moment{before, compact}}
}

var geminiEvents = map[string]moment{
	"sessionstart":        begin,
	"beforeagent":         prompt,
	"beforetool":          before,
	"aftertool":           after,
	"afteragent":          end,
	"precompress":         compact,
	"sessionend":          ignored,
	"notification":        ignored,
	"beforemodel":         ignored,
	"aftermodel":          ignored,
	"beforetoolselection": ignored,
}

func readGemini(o object, event string) request {
	r := readClaude(o, event)
	r.moment = named(r.event, geminiEvents)
	r.message = o.text("prompt_response")
	if r.moment == compact && o.text("trigger") != "manual" {
		r.moment = ignored // it comes before every request, whether there is anything to compress or not
	}
	return r
}

func writeGemini(r request, a answer) reply {
	switch {
	case a.deny:
		return reply{output: encoded(claudeAnswer{Decision: "deny", Reason: a.reason})}
	case a.context != "":
		event := map[moment]string{begin: "SessionStart", prompt: "BeforeAgent", before: "BeforeTool", after: "AfterTool"}[r.moment]
		return reply{output: encoded(claudeAnswer{Output: &claudeOutput{Event: event, Context: a.context}})}
	}
	return reply{output: nothing}
}
