package hook

// droid is Factory's droid, whose hooks have Claude Code's form. That what is said before a tool reaches its model was not seen.
func droid() dialect {
	return dialect{read: readClaude, write: writeClaude, exits: []moment{before, end}, silent: []moment{before, compact}}
}
