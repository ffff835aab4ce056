package cli

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/pertain-dev/pertain"
	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/facts"
	"github.com/pertain-dev/pertain/internal/connect"
	"github.com/pertain-dev/pertain/internal/discover"
	"github.com/pertain-dev/pertain/internal/files"
	"github.com/pertain-dev/pertain/internal/visible"
	"github.com/pertain-dev/pertain/rule"
)

// checkRuleNames finds rule files with nearly the right names, as `lint` tells them.
func (a *app) checkRuleNames(r *doctorReport) {
	root := a.workspace()
	add := func(message, right string) {
		r.add("rules.names", isWarning, strings.ReplaceAll(message, "`", ""), "rename it to "+right)
	}
	count := 0
	for _, d := range discover.NearNames(files.OS(), discover.RuleRoots{Dir: root}) {
		message, name := d.Message, d.File()
		if rel, err := filepath.Rel(root, name); err == nil {
			name = filepath.ToSlash(rel)
		}
		if !strings.Contains(message, "`"+name+"`") {
			message = name + ": " + message
		}
		right := strings.Trim(strings.TrimPrefix(d.Hint, "rename it to "), "`")
		if i := strings.LastIndexByte(name, '/'); !strings.Contains(right, "/") {
			right = name[:i+1] + right
		}
		add(message, right)
		count++
	}
	if exactly(root, "AGENT.md") {
		add(discover.LoadedBy("AGENT.md", "AGENTS.md"), "AGENTS.md")
		count++
	}
	entries, _ := os.ReadDir(filepath.Join(root, ".cursor", "rules")) // Pertain takes a plain .md for a rule there, Cursor does not
	for _, e := range entries {
		if base, ok := strings.CutSuffix(e.Name(), ".md"); ok && !e.IsDir() {
			add(".cursor/rules/"+e.Name()+": Cursor loads only files whose names end in .mdc", ".cursor/rules/"+base+".mdc")
			count++
		}
	}
	if count == 0 {
		r.add("rules.names", isFine, "no rule file here has nearly the right name", "")
	}
}

// exactly tells whether a name is there in this very spelling: some systems find it in another.
func exactly(root, name string) bool {
	path := filepath.Join(root, filepath.FromSlash(name))
	entries, err := os.ReadDir(filepath.Dir(path))
	return err == nil && slices.ContainsFunc(entries, func(e os.DirEntry) bool { return e.Name() == filepath.Base(path) })
}

// checkRulebook tells what is wrong with rules.
func (a *app) checkRulebook(ctx context.Context, r *doctorReport) {
	book, err := a.rulebook(ctx, pertain.RuleOptions{})
	switch {
	case err != nil:
		r.add("rules", isFailed, "the rules cannot be read: "+oneLine(err.Error()), "check who may read the files")
	case len(book.Warnings()) > 0:
		r.add("rules", isWarning, fmt.Sprintf("%s, and %s about them", plural(len(book.Rules()), "rule"), plural(len(book.Warnings()), "warning")), "run `pertain lint`")
	default:
		r.add("rules", isFine, plural(len(book.Rules()), "rule"), "")
	}
	if err == nil {
		if names := a.withHiddenText(book.Rules()); len(names) > 0 {
			r.warn("text that no reader can see is in "+strings.Join(names, ", "), "look at what `pertain lint` shows there before a model reads it")
		}
		for _, line := range a.linkedOut(book.Rules()) {
			r.remark(line)
		}
	}
}

// withHiddenText names the files of rules that say something which no reader can see, the first of them.
func (a *app) withHiddenText(rules []*rule.Rule) []string {
	var names []string
	more := 0
	for _, r := range rules {
		for range visible.Hidden(r.Source.Text()) {
			if len(names) < maxLinked {
				names = append(names, clean(a.homeName(r.Path)))
			} else {
				more++
			}
			break
		}
	}
	if more > 0 {
		names = append(names, plural(more, "more file"))
	}
	return names
}

// checkSettingsFile reads the settings.
func (a *app) checkSettingsFile(r *doctorReport) {
	paths := a.paths()
	_, list, err := paths.Load(files.OS())
	switch {
	case err != nil:
		r.add("settings", isFailed, "the settings cannot be read: "+oneLine(err.Error()), "mend "+a.homeName(paths.Config)+", or remove it to go back to the defaults")
	case len(list) > 0:
		s := isWarning
		if list.HasErrors() {
			s = isFailed
		}
		at := ""
		if p, ok := list[0].Position(); ok {
			at = fmt.Sprintf(" line %d:", p.Line)
		}
		fix := list[0].Hint
		if fix == "" {
			fix = "mend the file; docs/config.md lists the settings"
		}
		r.add("settings", s, fmt.Sprintf("%s:%s %s", a.homeName(paths.Config), at, list[0].Message), fix)
	default:
		r.add("settings", isFine, "the settings are fine", "")
	}
}

// checkDesktop collects what conditions can ask for, and tells what is missing and why.
func (a *app) checkDesktop(ctx context.Context, r *doctorReport) {
	needs, err := contextNeeds(nil)
	if err == nil {
		_, limit, _, misnamed := a.collectOptions()
		if misnamed != nil {
			r.add("desktop", isSkipped, "without settings nothing is collected", "")
			return
		}
		var gathered facts.Gathering
		gathered, err = facts.NewGatherer(a.machine().Collectors()...).Gather(ctx, needs, facts.Parts{Values: facts.Fields()}, limit)
		if err == nil {
			a.tellDesktop(r, gathered)
			return
		}
	}
	r.add("desktop", isSkipped, "what is on the desktop was not collected", "")
}

// tellDesktop says what of the desktop is there, and what to switch on.
func (a *app) tellDesktop(r *doctorReport, gathered facts.Gathering) {
	there := 0
	var causes []cause
	for _, p := range gathered.Parts {
		if p.Available {
			there++
		} else if c := causeOf(p, gathered.Snapshot); c.remedy != "" && !slices.Contains(causes, c) {
			causes = append(causes, c)
		}
	}
	message := fmt.Sprintf("%d of %s can be seen", there, plural(len(gathered.Parts), "part"))
	switch {
	case len(causes) == 0:
		r.add("desktop", isFine, message, "")
	case there == 0 || noDesktop(a.call.Env):
		r.add("desktop", isSkipped, message+"; there is no desktop here", "")
	default:
		for _, c := range causes {
			r.add("desktop", isWarning, message+"; "+oneLine(c.reason), oneLine(c.remedy))
		}
	}
}

// noDesktop tells a session without one, such as a server.
func noDesktop(env func(string) string) bool {
	return runtime.GOOS == "linux" && env("DISPLAY") == "" && env("WAYLAND_DISPLAY") == ""
}

// checkFolders looks at the folders that Pertain keeps things in.
func (a *app) checkFolders(r *doctorReport) {
	paths := a.paths()
	for _, f := range []struct{ id, path string }{{"folders.state", paths.State}, {"folders.settings", paths.ConfigDir}} {
		if f.path == "" {
			r.add(f.id, isFailed, "there is no such folder, because no home is known", "set HOME to an absolute path")
			continue
		}
		name := a.homeName(f.path)
		info, err := os.Stat(f.path)
		switch {
		case os.IsNotExist(err):
			r.add(f.id, isFine, name+" is not there yet", "")
		case err != nil || !info.IsDir():
			r.add(f.id, isFailed, name+" is not a folder that can be read", "move away what is there")
		case runtime.GOOS != "windows" && info.Mode().Perm()&0o022 != 0:
			r.add(f.id, isFailed, fmt.Sprintf("others may write %s (mode %o)", name, info.Mode().Perm()), "run `chmod 700 "+connect.Word(f.path)+"`")
		case runtime.GOOS != "windows" && f.id == "folders.state" && info.Mode().Perm()&0o055 != 0:
			r.add(f.id, isWarning, fmt.Sprintf("others may read %s (mode %o)", name, info.Mode().Perm()), "run `chmod 700 "+connect.Word(f.path)+"`")
		case f.id == "folders.settings" && othersWrite(paths.Config):
			r.add(f.id, isFailed, "others may write "+a.homeName(paths.Config), "run `chmod 600 "+connect.Word(paths.Config)+"`")
		default:
			r.add(f.id, isFine, name+" is fine", "")
		}
	}
}

// othersWrite tells whether somebody else may change a file.
func othersWrite(path string) bool {
	info, err := os.Stat(path)
	return err == nil && runtime.GOOS != "windows" && info.Mode().Perm()&0o022 != 0
}

// checkCopies finds other copies of the program on the path.
func (a *app) checkCopies(r *doctorReport) {
	self, err := os.Executable()
	if err != nil {
		r.add("program", isSkipped, "the path of this program cannot be found", "")
		return
	}
	name := "pertain"
	if runtime.GOOS == "windows" {
		name = "pertain.exe"
	}
	var others []string
	first := ""
	for _, dir := range filepath.SplitList(a.call.Env("PATH")) {
		path := filepath.Join(dir, name)
		info, err := os.Stat(path)
		if !filepath.IsAbs(dir) || err != nil || !info.Mode().IsRegular() {
			continue
		}
		if first == "" {
			first = path
		}
		if !sameFile(path, self) && !slices.Contains(others, path) {
			others = append(others, path)
		}
	}
	switch {
	case len(others) > 0:
		r.add("program", isWarning, fmt.Sprintf("this is %s (%s); there are other copies on the path: %s", diag.Short(self), Version(), strings.Join(others, ", ")), "remove the copies that you do not use")
	case first == "":
		r.add("program", isWarning, fmt.Sprintf("this is %s (%s), which is in no folder of PATH: settings of projects call `pertain` by its name", diag.Short(self), Version()), "put its folder into PATH")
	default:
		r.add("program", isFine, fmt.Sprintf("this is %s (%s)", diag.Short(self), Version()), "")
	}
}
