package filemanager

import (
	"context"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"github.com/godbus/dbus/v5"

	"github.com/pertain-dev/pertain/collect/internal/atspi"
)

// folderShown is what a window of a file manager shows.
type folderShown struct {
	folder  string // empty: it is not known, or there is none
	virtual bool   // no folder of this machine is shown: the trash, a network
	edited  bool   // somebody types into the location bar
	differs bool   // the location bar names another folder than the title
	late    bool   // it is not known for want of time
}

// folderShown finds out what the window shows, in the ways that are known for its
// program.
func (v fileWindow) folderShown(ctx context.Context, ways []folderFinder) folderShown {
	locations := v.locations(ctx)
	for _, l := range locations {
		if !l.focused && l.elsewhere() {
			return folderShown{virtual: true}
		}
	}
	for _, find := range ways {
		if path, ok := find(v, ctx); ok {
			return folderShown{folder: path}
		}
	}
	if path, ok := v.nearby(ctx); ok {
		return folderShown{folder: path}
	}
	if v.seen.left == atspi.LeftForTime || ctx.Err() != nil {
		return folderShown{late: true}
	}
	if v.manager == "nautilus" && v.openElsewhere(ctx) || v.trash(ctx) {
		return folderShown{virtual: true}
	}
	f := folderShown{}
	for _, l := range locations {
		written := l.elsewhere() || filepath.IsAbs(l.text) || strings.HasPrefix(l.text, "~")
		f.edited = f.edited || l.focused && written
		f.differs = f.differs || written
	}
	return f
}

// trash tells whether the files in the list are those that were thrown away,
// which file managers show under a name in the user's language.
func (v fileWindow) trash(ctx context.Context) bool {
	data := v.startedWith("XDG_DATA_HOME")
	if home := v.home(); !filepath.IsAbs(data) && home != "" {
		data = filepath.Join(home, ".local", "share")
	}
	if !filepath.IsAbs(data) {
		return false
	}
	agrees, _ := v.lists(ctx, filepath.Join(data, "Trash", "files"))
	return agrees
}

// location is what a field says that may be a location bar.
type location struct {
	text    string
	focused bool // it has the keyboard: what it says may be half typed
}

// elsewhere tells whether the text is an address of what is no file here.
func (l location) elsewhere() bool {
	scheme, _, ok := strings.Cut(l.text, ":///")
	if !ok {
		scheme, _, ok = strings.Cut(l.text, "://")
	}
	return ok && scheme != "" && scheme != "file" && !strings.ContainsAny(scheme, "/ ")
}

// locations are the texts of all fields that show, read once.
func (v fileWindow) locations(ctx context.Context) []location {
	if v.seen.located {
		return v.seen.locations
	}
	v.seen.located = true
	for _, e := range v.elements(ctx) {
		if e.Role != atspi.RoleText && e.Role != atspi.RoleEntry || !e.States.Has(atspi.StateShowing) && !v.Toolkit.IsGTK4() || !atspi.HasText(v.Interfaces(ctx, e.Node)) {
			continue
		}
		said, err := atspi.Result[string](v.Start(ctx, e.Node, atspi.Prefix+"Text.GetText", int32(0), int32(4096)))
		if err == nil {
			v.seen.locations = append(v.seen.locations, location{strings.TrimSpace(said), e.States.Has(atspi.StateFocused)})
		}
	}
	return v.seen.locations
}

// locationEntry reads the folder from the field that shows its path. What
// stands there may have been typed and not gone to, so that the window has to
// agree.
func (v fileWindow) locationEntry(ctx context.Context) (string, bool) {
	home := v.home()
	for _, l := range v.locations(ctx) {
		path, ok := folderOf(l.text, home)
		if !ok {
			continue
		}
		if l.focused {
			// Who completes what is typed watches the folder before the last slash.
			if !strings.HasSuffix(l.text, "/") && v.certain(ctx, path, home) {
				return path, true
			}
			continue
		}
		if v.shows(ctx, path, home) {
			return path, true
		}
	}
	return "", false
}

// nearby finds the folder of the title beside those on the way to what was typed
// into a location bar.
func (v fileWindow) nearby(ctx context.Context) (string, bool) {
	names := titleNames(v.Target.Title)
	home := v.home()
	for _, l := range v.locations(ctx) {
		path, _ := folderOf(l.text, home)
		for path != "" && path != "/" {
			path = filepath.Dir(path)
			for _, name := range names {
				if at := filepath.Join(path, name); v.certain(ctx, at, home) {
					return at, true
				}
			}
		}
	}
	return "", false
}

// titleNames are the names of folders that a title may stand for.
func titleNames(title string) []string {
	var names []string
	for _, name := range append([]string{title}, beforeSeparators(title)...) {
		if name != "" && name != "." && name != ".." && !strings.ContainsRune(name, '/') {
			names = append(names, name)
		}
	}
	return names
}

// beforeSeparators cuts the name of the program off a title.
func beforeSeparators(title string) []string {
	var out []string
	for _, separator := range titleSeparators {
		if at := strings.LastIndex(title, separator); at > 0 {
			out = append(out, title[:at])
		}
	}
	return out
}

// titleSeparators stand between the name of a folder and that of the program.
var titleSeparators = []string{" - ", " – ", " — "}

// certain tells whether the title is that of a folder, the program watches it,
// and the list does not say otherwise.
func (v fileWindow) certain(ctx context.Context, path, home string) bool {
	if !isFolder(path) || !titled(v.Target.Title, path, home) || !watches(v.Target.PID, path) {
		return false
	}
	agrees, told := v.lists(ctx, path)
	return agrees || !told
}

// shows tells whether the window says in its title that it shows a folder. Home,
// the root and volumes have names of their own there, in the user's language:
// they must be watched, and the files must be theirs.
func (v fileWindow) shows(ctx context.Context, path, home string) bool {
	if !isFolder(path) {
		return false
	}
	if titled(v.Target.Title, path, home) {
		return true
	}
	if path != home && !mounted(path) || !watches(v.Target.PID, path) {
		return false
	}
	agrees, _ := v.lists(ctx, path)
	return agrees
}

// mounted tells whether a folder is the root or that of a volume.
func mounted(path string) bool {
	if path == "/" {
		return true
	}
	var own, above syscall.Stat_t
	return syscall.Stat(path, &own) == nil && syscall.Stat(filepath.Dir(path), &above) == nil && own.Dev != above.Dev
}

// firstRows is how much of a list is compared with a folder.
const firstRows = 8

// lists tells whether the first files in the window's list are those of a
// folder; told is false where the list gives no names.
func (v fileWindow) lists(ctx context.Context, folder string) (agrees, told bool) {
	rows := v.firstFiles(ctx)
	for _, row := range rows {
		if !slices.ContainsFunc(row, func(name string) bool { return inFolder(folder, name) }) {
			return false, true
		}
	}
	return len(rows) > 0, len(rows) > 0
}

// firstFiles are the texts of the first rows or icons of the list of files.
func (v fileWindow) firstFiles(ctx context.Context) [][]string {
	list, ok := v.mainList(ctx)
	if !ok {
		return nil
	}
	var rows [][]string
	if !v.asksLists() {
		elements := v.elements(ctx)
		for _, p := range v.itemsByPane(elements) {
			at := p.list
			for at > 0 && elements[at].Node != list.Node {
				at = elements[at].Parent
			}
			for _, i := range p.items {
				// Qt has the other columns as items, which do not show.
				if e := &elements[i]; at > 0 && len(rows) < firstRows && e.Name != "" && e.Bounded {
					rows = append(rows, []string{e.Name})
				}
			}
		}
		return rows
	}
	columns, err := atspi.Variant[int32](v.Property(ctx, list.Node, "Table", "NColumns"))
	if list.Role == atspi.RoleLayeredPane || err != nil || columns < 1 {
		columns = 0
	}
	var calls []*dbus.Call
	for row := range int32(firstRows) {
		if columns == 0 {
			calls = append(calls, v.Start(ctx, list.Node, atspi.Prefix+"Accessible.GetChildAtIndex", row))
		}
		for column := range min(columns, 16) {
			calls = append(calls, v.Start(ctx, list.Node, atspi.Prefix+"Table.GetAccessibleAt", row, column))
		}
	}
	nodes := make([]atspi.Node, len(calls))
	for i, call := range calls {
		nodes[i], _ = atspi.Result[atspi.Node](call)
	}
	for row := range slices.Chunk(v.labels(ctx, nodes), int(max(1, min(columns, 16)))) {
		if row = slices.DeleteFunc(row, func(name string) bool { return name == "" }); len(row) > 0 {
			rows = append(rows, row)
		}
	}
	return rows
}

// isItem tells whether a role is that of a file in a list.
func isItem(role uint32) bool {
	return role == atspi.RoleTableCell || role == atspi.RoleListItem || role == atspi.RoleIcon || role == atspi.RoleTreeItem
}

// mainList is the list that files are shown in: the largest, unless that is a
// side bar.
func (v fileWindow) mainList(ctx context.Context) (atspi.Element, bool) {
	var best atspi.Element
	size := 0.0
	for _, e := range v.elements(ctx) {
		list := slices.Contains(listRoles, e.Role) || e.Role == atspi.RoleTree
		if area := e.Bounds.Width * e.Bounds.Height; list && (e.States.Has(atspi.StateShowing) || v.Toolkit.IsGTK4()) && area > size {
			best, size = e, area
		}
	}
	return best, size > 0 && 2*best.Bounds.Width > float64(v.Target.Width)
}
