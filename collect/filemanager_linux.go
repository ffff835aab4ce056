package collect

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/pertain-dev/pertain/facts"
)

// fileManager reads the folder and the selection of the file manager in front
// (CF §16.1, MS §9).
type fileManager struct{ *desktop }

// folderFinder is a way to find the folder that a window shows.
type folderFinder func(fileWindow, context.Context) (string, bool)

// fileManagerKind is a file manager that is known.
type fileManagerKind struct {
	name   string
	folder []folderFinder // tried in order
	silent bool           // not every change of its selection comes as an event
}

// fileManagers are those that are known, by parts of the names of their
// programs and windows, and where they show the folder. The first that fits
// counts.
var fileManagers = []fileManagerKind{
	{name: "thunar", folder: []folderFinder{fileWindow.locationEntry, fileWindow.breadcrumbs}},
	{name: "pcmanfm", folder: []folderFinder{fileWindow.locationEntry, fileWindow.breadcrumbs}},
	{name: "nemo", folder: []folderFinder{fileWindow.breadcrumbs, fileWindow.locationEntry}},
	{name: "caja", folder: []folderFinder{fileWindow.breadcrumbs, fileWindow.locationEntry}},
	{name: "nautilus", folder: []folderFinder{fileWindow.openLocation, fileWindow.locationEntry}},
	{name: "dolphin", folder: []folderFinder{fileWindow.breadcrumbs, fileWindow.locationEntry}, silent: true},
}

func (fileManager) Info() facts.CollectorInfo {
	return facts.CollectorInfo{ID: "linux.file-manager", Serves: []string{"extra.file_manager"}, Permission: readPermission}
}

func (f fileManager) Collect(ctx context.Context, _ *facts.Snapshot, _ facts.Request) (facts.Part, error) {
	none := facts.Part{}.With("extra.file_manager", facts.Value{})
	w, err := f.front(ctx)
	if errors.Is(err, errNoWindow) {
		return none, nil
	}
	if err != nil {
		return facts.Part{}, err
	}
	known := strings.ToLower(w.process + " " + w.class)
	at := slices.IndexFunc(fileManagers, func(m fileManagerKind) bool { return strings.Contains(known, m.name) })
	if at < 0 {
		return none, nil // another program is in front, so no file manager is
	}
	warm := f.warm.Load()
	if kept, ok := warm.filesOf(ctx, w); ok {
		return describe(kept.folder, kept.chosen, kept.manager), nil
	}
	_, since := warm.now()
	s, err := f.sceneOf(ctx, w)
	if err != nil {
		return facts.Part{}, err
	}
	v := fileWindow{scene: s, desktop: f.desktop, manager: fileManagers[at].name, seen: &walked{}}
	var folder string
	for _, find := range fileManagers[at].folder {
		if path, ok := find(v, ctx); ok {
			folder = path
			break
		}
	}
	if ctx.Err() != nil {
		return facts.Part{}, hung(ctx, ctx.Err())
	}
	chosen := v.selected(ctx, folder)
	if folder == "" && !chosen.known {
		return facts.Part{}, facts.Unavailable("the window shows neither its folder nor its selection", remedyFor(v.manager))
	}
	if still, ok := v.validity(fileManagers[at], folder, chosen); ok {
		warm.keepFiles(since, s, keptFiles{manager: v.manager, folder: folder, chosen: chosen, still: still})
	}
	return describe(folder, chosen, v.manager), nil
}

// remedyFor says how a file manager can be made to show more.
func remedyFor(manager string) string {
	switch manager {
	case "thunar":
		return "switch Thunar to the details view (Ctrl+2): its other views do not tell what is selected"
	case "pcmanfm":
		return "make the window wider, so that it shows the path of its folder"
	}
	return "show the location bar of the file manager"
}

// fileWindow is a window of a file manager.
type fileWindow struct {
	scene
	desktop *desktop
	manager string
	seen    *walked
}

// walked keeps a walk for the second question.
type walked struct {
	elements []visited
	left     string // what was left out; empty: nothing
	done     bool
}

// elements of the window, read once. Where a list can be asked for its selection
// it is not gone into: it may have thousands of files. Menus say nothing here.
func (v fileWindow) elements(ctx context.Context) []visited {
	if !v.seen.done {
		var closed []uint32
		if v.asksLists() {
			closed = append([]uint32{roleMenuBar}, listRoles...)
		}
		v.seen.elements, v.seen.left, _ = v.walkExcept(ctx, closed...)
		v.seen.done = true
	}
	return v.seen.elements
}

// listRoles are those of the lists that files are shown in.
var listRoles = []uint32{roleTable, roleTreeTable, roleLayeredPane, roleList}

// asksLists tells whether the toolkit's lists tell what is selected: those of
// GTK 2 and 3 do.
func (v fileWindow) asksLists() bool { return v.toolkit.matches() }

// untold is why a selection is not known where nothing went wrong.
const untold = "the window does not tell what is selected"

// choice is what is selected. Names beyond those that could be read in time are
// only counted.
type choice struct {
	names  []string
	more   int    // selected, but their names were not read
	known  bool   // whether the window tells what is selected at all
	why    string // a few words where it does not
	remedy string // what the user can do about that; may be empty

	lists []askedList // where lists told it: those
	marks string      // and what they said before the names were read; see selectionMarks
	bar   node        // where it was read from a status bar: that, and what it said
	said  string
	cells []cell // where every element had to be asked: those, and what they said
	panes []cell // and what they are in
}

// cell is an item of a list as it was when it was asked, or a list.
type cell struct {
	node
	selected bool
	count    int32 // of a list: its children
}

// describe makes the object extra.file_manager.
func describe(folder string, chosen choice, manager string) facts.Part {
	var fields []facts.Field
	if folder != "" {
		fields = append(fields, folderField(folder, filepath.Base(folder)))
	}
	summary := "the folder alone"
	var lacks []facts.Lack
	if !chosen.known {
		lacks = append(lacks, facts.Lack{Path: "extra.file_manager.selection.items", Reason: chosen.why, Remedy: chosen.remedy})
	}
	if folder == "" {
		lacks = append(lacks, facts.Lack{Path: "extra.file_manager.current_folder.path", Reason: "the window does not tell its folder", Remedy: remedyFor(manager)})
	}
	if chosen.known {
		items := make([]facts.Value, 0, len(chosen.names)+chosen.more)
		for _, name := range chosen.names {
			items = append(items, fileItem(folder, name))
		}
		for range chosen.more {
			items = append(items, facts.Fields()) // it counts, and nothing else is known of it
		}
		fields = append(fields, selectionField(items))
		summary = fmt.Sprintf("%d selected", len(items))
	}
	part := facts.Part{}.With("extra.file_manager", facts.Fields(fields...))
	part.Summary = map[string]string{"extra.file_manager": summary}
	part.Lacks = lacks
	return part
}
