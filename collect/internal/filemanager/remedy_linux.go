package filemanager

import (
	"context"
	"slices"

	"github.com/pertain-dev/pertain/collect/internal/atspi"
)

// remedy says how the window can be made to show more.
func (v fileWindow) remedy(ctx context.Context, where folderShown) string {
	switch {
	case where.virtual && v.manager != "thunar":
		return "" // there is no folder
	case where.differs:
		return differRemedy
	}
	return v.listRemedy(ctx)
}

// listRemedy is remedyFor, but tells nobody to switch to the view that is shown.
func (v fileWindow) listRemedy(ctx context.Context) string {
	if list, ok := v.mainList(ctx); ok && v.manager == "thunar" && list.Role != atspi.RoleLayeredPane {
		return ""
	}
	return remedyFor(v.manager)
}

// isDialog tells whether the window is one that asks something: a new name, a
// confirmation.
func (v fileWindow) isDialog(ctx context.Context) bool {
	elements := v.elements(ctx)
	return len(elements) > 0 && slices.Contains([]uint32{atspi.RoleAlert, atspi.RoleDialog, atspi.RoleFileChooser}, elements[0].Role)
}

// differRemedy is what to do where the location bar and the title disagree.
const differRemedy = "press Escape or Enter in the location bar"

// remedyFor says how a file manager can be made to show more.
func remedyFor(manager string) string {
	switch manager {
	case "thunar":
		return "switch Thunar to the details view (Ctrl+2): its other views do not tell what is selected"
	case "pcmanfm":
		return "make the window wider, so that it shows the path of its folder"
	}
	return "show the location bar of the file manager, and a folder instead of search results"
}

// folderRemedy says how a file manager can be made to show its folder.
func folderRemedy(manager string) string {
	if manager == "thunar" {
		return "show its location bar, and go to a folder of this machine"
	}
	return remedyFor(manager)
}
