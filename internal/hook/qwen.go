package hook

// qwen is Qwen Code, whose hooks have Claude Code's form. What is said before a tool does not reach its model, and after a tool
// it cannot be made to go on. UserPromptSubmit comes again after tools, with an empty prompt: nobody has spoken then. Versions before
// 0.24 do not tell of a beginning: a person who speaks is the first sign of it.
func qwen() dialect {
	read := func(o object, event string) request {
		r := readClaude(o, event)
		if r.moment == prompt && o.text("prompt") == "" {
			r.moment = ignored
		}
		return r
	}
	return dialect{read: read, write: writeClaude, exits: []moment{before, end}, silent: []moment{before, compact}, prompted: true}
}
