package git

import (
	"os"
	"strings"
)

// quietEnvironment keeps git from asking anybody for anything, on the network, on
// the terminal or by a lock. Older versions do not know GIT_NO_LAZY_FETCH: that no
// protocol is allowed stops them from fetching what a partial clone lacks.
var quietEnvironment = []string{
	"LC_ALL=C",
	"GIT_ALLOW_PROTOCOL=none",
	"GIT_NO_LAZY_FETCH=1",
	"GIT_OPTIONAL_LOCKS=0",
	"GIT_TERMINAL_PROMPT=0",
	"GIT_PAGER=cat",
	"GIT_EDITOR=:",
}

// setting is a key of git's settings and the value that it gets here.
type setting struct{ key, value string }

// programSettings is every setting that can make git start a program, with the value
// that keeps it from that. A star stands for the name of a part: those keys reach
// git only from the user's own settings, where git-lfs may stand, since of a
// repository's settings only those of gitKept do.
//
// `git status` uses few of them. The others are here because one of git's next
// versions may, and because a fetch that is started after all would.
var programSettings = []setting{
	{"core.fsmonitor", "false"},
	{"core.hooksPath", os.DevNull},
	{"core.pager", "cat"},
	{"core.editor", ":"},
	{"core.askPass", ""},
	{"core.sshCommand", "false"},
	{"core.gitProxy", ""},
	{"core.alternateRefsCommand", ":"},
	{"sequence.editor", ":"},
	{"credential.helper", ""},
	{"diff.external", ""},
	{"interactive.diffFilter", ""},
	{"gpg.program", "false"},
	{"log.showSignature", "false"},
	{"status.submoduleSummary", "false"},
	{"submodule.recurse", "false"},
	{"fetch.recurseSubmodules", "false"},
	{"gc.auto", "0"},
	{"maintenance.auto", "false"},
	{"uploadpack.packObjectsHook", ""},
	{"web.browser", "false"},
	{"help.browser", "false"},
	{"init.templateDir", ""},

	{"filter.*.clean", ""},
	{"filter.*.smudge", ""},
	{"filter.*.process", ""},
	{"filter.*.required", "false"},
	{"diff.*.command", ""},
	{"diff.*.textconv", ""},
	{"merge.*.driver", "false"},
	{"remote.*.uploadpack", "false"},
	{"remote.*.receivepack", "false"},
	{"remote.*.vcs", "none"},
	{"remote.*.proxy", ""},
	{"protocol.*.allow", "never"},
	{"credential.*.helper", ""},
	{"gpg.*.program", "false"},
	{"gpg.*.defaultKeyCommand", ""},
	{"submodule.*.update", "none"},
	{"alias.*", ""},
	{"pager.*", "false"},
	{"hook.*.command", ":"},
	{"trailer.*.command", ":"},
	{"trailer.*.cmd", ":"},
	{"tar.*.command", "false"},
	{"difftool.*.cmd", "false"},
	{"difftool.*.path", "false"},
	{"mergetool.*.cmd", "false"},
	{"mergetool.*.path", "false"},
	{"guitool.*.cmd", "false"},
	{"browser.*.cmd", "false"},
	{"browser.*.path", "false"},
	{"man.*.cmd", "false"},
	{"man.*.path", "false"},
}

// otherSettings are no programs, but have to be as they are here: the cache of
// unknown files is left as it is, and a folder that only looks like a repository
// is none.
var otherSettings = []setting{
	{"core.untrackedCache", "keep"},
	{"safe.bareRepository", "explicit"},
}

// fixedSettings are those that always hold.
func fixedSettings() []setting {
	values := append([]setting{}, otherSettings...)
	for _, p := range programSettings {
		if !strings.Contains(p.key, "*") {
			values = append(values, p)
		}
	}
	return values
}
