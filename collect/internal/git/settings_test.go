//go:build unix

package git

import (
	"strings"
	"testing"
)

// reached are the settings that `git status` follows, if nothing keeps it from
// that: here the test below can fail.
var reached = map[string]bool{
	"core.fsmonitor": true, "core.sshCommand": true, "core.gitProxy": true, "credential.helper": true, "core.askPass": true,
	"filter.*.clean": true, "filter.*.process": true, "remote.*.uploadpack": true, "credential.*.helper": true, "core.hooksPath": true,
}

// section writes a key as a file of settings has it.
func section(key, name, value string) string {
	head, tail, star := strings.Cut(key, ".*")
	switch {
	case !star:
		part, variable, _ := strings.Cut(key, ".")
		return "[" + part + "]\n\t" + variable + " = " + value + "\n"
	case tail == "":
		return "[" + head + "]\n\tstatus = " + value + "\n"
	}
	return "[" + head + " \"" + name + "\"]\n\t" + tail[1:] + " = " + value + "\n"
}

// prepare makes a repository in which a key names the program.
func prepare(t *testing.T, key string) *hostile {
	t.Helper()
	h := newHostile(t)
	name, value := "x", h.script
	switch key {
	case "core.fsmonitor", "core.hooksPath", "filter.*.clean", "filter.*.smudge", "filter.*.process", "filter.*.required":
	case "core.sshCommand":
		h.partial("ssh://127.0.0.1/x")
	case "core.gitProxy":
		h.partial("git://" + unusedPort(t) + "/x")
	case "credential.helper", "core.askPass":
		h.partial(h.url + "/x")
	case "credential.*.helper":
		h.partial(h.url + "/x")
		name = h.url
	default:
		h.partial(h.base)
	}
	switch key {
	case "core.hooksPath":
		value = h.top + "/.git/hooks"
	case "alias.*":
		value = "!" + h.script
	case "submodule.*.update":
		value = "!" + h.script
	case "filter.*.required", "log.showSignature", "status.submoduleSummary", "submodule.recurse", "fetch.recurseSubmodules", "maintenance.auto":
		value = "true"
	case "gc.auto":
		value = "1"
	case "protocol.*.allow":
		name, value = "file", "always"
	}
	h.settings(section(key, name, value))
	h.touch()
	h.ran()
	return h
}

// TestGitStartsNoProgram goes through all settings that can make git start a
// program: none is, whether the folder is trusted or not.
func TestGitStartsNoProgram(t *testing.T) {
	for _, setting := range programSettings {
		t.Run(setting.key, func(t *testing.T) {
			t.Parallel()
			h := prepare(t, setting.key)
			for _, trusted := range []bool{false, true} {
				state := h.look(trusted)
				if h.ran() {
					t.Errorf("trusted %t: the program ran, or the server was asked", trusted)
				}
				if state.late || state.Branch == "" {
					t.Errorf("trusted %t: %+v", trusted, state)
				}
			}
			_, _ = h.tryGit("status")
			if ran := h.ran(); reached[setting.key] && !ran {
				t.Error("git itself does not run the program, so that this shows nothing")
			} else if ran && !reached[setting.key] {
				t.Log("git itself runs the program")
			}
		})
	}
}

// strangeRepositories are those that a look at the list of settings would miss.
var strangeRepositories = map[string]func(h *hostile){
	"filter with an equals sign": func(h *hostile) {
		h.write("top/.gitattributes", "* filter=a=b\n", 0o600)
		h.settings("[filter \"a=b\"]\n\tclean = " + h.script + "\n")
	},
	"process with an equals sign": func(h *hostile) {
		h.write("top/.gitattributes", "* filter=a=b\n", 0o600)
		h.settings("[filter \"a=b\"]\n\tprocess = " + h.script + "\n\trequired = true\n")
	},
	"filter without a name": func(h *hostile) {
		h.write("top/.gitattributes", "* filter=\n", 0o600)
		h.settings("[filter \"\"]\n\tclean = " + h.script + "\n")
	},
	"filter with dots and quotes": func(h *hostile) {
		h.write("top/.gitattributes", "* filter=a.clean.\"b\n", 0o600)
		h.settings("[filter \"a.clean.\\\"b\"]\n\tclean = " + h.script + "\n")
	},
	"filter in large letters": func(h *hostile) {
		h.write("top/.gitattributes", "* filter=X\n", 0o600)
		h.settings("[FILTER \"X\"]\n\tCLEAN = " + h.script + "\n")
	},
	"included": func(h *hostile) {
		h.write("top/.git/more", "[filter \"x\"]\n\tclean = "+h.script+"\n[core]\n\tfsmonitor = "+h.script+"\n", 0o600)
		h.settings("[include]\n\tpath = more\n")
	},
	"included by a condition": func(h *hostile) {
		h.write("top/.git/more", "[filter \"x\"]\n\tclean = "+h.script+"\n", 0o600)
		h.settings("[includeIf \"gitdir:**\"]\n\tpath = more\n")
	},
	"of the work tree": func(h *hostile) {
		h.write("top/.git/config.worktree", "[filter \"x\"]\n\tclean = "+h.script+"\n", 0o600)
		h.settings("[core]\n\trepositoryformatversion = 1\n[extensions]\n\tworktreeConfig = true\n")
	},
	"many filters": func(h *hostile) {
		h.settings(strings.Repeat("[filter \"x\"]\n\tclean = "+h.script+"\n", 500))
	},
	"another folder": func(h *hostile) {
		h.write("a.txt", "b\n", 0o600) // which has to be read to be compared
		h.write(".gitattributes", "* filter=x\n", 0o600)
		h.settings("[core]\n\tworktree = " + h.base + "\n[filter \"x\"]\n\tclean = " + h.script + "\n")
	},
	"file .git": func(h *hostile) {
		h.settings("[core]\n\tfsmonitor = " + h.script + "\n")
		h.move("top/.git", "elsewhere")
		h.write("top/.git", "gitdir: ../elsewhere\n", 0o600)
	},
	"submodule": func(h *hostile) {
		h.write("other/a.txt", "a\n", 0o600)
		top := h.top
		h.top = h.base + "/other"
		h.git("init", "-q")
		h.git("add", ".")
		h.git("commit", "-qm", "1")
		h.top = top
		h.git("submodule", "--quiet", "add", h.base+"/other", "lib")
		h.git("commit", "-qm", "2")
		h.write("top/.git/modules/lib/info/attributes", "* filter=a=b\n", 0o600)
		h.write("top/.git/modules/lib/config", "[core]\n\tworktree = ../../../lib\n\tfsmonitor = "+h.script+"\n[filter \"a=b\"]\n\tclean = "+h.script+"\n", 0o600)
		h.write("top/lib/a.txt", "b\n", 0o600)
	},
	"partial clone, upload pack": func(h *hostile) {
		h.partial(h.base)
		h.settings("[remote \"x\"]\n\tuploadpack = " + h.script + "\n")
	},
	"partial clone, name with an equals sign": func(h *hostile) {
		h.partial(h.base)
		h.settings("[remote \"a=b\"]\n\tpromisor = true\n\turl = " + h.base + "\n\tuploadpack = " + h.script + "\n")
	},
	"partial clone, a server":          func(h *hostile) { h.partial(h.url + "/x") },
	"partial clone, a helper":          func(h *hostile) { h.partial("ext::" + h.script) },
	"partial clone, a redirected name": func(h *hostile) { h.partial("x:y"); h.settings("[url \"" + h.url + "/\"]\n\tinsteadOf = x:\n") },
}

// TestStrangeRepositories: nothing that they name is run or asked, and a plain git
// would have done so.
func TestStrangeRepositories(t *testing.T) {
	for name, change := range strangeRepositories {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := newHostile(t)
			change(h)
			h.touch()
			h.ran()
			for _, trusted := range []bool{false, true} {
				if state := h.look(trusted); state.late || state.Branch == "" {
					t.Errorf("trusted %t: %+v", trusted, state)
				}
				if h.ran() {
					t.Errorf("trusted %t: the program ran, or the server was asked", trusted)
				}
			}
			_, _ = h.tryGit("status")
			if !h.ran() && !strings.HasSuffix(name, "a helper") { // git itself refuses those
				t.Error("git itself does not run the program, so that this shows nothing")
			}
		})
	}
}

// TestGitOfTheWorkspace: a program in the workspace that calls itself git is none,
// wherever PATH leads to it.
func TestGitOfTheWorkspace(t *testing.T) {
	h := newHostile(t)
	h.write("top/bin/git", "#!/bin/sh\n: > '"+h.mark+"'\n", 0o700)
	h.git("update-index", "--split-index") // only git can tell
	h.ran()
	t.Chdir(h.top)
	for _, path := range []string{"bin", ".", "", h.top + "/bin", h.base + "/home/../top/bin"} {
		path += ":" + h.env("PATH")
		env := func(name string) string {
			if name == "PATH" {
				return path
			}
			return h.env(name)
		}
		state := reader(h.top, env, true).Read(t.Context(), h.top)
		if h.ran() || !state.Known {
			t.Errorf("PATH=%s: %+v", path, state)
		}
	}
}
