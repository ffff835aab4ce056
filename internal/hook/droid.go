package hook

// droid is Factory's droid, whose hooks have Claude Code's form.
func droid() dialect {
	return dialect{read: readClaude, write: writeClaude, exits: []moment{before, end}, silent: []moment{compact}}
}
