package filemanager

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/pertain-dev/pertain/collect/internal/atspi"
	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/facts"
)

// folderFinder is a way to find the folder that a window shows.
type folderFinder func(fileWindow, context.Context) (string, bool)

// Kind is a file manager that is known.
type Kind struct {
	name   string
	folder []folderFinder // tried in order
	silent bool           // not every change of its selection comes as an event
	pages  bool           // its windows may show something else than folders
}

// known are the file managers, by parts of the names of their programs and
// windows, and where they show the folder. The first that fits counts.
var known = []Kind{
	{name: "thunar", folder: []folderFinder{fileWindow.locationEntry, fileWindow.breadcrumbs}},
	{name: "pcmanfm", folder: []folderFinder{fileWindow.locationEntry, fileWindow.breadcrumbs}},
	{name: "nemo", folder: []folderFinder{fileWindow.breadcrumbs, fileWindow.locationEntry}},
	{name: "caja", folder: []folderFinder{fileWindow.breadcrumbs, fileWindow.locationEntry}},
	{name: "nautilus", folder: []folderFinder{fileWindow.openLocation, fileWindow.locationEntry}},
	{name: "dolphin", folder: []folderFinder{fileWindow.breadcrumbs, fileWindow.locationEntry}, silent: true},
	{name: "konqueror", folder: []folderFinder{fileWindow.locationEntry}, silent: true, pages: true}, // Dolphin's view of folders
}

// KindOf is the file manager that a program is, by what it and its window are
// called, in small letters.
func KindOf(names string) (Kind, bool) {
	at := slices.IndexFunc(known, func(m Kind) bool { return strings.Contains(names, m.name) })
	if at < 0 {
		return Kind{}, false
	}
	return known[at], true
}

// unread are file managers of which nothing can be read: they are not on the accessibility
// bus, or do not say there which files are selected.
var unread = []string{"spacefm", "zzzfm", "doublecmd", "double commander", "krusader", "xfe", "rox-filer", "gnome-commander", "sunflower", "4pane", "worker"}

// IsUnread tells whether a program is a file manager of which nothing can be read, by what
// it and its window are called, in small letters.
func IsUnread(names string) bool {
	words := strings.Fields(names)
	return slices.ContainsFunc(unread, func(name string) bool {
		return slices.Contains(words, name) || strings.Contains(name, " ") && strings.Contains(names, name)
	})
}

// Surroundings are what is known beside the window.
type Surroundings struct {
	Env     func(name string) string // environment, for the home folder
	Session func() string            // address of the session bus; "": there is none
}

// Answer is what a window of a file manager shows.
type Answer struct {
	manager string
	folder  folderShown
	chosen  selection
	fresh   func(ctx context.Context) bool // whether the window still shows it; nil: it has to be read anew each time
}

// Read finds out what a window of a file manager shows.
func Read(ctx context.Context, s atspi.Window, kind Kind, around Surroundings) (Answer, error) {
	v := fileWindow{Window: s, around: around, manager: kind.name, seen: &walked{}}
	where := v.folderShown(ctx, kind.folder)
	if ctx.Err() != nil {
		if len(v.seen.elements) > 1 { // it answers, if slowly
			return Answer{}, lateWindow(ctx.Err())
		}
		return Answer{}, atspi.Unanswered(ctx, ctx.Err())
	}
	if where.edited {
		return Answer{}, facts.Unavailable("somebody types into the location bar, so that the folder is not certain", "press Escape or Enter there")
	}
	if kind.pages && where.folder == "" && !where.late {
		return Answer{}, facts.Unavailable("the window does not show a folder", "open one, and show the location bar")
	}
	chosen := v.selected(ctx, where.folder)
	if where.folder == "" && !chosen.known {
		if where.late || chosen.late {
			return Answer{}, lateWindow(context.DeadlineExceeded)
		}
		if v.isDialog(ctx) {
			return Answer{}, facts.Unavailable("a dialog of the file manager is in front, which shows no files", "close it")
		}
		return Answer{}, facts.Unavailable("the window shows neither its folder nor its selection", v.remedy(ctx, where))
	}
	a := Answer{manager: v.manager, folder: where, chosen: chosen}
	if still, ok := v.validity(kind, where.folder, chosen); ok {
		if still == nil {
			still = func(ctx context.Context) bool {
				v.CatchUp(ctx, v.Top)
				return true // unless an event says otherwise
			}
		}
		a.fresh = still
	}
	return a, nil
}

// Lasts tells whether the answer may be used again, after [Answer.Holds] was asked.
func (a Answer) Lasts() bool { return a.fresh != nil }

// Holds asks the window what no event tells, and the folder whether what is
// selected is still there.
func (a Answer) Holds(ctx context.Context) bool {
	if !a.Lasts() || !a.fresh(ctx) {
		return false
	}
	for _, name := range a.chosen.names {
		if a.folder.folder != "" && !inFolder(a.folder.folder, name) {
			return false // it was renamed or deleted
		}
	}
	return true
}

// Part makes the object extra.file_manager.
func (a Answer) Part() facts.Part { return describe(a.folder, a.chosen, a.manager) }

// lateWindow is the error for a window that there was not enough time for.
func lateWindow(err error) error {
	return &facts.CollectError{Code: diag.ExtraProviderTimeout, Reason: lateReason, Remedy: moreTime, Err: err}
}

// fileWindow is a window of a file manager.
type fileWindow struct {
	atspi.Window
	around  Surroundings
	manager string
	seen    *walked
}

// walked keeps a walk for the second question.
type walked struct {
	elements []atspi.Element
	left     string // what was left out; empty: nothing
	done     bool

	locations []location
	located   bool

	addresses []string // that the file manager tells over the session bus
	asked     bool     // whether it was asked for them
}

// elements of the window, read once. Where a list can be asked for its selection
// it is not gone into: it may have thousands of files. Menus say nothing here.
func (v fileWindow) elements(ctx context.Context) []atspi.Element {
	if !v.seen.done {
		var closed []uint32
		if v.asksLists() {
			closed = append([]uint32{atspi.RoleMenuBar}, listRoles...)
		}
		var err error
		v.seen.elements, v.seen.left, err = v.WalkExcept(ctx, closed...)
		if err != nil {
			v.seen.left = atspi.LeftForTime
		}
		v.seen.done = true
	}
	return v.seen.elements
}

// listRoles are those of the lists that files are shown in.
var listRoles = []uint32{atspi.RoleTable, atspi.RoleTreeTable, atspi.RoleLayeredPane, atspi.RoleList}

// asksLists tells whether the toolkit's lists tell what is selected: those of
// GTK 2 and 3 do.
func (v fileWindow) asksLists() bool { return v.Toolkit.Matches() }

// lateReason and moreTime are for a window that there was not enough time for.
const (
	lateReason = "the window could not be read in time"
	moreTime   = "give the collectors more time with options.extraTimeout in the settings"
)

// untold is why a selection is not known where nothing went wrong.
const untold = "the window does not tell what is selected"

// selection is what is selected. Names beyond those that could be read in time are
// only counted.
type selection struct {
	names  []string
	more   int    // selected, but their names were not read
	known  bool   // whether the window tells what is selected at all
	why    string // a few words where it does not
	remedy string // what the user can do about that; may be empty
	late   bool   // it does not for want of time

	lists []askedList // where lists told it: those
	marks string      // and what they said before the names were read; see selectionMarks
	bar   atspi.Node  // where it was read from a status bar: that, and what it said
	said  string
	cells []cell // where every element had to be asked: those, and what they said
	panes []cell // and what they are in
}

// cell is an item of a list as it was when it was asked, or a list.
type cell struct {
	atspi.Node
	selected bool
	count    int32 // of a list: its children
}

// describe makes the object extra.file_manager.
func describe(where folderShown, chosen selection, manager string) facts.Part {
	var fields []facts.Field
	if where.folder != "" {
		fields = append(fields, FolderField(where.folder, filepath.Base(where.folder)))
	}
	summary := "the folder alone"
	var lacks []facts.Lack
	const items = "extra.file_manager.selection.items"
	if !chosen.known {
		lack := facts.Lack{Path: items, Reason: chosen.why, Remedy: chosen.remedy}
		if chosen.late {
			lack.Code = diag.ExtraProviderTimeout
		}
		lacks = append(lacks, lack)
	}
	lack := facts.Lack{Path: "extra.file_manager.current_folder.path", Reason: "the window does not tell its folder", Remedy: folderRemedy(manager)}
	switch {
	case where.folder != "":
	case where.late:
		lack.Reason, lack.Remedy, lack.Code = lateReason, moreTime, diag.ExtraProviderTimeout
		lacks = append(lacks, lack)
	case where.virtual:
		lack.Reason, lack.Remedy = "what the window shows is no folder of this machine", ""
		lacks = append(lacks, lack)
	case where.differs:
		lack.Reason, lack.Remedy = "the location bar and the title name different folders", differRemedy
		lacks = append(lacks, lack)
	default:
		lacks = append(lacks, lack)
	}
	if chosen.known {
		list := make([]facts.Value, 0, len(chosen.names)+chosen.more)
		for _, name := range chosen.names {
			if where.folder == "" && !where.virtual {
				list = append(list, unknownItem(name)) // it may be a file, or not
			} else {
				list = append(list, fileItem(where.folder, name))
			}
		}
		for range chosen.more {
			list = append(list, facts.Fields()) // it counts, and nothing else is known of it
		}
		fields = append(fields, SelectionField(list))
		summary = fmt.Sprintf("%d selected", len(list))
		if chosen.more > 0 {
			summary = fmt.Sprintf("%d selected, %d of them without a name", len(list), chosen.more)
			lack := facts.Lack{
				Path: items, Reason: fmt.Sprintf("of %d selected items the names of %d were not read", len(list), chosen.more),
				Remedy: "select fewer, or " + moreTime,
			}
			if chosen.late {
				lack.Code = diag.ExtraProviderTimeout
			}
			lacks = append(lacks, lack)
		}
	}
	part := facts.Part{}.With("extra.file_manager", facts.Fields(fields...))
	part.Summary = map[string]string{"extra.file_manager": summary}
	part.Lacks = lacks
	return part
}
