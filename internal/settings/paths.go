package settings

import (
	"errors"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"github.com/pertain-dev/pertain/internal/files"
)

// Environment is what decides where things are. Tests fill in their own, for any operating system.
type Environment struct {
	GOOS   string                           // as runtime.GOOS
	Lookup func(name string) (string, bool) // as os.LookupEnv
	Caller Caller
}

// Paths are the files and folders where Pertain keeps things. They need not exist, except Config if Named is set. All are absolute; where
// $PERTAIN_CONFIG gives a relative path, Config is that, and Load refuses it.
type Paths struct {
	Home           string // the user's home; `~/.agents/skills` and the like are below it
	ConfigDir      string // <config home>/pertain
	Config         string // the settings file
	Named          bool   // $PERTAIN_CONFIG says where it is
	UserStrategies string // provider `user`
	Plugins        string // one folder for each plugin
	Skills         string // the user's own skills
	Trust          string // the file of trusted workspaces, always in ConfigDir
	State          string // what Pertain remembers between runs

	By *Environment // what they were found by, where it is known who called; nil: they are the user's own
}

// Locate finds all of them (docs/reference/trust.md). The config home is $XDG_CONFIG_HOME if that is absolute; else ~/.config on Linux and
// macOS and %APPDATA% on Windows. An error says that the environment names no home; Config may be set nevertheless.
func Locate(env Environment) (Paths, error) {
	f, homeVariable := files.Unix, env.homeVariable()
	if env.GOOS == "windows" {
		f = files.Windows
	}
	// absolute reads a variable that counts only if it is an absolute path, as the XDG specification wants it.
	absolute := func(name string) string {
		if v, ok := env.Lookup(name); ok && f.IsAbs(v) && !madeUp(f.Clean(v)) {
			return f.Clean(v)
		}
		return ""
	}
	p := Paths{Home: absolute(homeVariable)}
	if env.Caller.Dir != "" {
		p.By = &env
	}
	if v, ok := env.Lookup("PERTAIN_CONFIG"); ok && v != "" {
		p.Config, p.Named = f.Clean(v), true
	}
	below := func(base string, rest ...string) string {
		if base == "" {
			return ""
		}
		return f.Join(append([]string{base}, rest...)...)
	}
	first := func(paths ...string) string {
		for _, path := range paths {
			if path != "" {
				return path
			}
		}
		return ""
	}

	var configHome, stateHome string
	if env.GOOS == "windows" {
		configHome = first(absolute("XDG_CONFIG_HOME"), absolute("APPDATA"), below(p.Home, "AppData", "Roaming"))
		stateHome = first(absolute("XDG_STATE_HOME"), absolute("LOCALAPPDATA"), below(p.Home, "AppData", "Local"))
	} else {
		configHome = first(absolute("XDG_CONFIG_HOME"), below(p.Home, ".config"))
		stateHome = first(absolute("XDG_STATE_HOME"), below(p.Home, ".local", "state"))
	}
	if configHome == "" {
		if env.GOOS == "windows" {
			return p, errors.New("no settings folder: set APPDATA or USERPROFILE to an absolute path")
		}
		return p, errors.New("no settings folder: set HOME or XDG_CONFIG_HOME to an absolute path")
	}
	p.ConfigDir = f.Join(configHome, "pertain")
	if p.Config == "" {
		p.Config = f.Join(p.ConfigDir, "config.yaml")
	}
	p.UserStrategies = f.Join(p.ConfigDir, "strategies")
	p.Plugins = f.Join(p.ConfigDir, "plugins")
	p.Skills = f.Join(p.ConfigDir, "skills")
	p.Trust = f.Join(p.ConfigDir, "trust.json")
	// Without a folder for state there is still one that the user can write to.
	p.State = f.Join(p.ConfigDir, "state")
	if stateHome != "" {
		p.State = f.Join(stateHome, "pertain")
	}
	p.believeState(env.GOOS, env.Caller.Account)
	return p, nil
}

// believeState takes the folder for state of the user's account in place of one that is not below it and that Pertain has not made:
// where a repository's settings for an agent name a folder that somebody has prepared, what is remembered would be written through links there.
func (p *Paths) believeState(goos, account string) {
	if account == "" || goos == "windows" || files.Inside(account, p.State) {
		return
	}
	if isPrepared(files.OS(), p.State) {
		p.State = filepath.Join(account, ".local", "state", "pertain")
	}
}

// maxPrepared is how many folders of state are looked at.
const maxPrepared = 100

// isPrepared tells whether a folder for state is a link, holds links, or is somebody else's.
func isPrepared(tree files.Tree, folder string) bool {
	if home, err := tree.Stat(filepath.Dir(folder)); err == nil && home.Foreign {
		return true
	}
	info, err := tree.Stat(folder)
	if err != nil {
		return !errors.Is(err, fs.ErrNotExist)
	}
	real, err := tree.RealPath(folder)
	above, err2 := tree.RealPath(filepath.Dir(folder))
	if err != nil || err2 != nil || info.Foreign || real != filepath.Join(above, filepath.Base(folder)) {
		return true
	}
	list, err := tree.ReadDir(folder)
	if err != nil {
		return true
	}
	folders := 0
	for _, e := range list {
		if e.Kind == files.Link {
			return true
		}
		if e.Kind != files.Folder {
			continue
		}
		inner, err := tree.ReadDir(filepath.Join(folder, e.Name))
		if folders++; err != nil || folders > maxPrepared || slices.ContainsFunc(inner, func(e files.Entry) bool { return e.Kind == files.Link }) {
			return true
		}
	}
	return false
}

// homeVariable names the variable that says where the user's home is.
func (e *Environment) homeVariable() string {
	if e.GOOS == "windows" {
		return "USERPROFILE"
	}
	return "HOME"
}

// madeUp tells whether a path is one of the system about processes: /proc/self/cwd is another folder in each, as a relative path is.
func madeUp(path string) bool { return path == "/proc" || strings.HasPrefix(path, "/proc/") }

// workspaceNames are what makes a folder a workspace.
var workspaceNames = []string{".pertain", ".git"}

// WorkspaceRoot finds the nearest folder at or above cwd that holds `.pertain` or `.git`. ok is false if there is none: then
// there is no workspace. What belongs to another user counts in cwd itself alone.
func WorkspaceRoot(tree files.Tree, cwd string) (root string, ok bool) {
	root, _, ok = files.FindUp(tree, cwd, workspaceNames...)
	return root, ok
}

// Strangers are the folders around a working directory that may hold a stranger's programs: the directory itself, since what
// was unpacked there need be no workspace, and every workspace that it is in, since the nearest may be one that an outer one
// brought along, with all work trees of their repositories. A main work tree need not be known to its linked ones; those that
// the folders of the variable PATH lie in say themselves whose they are. What holds the user's home is not among them, but for
// the nearest workspace.
func Strangers(tree files.Tree, home, cwd, path string) []string {
	if cwd == "" {
		return nil
	}
	flavor := tree.Flavor()
	around := func(dir string) bool { return home != "" && files.Inside(dir, home) }
	var out, commons []string
	add := func(folders ...string) {
		for _, dir := range folders {
			if !around(dir) {
				out = append(out, dir)
			}
		}
	}
	add(cwd)
	nearest := true
	for _, dir := range marked(tree, cwd) {
		if nearest || !around(dir) {
			out = append(out, dir)
			others, common := workTrees(tree, dir)
			add(others...)
			if common != "" {
				commons = append(commons, common)
			}
		}
		nearest = false
	}
	add(kin(tree, slices.DeleteFunc(filepath.SplitList(path), func(dir string) bool { return !flavor.IsAbs(dir) }), out, commons)...)
	return out
}

// ForeignWorkspace is what WorkspaceRoot passed over because it belongs to another user; ok is false if there is none.
func ForeignWorkspace(tree files.Tree, cwd string) (path string, ok bool) {
	return files.ForeignUp(tree, cwd, workspaceNames...)
}
