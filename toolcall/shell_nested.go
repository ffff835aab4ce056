package toolcall

import "strings"

// Limits of scripts that are texts of others: `bash -c "eval '…'"`.
const (
	maxRuns = 8       // how deep they are followed
	maxRun  = 8 << 20 // bytes of all of them
)

// inner is a script that a command of this one is given. What it prints goes to files, or, where there are none, is kept.
func (s *script) inner(files []file) *script {
	in := newScript(s.reader, s.scope)
	in.followed, in.depth, in.last = s.followed, s.depth+1, s.last
	in.folders = folders{at: s.folders.at, before: s.folders.before, changes: s.folders.changes}
	if in.output = files; len(files) == 0 {
		in.nests = []nest{{closing: "\x00"}} // no word ends it
	}
	return in
}

// run reads a text that a command takes for a script: what that prints, the command prints.
func (s *script) run(text string, args ...setting) (in *script) {
	if s.ran += len(text); s.depth >= maxRuns || s.ran > maxRun {
		s.lose()
		return nil
	}
	in = s.inner(nil)
	if in.args = args; args != nil {
		in.every = together(args)
	}
	for line := range strings.SplitSeq(text, "\n") {
		in.read(line)
	}
	in.finish()
	s.together(in.taken(0), in.nests[0].inputs)
	return in
}

// eval reads a text as a part of this script.
func (s *script) eval(text string) {
	if in := s.run(text, s.args...); in != nil {
		s.folders.at = s.folders.at.and(in.folders.at)
		if s.folders.changes = in.folders.changes; in.output != nil {
			s.output = in.output
		}
	}
}

// shell reads a command that is a shell: with a script among its words, or one that it is given.
func (s *script) shell(words, texts []string) {
	scripted := false
	for at := 1; at < len(words); at++ {
		word := words[at]
		switch {
		case strings.HasPrefix(word, "--"):
			if word == "--rcfile" || word == "--init-file" {
				at++
			}
			continue
		case len(word) > 1 && (word[0] == '-' || word[0] == '+'):
			scripted = scripted || word[0] == '-' && strings.Contains(word, "c")
			if strings.ContainsAny(word, "oO") { // `-o pipefail`
				at++
			}
			continue
		case !scripted && isInput(word):
			s.command.scripts = true
			return
		case !scripted:
			return // the name of a script
		case strings.ContainsAny(texts[at], " \t\n;|&<>()$`'\""): // it stood in quotes
			var args []setting
			for i := at + 1; i < len(words); i++ {
				args = append(args, setting{name: words[i], text: texts[i]})
			}
			s.run(texts[at], args...)
		default: // the words of a list: bash -lc SCRIPT
			s.command.words, s.command.texts = words[at:], texts[at:]
			s.next()
		}
		return
	}
	switch given := s.command.prints; {
	case given != nil:
		s.command.prints = nil
		s.run(*given)
	default:
		s.command.scripts = true
	}
}

// runners are programs that start a shell with a script, as their arguments say.
var runners = names("su runuser script watch xargs find parallel chroot unshare nsenter systemd-run xvfb-run dbus-run-session fakeroot firejail")

// isCluster tells options in one word of which the last is followed by a script: `script -qc`.
func isCluster(program, word string) bool {
	switch base(program) {
	case "script", "su", "runuser":
		return len(word) > 1 && word[0] == '-' && word[1] != '-' && strings.HasSuffix(word, "c")
	}
	return word == "-c"
}

// started reads the arguments of a runner.
func (s *script) started(words, texts []string) {
	s.command.prints = nil
	for at, word := range words {
		switch {
		case at == 0:
		case isShell(word):
			s.shell(words[at:], texts[at:])
			return
		case strings.HasPrefix(word, "--command="):
			s.run(strings.TrimPrefix(texts[at], "--command="))
			return
		case (word == "--command" || isCluster(words[0], word)) && at+1 < len(words):
			s.run(texts[at+1])
			return
		}
	}
}
