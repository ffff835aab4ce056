package toolcall

import "strings"

// valued are the options of programs that start others, whose values are words of their own.
var valued = map[string]map[string]bool{
	"sudo": names("-u -g -h -p -C -D -T -R -U -r -t --user --group --chdir --chroot"),
	"env":  names("-u -C --unset --chdir"),
	"git":  names("-C -c --git-dir --work-tree --namespace --exec-path"),
	"nice": names("-n"),

	"timeout": names("-k -s --kill-after --signal"),
}

// prefixes are words that stand before a command and leave it what it is.
var prefixes = names("sudo env command builtin exec nohup nice time timeout coproc if then else elif while until do !")

// stripped are the words of a command without what stands before it, and the folder that this names.
func stripped(words []string, at spots) ([]string, spots) {
	program := ""
	for len(words) > 0 {
		word := words[0]
		name, value, isSet := strings.Cut(word, "=")
		switch {
		case strings.HasPrefix(word, "-"):
			long := len(words) > 1 && !isSet && valued[program][word]
			if long {
				value = words[1]
				words = words[1:]
			}
			if isChange(program, name) && (long || isSet) {
				at = at.to(value, true)
			}
		case program == "timeout" && word != "" && word[0] >= '0' && word[0] <= '9': // how long
			program = ""
		case prefixes[base(word)]:
			program = base(word)
		case !isSet:
			return words, at
		}
		words = words[1:]
	}
	return nil, at
}

// isChange tells an option by which a program starts another in some folder.
func isChange(program, option string) bool {
	return option == "--chdir" || program == "env" && option == "-C" || program == "sudo" && option == "-D"
}

// patched tells whether a command takes a patch, and how the files in it are meant.
func patched(words []string, at spots) (meant func(string) []file, ok bool) {
	switch program := base(words[0]); program {
	case "apply_patch", "applypatch":
		return at.files, true
	case "patch":
		for i, word := range words[1:] {
			switch {
			case (word == "-d" || word == "--directory") && i+2 < len(words):
				at = at.to(words[i+2], true)
			case strings.HasPrefix(word, "--directory="):
				at = at.to(strings.TrimPrefix(word, "--directory="), true)
			case strings.HasPrefix(word, "-d") && word != "-d":
				at = at.to(word[2:], true)
			}
		}
		return at.files, true
	case "git":
		return gitPatched(words[1:], at)
	}
	return nil, false
}

// gitPatched is for git: files count from the top of a repository, which is the folder or lies above it.
func gitPatched(words []string, at spots) (meant func(string) []file, ok bool) {
	for len(words) > 0 && strings.HasPrefix(words[0], "-") {
		skip := 1
		if valued["git"][words[0]] && len(words) > 1 {
			if words[0] == "-C" {
				at = at.to(words[1], true)
			}
			skip = 2
		}
		words = words[skip:]
	}
	if len(words) == 0 || words[0] != "apply" && words[0] != "am" {
		return nil, false
	}
	below := folder{}
	for _, word := range words[1:] {
		if name, isFolder := strings.CutPrefix(word, "--directory="); isFolder {
			below = folder{}.to(name, true)
		}
	}
	return func(name string) []file {
		if below.anywhere {
			return []file{{anywhere: true}}
		}
		name = below.join(name)
		var out []file
		for _, f := range at {
			out = and(out, f.file(f.fromTop(name)))
		}
		return out
	}, true
}

// fromTop is a file of a repository that the folder is in, or the top of.
func (f folder) fromTop(name string) string {
	if f.unknown || strings.HasPrefix(name, strings.TrimSuffix(f.name, "/")+"/") {
		return name
	}
	return f.join(name)
}
