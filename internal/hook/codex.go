package hook

// codex is Codex, whose hooks have Claude Code's form. Its shell is called `Bash`, and both that and `apply_patch` put their
// text into `command`.
func codex() dialect {
	return dialect{read: readClaude, write: writeClaude, exits: []moment{before, end}, silent: []moment{compact}}
}
