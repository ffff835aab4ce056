package filemanager

import (
	"bufio"
	"context"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"

	"github.com/godbus/dbus/v5"

	"github.com/pertain-dev/pertain/collect/internal/atspi"
	"github.com/pertain-dev/pertain/collect/internal/clipboard"
	"github.com/pertain-dev/pertain/collect/internal/process"
)

// folderOf understands what location fields show: a path, perhaps with ~, or an
// address.
func folderOf(text, home string) (string, bool) {
	text = strings.TrimSpace(text)
	if path, ok := clipboard.FilePath(text); ok {
		text = path
	}
	if rest, ok := strings.CutPrefix(text, "~"); ok && home != "" && (rest == "" || rest[0] == '/') {
		text = home + rest
	}
	if !filepath.IsAbs(text) {
		return "", false
	}
	path := filepath.Clean(text)
	return path, isFolder(path)
}

// withRole are the elements that show and have one of the roles.
func (v fileWindow) withRole(ctx context.Context, roles ...uint32) []atspi.Node {
	var hits []atspi.Node
	for _, e := range v.elements(ctx) {
		if slices.Contains(roles, e.Role) && (e.States.Has(atspi.StateShowing) || v.Toolkit.IsGTK4()) {
			hits = append(hits, e.Node)
		}
	}
	return hits
}

// breadcrumbs puts the folder together from the buttons of a path bar.
func (v fileWindow) breadcrumbs(ctx context.Context) (string, bool) {
	buttons := v.withRole(ctx, atspi.RoleToggleButton, atspi.RoleCheckBox, atspi.RolePushButton, atspi.RoleRadioButton)
	calls := make([]*dbus.Call, len(buttons))
	for i, b := range buttons {
		calls[i] = v.Name(ctx, b)
	}
	var names []string
	for _, call := range calls {
		if name := strings.TrimSpace(atspi.ValidText(atspi.Variant[string](call))); name != "" {
			names = append(names, name)
		}
	}
	home := v.home()
	return joinBreadcrumbs(names, home, func(path string) bool { return v.shows(ctx, path, home) })
}

// joinBreadcrumbs tries the rows of names, in both orders, as paths below the
// root and below the home folder; the longest that is accepted counts. The row
// may begin anywhere, since other buttons stand beside it, and go on below the
// folder that is shown.
func joinBreadcrumbs(names []string, home string, accept func(path string) bool) (string, bool) {
	if len(names) > 64 {
		names = names[:64]
	}
	reversed := slices.Clone(names)
	slices.Reverse(reversed)
	for length := len(names); length > 0; length-- {
		for _, row := range [][]string{names, reversed} {
			for from := 0; from+length <= len(row); from++ {
				part := row[from : from+length]
				for _, path := range pathsOf(part, home) {
					if accept(path) {
						return path, true
					}
				}
			}
		}
	}
	if home != "" && accept(home) {
		return home, true
	}
	return "", false
}

// pathsOf are the paths that a row of buttons can stand for. The first may be
// the home folder under any name.
func pathsOf(row []string, home string) []string {
	var paths []string
	add := func(base string, names []string) {
		for _, name := range names {
			if name == "." || name == ".." || strings.ContainsRune(name, '/') {
				return
			}
		}
		if base != "" {
			paths = append(paths, filepath.Join(append([]string{base}, names...)...))
		}
	}
	if row[0] == "/" {
		row = row[1:]
	}
	add("/", row)
	add(home, row)
	if len(row) > 1 {
		add(home, row[1:])
	}
	return paths
}

// titled tells whether a window's title is that of a folder.
func titled(title, path, home string) bool {
	base := filepath.Base(path)
	if path == home && (title == "Home" || slices.Contains(beforeSeparators(title), "Home")) {
		return true
	}
	if path != home && (title == base || slices.Contains(beforeSeparators(title), base)) {
		return true
	}
	return title == path || slices.Contains(beforeSeparators(title), path)
}

// watches tells whether a program watches a folder for changes, as file
// managers do with the one they show. A folder has one inode.
func watches(pid int, folder string) bool {
	var info syscall.Stat_t
	if syscall.Stat(folder, &info) != nil {
		return false
	}
	dir := process.Path(pid, "fdinfo")
	entries, err := os.ReadDir(dir)
	if err != nil {
		return false
	}
	want := "ino:" + strconv.FormatUint(info.Ino, 16)
	for _, e := range entries {
		link, err := os.Readlink(filepath.Join(process.Path(pid, "fd"), e.Name()))
		if err != nil || !strings.Contains(link, "inotify") {
			continue
		}
		f, err := os.Open(filepath.Join(dir, e.Name()))
		if err != nil {
			continue
		}
		found := false
		for lines := bufio.NewScanner(f); lines.Scan() && !found; {
			fields := strings.Fields(lines.Text())
			found = len(fields) > 0 && fields[0] == "inotify" && slices.Contains(fields, want)
		}
		f.Close()
		if found {
			return true
		}
	}
	return false
}

// home is the home folder of the window's program, which may be another user's
// or a test's.
func (v fileWindow) home() string {
	if home := v.startedWith("HOME"); filepath.IsAbs(home) {
		return filepath.Clean(home)
	}
	if home := v.around.Env("HOME"); filepath.IsAbs(home) {
		return home
	}
	return ""
}

// startedWith is a variable that the window's program was started with.
func (v fileWindow) startedWith(name string) string {
	if env := process.StartedWith(v.Target.PID); env != nil {
		return env(name)
	}
	return ""
}

// openLocation asks the file manager for the folder that the window shows.
func (v fileWindow) openLocation(ctx context.Context) (string, bool) {
	var folders []string
	for _, address := range v.openLocations(ctx) {
		if path, ok := clipboard.FilePath(address); ok && isFolder(path) {
			folders = append(folders, path)
		}
	}
	for _, path := range folders {
		if titled(v.Target.Title, path, v.home()) {
			return path, true
		}
	}
	if len(folders) == 1 && len(v.openLocations(ctx)) == 1 {
		return folders[0], true
	}
	return "", false
}

// openElsewhere tells whether no window of the file manager shows a folder of this
// machine.
func (v fileWindow) openElsewhere(ctx context.Context) bool {
	addresses := v.openLocations(ctx)
	return len(addresses) > 0 && !slices.ContainsFunc(addresses, func(address string) bool { return !location{text: address}.elsewhere() })
}

// openLocations asks the file manager over the session bus, where GNOME's tells
// the addresses that its windows show. It is asked once.
func (v fileWindow) openLocations(ctx context.Context) []string {
	if v.seen.asked {
		return v.seen.addresses
	}
	v.seen.asked = true
	session, err := atspi.DialBus(ctx, v.around.Session())
	if err != nil {
		return nil
	}
	defer func() { _ = session.Close() }()
	var answer dbus.Variant
	object := session.Object("org.freedesktop.FileManager1", "/org/freedesktop/FileManager1")
	err = object.CallWithContext(ctx, atspi.GetProperty, dbus.FlagNoAutoStart, "org.freedesktop.FileManager1", "OpenLocations").Store(&answer)
	if err != nil {
		return nil
	}
	v.seen.addresses, _ = answer.Value().([]string)
	return v.seen.addresses
}
