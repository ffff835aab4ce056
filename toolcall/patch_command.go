package toolcall

import (
	"cmp"
	"strconv"
	"strings"
)

// valued are the options of programs that start others, whose values are words of their own.
var valued = map[string]map[string]bool{
	"sudo":   names("-u -g -h -p -C -D -T -R -U -r -t --user --group --chdir --chroot"),
	"doas":   names("-u -C"),
	"env":    names("-u -C --unset --chdir"),
	"git":    names("-C -c --git-dir --work-tree --namespace --exec-path"),
	"exec":   names("-a"),
	"nice":   names("-n --adjustment"),
	"ionice": names("-c -n --class --classdata"),
	"stdbuf": names("-i -o -e --input --output --error"),
	"flock":  names("-E -w --conflict-exit-code --timeout"),

	"timeout": names("-k -s --kill-after --signal"),
}

// prefixes are words that stand before a command and leave it what it is.
var prefixes = names("sudo doas env command builtin exec nohup setsid nice ionice chrt taskset stdbuf flock time timeout coproc if then else elif while until do !")

// operands are those of them that take a word of their own first: how long, on which processor, which lock.
var operands = names("timeout chrt taskset flock")

// stripped are the words of a command without what stands before it, and the folder that this names.
func stripped(words []string, at spots) ([]string, spots) {
	program, takes := "", false
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
		case takes:
			takes = false
		case prefixes[base(word)]:
			program = base(word)
			takes = operands[program]
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
		return patchedBy(words[1:], at), true
	case "git":
		return gitPatched(words[1:], at)
	}
	return nil, false
}

// patchOptions are options of `patch` whose values are words of their own.
var patchOptions = names("-d -o -p -i -r -D -F -V -x -z -B -Y -g --directory --output --strip --input --reject-file --ifdef --fuzz --version-control --suffix --prefix --basename-prefix")

// patchedBy is for `patch`: an operand, or what its output goes to, is the file that is meant, whatever the patch says.
func patchedBy(words []string, at spots) func(string) []file {
	var target, output string
	strip := -1 // none is given: of a name its last part counts, or all of it where that is there
	for i := 0; i < len(words); i++ {
		var value string
		option := words[i]
		switch {
		case option == "-" || !strings.HasPrefix(option, "-"):
			target = cmp.Or(target, option)
			continue
		case strings.HasPrefix(option, "--"):
			option, value, _ = strings.Cut(option, "=")
		default:
			option, value = clustered(option)
		}
		if patchOptions[option] && value == "" && i+1 < len(words) {
			i++
			value = words[i]
		}
		switch option {
		case "-d", "--directory":
			at = at.to(value, true)
		case "-o", "--output":
			output = value
		case "-p", "--strip":
			if n, err := strconv.Atoi(value); err == nil {
				strip = n
			}
		}
	}
	if name := cmp.Or(output, target); name != "" && name != "-" {
		return func(string) []file { return at.files(name) }
	}
	return func(name string) []file {
		out := at.files(name)
		for _, less := range parted(name, strip) {
			for _, f := range at.files(less) {
				out = and(out, f)
			}
		}
		return out
	}
}

// clustered is the first of some options in one word that has a value, and what stands there of it: `-Np1`.
func clustered(word string) (option, value string) {
	for i := 1; i < len(word); i++ {
		if option = "-" + word[i:i+1]; patchOptions[option] {
			return option, word[i+1:]
		}
	}
	return word, ""
}

// parted are a name without so many of its first folders; fewer than none: without all of them. That of a unified diff has come
// with or without the one that git puts before it.
func parted(name string, strip int) []string {
	parts := strings.Split(name, "/")
	if last := len(parts) - 1; strip < 0 || strip > last {
		return parts[last:]
	}
	return []string{strings.Join(parts[max(strip-1, 0):], "/"), strings.Join(parts[strip:], "/")}
}

// isReverse tells an option by which a patch is taken the other way round.
func isReverse(word string) bool { return word == "-R" || word == "--reverse" }

// isDry tells an option by which no file is changed.
func isDry(word string) bool {
	switch word {
	case "--check", "--dry-run", "--stat", "--numstat", "--summary":
		return true
	}
	return false
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
		if name == "" {
			return []file{{}}
		}
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
