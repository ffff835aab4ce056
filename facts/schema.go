package facts

import (
	"slices"
	"strings"

	"github.com/pertain-dev/pertain/diag"
)

// Roots are the first segments that a path may have (docs/reference/paths.md, and the program in
// front).
func Roots() []string {
	return []string{"attachments", "visual", "clipboard", "assistant", "environment", "extra", "activeProcess"}
}

// Path is one row of the schema: a path in the context that conditions and
// templates may name. Rows are unique, so pointers can be compared.
type Path struct {
	Name  string // clipboard.text; attachments.files[].path is the array of the items' values
	Kind  Kind
	Item  Kind   // kind of the items, where Kind is Array
	Needs string // what must be collected for it, as `reads` lists it; empty: nothing
	Doc   string
	Of    []string // the only texts that there are, where it is a closed set; nil: any

	index    int      // index in the table, and of the value in a snapshot; -1: it picks from arrays
	segments []string // of Name without []
	costly   bool     // collected only when something names it
	base     *Path    // of a projection files[].path: files
	leaf     []string // of a projection: path within the item

	// Of a path that picks from arrays:
	first     *Path      // the array that it begins at
	steps     []pathStep // from there on
	row       *Path      // the row whose values it picks
	canonical string
}

// Index is the row's index in the schema, stable within one process; -1 for what
// is not [Path.Stored].
func (p *Path) Index() int { return p.index }

// Base is the array that a projection such as attachments.files[].path goes
// over, or nil.
func (p *Path) Base() *Path { return p.base }

// rows is the one table of context paths (docs/reference/paths.md). Objects on
// the way to a row are added by newSchema.
var rows = []Path{
	{Name: "attachments.files", Kind: Array, Item: Object, Doc: "files attached to the request"},
	{Name: "attachments.files[].path", Kind: Array, Item: String, Doc: "full path"},
	{Name: "attachments.files[].mimeType", Kind: Array, Item: String, Doc: "media type, such as application/pdf"},
	{Name: "attachments.files[].extension", Kind: Array, Item: String, Doc: "extension with its dot, such as .pdf"},
	{Name: "attachments.selection.text", Kind: String, Doc: "the selected text"},
	{Name: "attachments.text", Kind: String, Doc: "text attached to the request"},
	{Name: "attachments.visual.primary", Kind: String, Doc: "id of the element that `.` means in a visual query"},
	{Name: "attachments.visual.items", Kind: Array, Item: String, Doc: "ids of the attached elements"},

	{Name: "clipboard.text", Kind: String, Needs: "clipboard.text", Doc: "text on the clipboard"},
	{Name: "clipboard.hasText", Kind: Bool, Needs: "clipboard.hasText", Doc: "whether the clipboard holds text"},
	{Name: "clipboard.hasImage", Kind: Bool, Needs: "clipboard.hasImage", Doc: "whether the clipboard holds an image"},
	{Name: "clipboard.files", Kind: Array, Item: Object, Needs: "clipboard.files", Doc: "files on the clipboard"},
	{Name: "clipboard.files[].path", Kind: Array, Item: String, Needs: "clipboard.files", Doc: "full path"},
	{Name: "clipboard.files[].extension", Kind: Array, Item: String, Needs: "clipboard.files", Doc: "extension with its dot"},

	{Name: "assistant.id", Kind: String, Needs: "assistant.id", Doc: "id of the assistant"},
	{Name: "assistant.name", Kind: String, Needs: "assistant.name", Doc: "name of the assistant"},
	{Name: "assistant.model.id", Kind: String, Needs: "assistant.model.id", Doc: "id of the model"},
	{Name: "assistant.model.modalities", Kind: Array, Item: String, Needs: "assistant.model.modalities", Doc: "what the model reads, such as text and image"},
	{Name: "assistant.model.supportsToolCall", Kind: Bool, Needs: "assistant.model.supportsToolCall", Doc: "whether the model can call tools"},

	{Name: "environment.os", Kind: String, Doc: "linux, windows or macos", Of: []string{"linux", "windows", "macos"}},
	{Name: "environment.architecture", Kind: String, Doc: "amd64, arm64, …"},
	{Name: "environment.locale", Kind: String, Doc: "language and region, such as en-US"},
	{Name: "environment.timeZone", Kind: String, Doc: "name of the time zone, such as Europe/Berlin"},
	{Name: "environment.currentDate", Kind: String, Doc: "today, such as 2026-11-15"},

	{Name: "extra.file_manager.current_folder.path", Kind: String, Needs: "extra.file_manager", Doc: "folder shown by the file manager"},
	{Name: "extra.file_manager.current_folder.displayName", Kind: String, Needs: "extra.file_manager", Doc: "its name as shown"},
	{Name: "extra.file_manager.selection.items", Kind: Array, Item: Object, Needs: "extra.file_manager", Doc: "what is selected in the file manager"},
	{Name: "extra.file_manager.selection.items[].path", Kind: Array, Item: String, Needs: "extra.file_manager", Doc: "full path; none for virtual items"},
	{Name: "extra.file_manager.selection.items[].displayName", Kind: Array, Item: String, Needs: "extra.file_manager", Doc: "name as shown"},
	{Name: "extra.file_manager.selection.items[].kind", Kind: Array, Item: String, Needs: "extra.file_manager", Doc: "file, folder, virtual or unknown", Of: []string{"file", "folder", "virtual", "unknown"}},
	{Name: "extra.file_manager.selection.items[].extension", Kind: Array, Item: String, Needs: "extra.file_manager", Doc: "extension with its dot"},
	{Name: "extra.file_manager.selection.items[].size", Kind: Array, Item: Number, Needs: "extra.file_manager", Doc: "size in bytes"},

	{Name: "extra.browser.active_tab.url", Kind: String, Needs: "extra.browser", Doc: "address of the page in front"},
	{Name: "extra.browser.active_tab.title", Kind: String, Needs: "extra.browser", Doc: "its title"},
	{Name: "extra.browser.active_tab.domain", Kind: String, Needs: "extra.browser", Doc: "its host name"},
	{Name: "extra.browser.active_tab.html", Kind: String, Needs: "extra.browser", Doc: "the page itself, for preprocessors; read only when something names it", costly: true},

	{Name: "extra.workspace.root", Kind: String, Needs: "extra.workspace", Doc: "folder of the workspace"},
	{Name: "extra.workspace.name", Kind: String, Needs: "extra.workspace", Doc: "its name"},
	{Name: "extra.workspace.git.branch", Kind: String, Needs: "extra.workspace", Doc: "branch that is checked out"},
	{Name: "extra.workspace.git.hasChanges", Kind: Bool, Needs: "extra.workspace", Doc: "whether there are uncommitted changes"},

	{Name: "activeProcess.name", Kind: String, Needs: ActiveProcess, Doc: "name of the program of the window in front, such as code; the same on every system, whatever its file is called"},
	{Name: "activeProcess.path", Kind: String, Needs: ActiveProcess, Doc: "its file, such as /usr/lib/libreoffice/program/soffice.bin for the name soffice"},
	{Name: "activeProcess.id", Kind: Number, Needs: ActiveProcess, Doc: "number of its process"},
}

// permissions are the sentences that tell a user what is read (docs/reference/paths.md).
var permissions = []struct{ need, sentence string }{
	{"clipboard.text", "Reads clipboard text"},
	{"clipboard.hasText", "Reads whether the clipboard holds text"},
	{"clipboard.hasImage", "Reads whether the clipboard holds an image"},
	{"clipboard.files", "Reads the files on the clipboard"},
	{"assistant.", "Reads the assistant's settings"},
	{"extra.file_manager", "Reads the file manager's folder and selection"},
	{"extra.browser", "Reads the browser's active tab"},
	{"extra.browser.active_tab.html", "Reads the page in the browser's active tab"},
	{"extra.workspace", "Reads the workspace's folder and git state"},
	{"visual", "Reads visible interface elements"},
	{ActiveProcess, "Reads which program is in front"},
}

// permission is the sentence that tells a user what a need reads, or "".
func permission(need string) string {
	for _, p := range permissions {
		if need == p.need || strings.HasSuffix(p.need, ".") && strings.HasPrefix(need, p.need) {
			return p.sentence
		}
	}
	if root, ok := strings.CutPrefix(need, "extra."); ok {
		return "Reads " + strings.ReplaceAll(root, "_", " ") + " context"
	}
	return ""
}

type schema struct {
	paths  []*Path
	byName map[string]*Path
	names  []string
}

// theSchema is built once from rows and never changes.
var theSchema = newSchema()

func newSchema() *schema {
	s := &schema{byName: map[string]*Path{}}
	add := func(p Path) {
		p.index = len(s.paths)
		s.paths = append(s.paths, &p)
		s.byName[p.Name] = &p
	}
	for _, row := range rows {
		name, leaf, projected := strings.Cut(row.Name, "[].")
		row.segments = strings.Split(name, ".")
		for i := 1; i < len(row.segments); i++ { // objects on the way
			if object := strings.Join(row.segments[:i], "."); s.byName[object] == nil {
				add(Path{Name: object, Kind: Object, Needs: row.objectNeed(i), segments: row.segments[:i]})
			}
		}
		if projected {
			row.base, row.leaf = s.byName[name], strings.Split(leaf, ".")
		}
		add(row)
	}
	for _, p := range s.paths {
		if p.Kind != Object {
			s.names = append(s.names, p.Name)
		}
	}
	return s
}

// objectNeed is what must be collected for the object at the first n segments
// of a row: nothing less than the whole, so only extra roots have a name for it.
func (p *Path) objectNeed(n int) string {
	if p.segments[0] == "extra" && n >= 2 || p.Needs == p.segments[0] {
		return p.Needs
	}
	return ""
}

// Lookup finds a path's row. Names are exact.
func Lookup(name string) (*Path, bool) {
	p, ok := theSchema.byName[name]
	return p, ok
}

// Paths are all rows in the table's order, the objects on the way included.
func Paths() []*Path { return slices.Clone(theSchema.paths) }

// NearestPath is the known path that a name was probably meant to be, or "".
func NearestPath(name string) string {
	if strings.Contains(name, "[") {
		return picksBack(nearestPath(withoutPicks(name)), name)
	}
	return nearestPath(name)
}

func nearestPath(name string) string {
	if near := diag.Nearest(name, theSchema.names); near != "" {
		return near
	}
	// A right root with a wrong leaf, or a right leaf below a wrong root.
	leaf := name[strings.LastIndexByte(name, '.')+1:]
	for _, known := range theSchema.names {
		if strings.EqualFold(known[strings.LastIndexByte(known, '.')+1:], leaf) && sharedRoot(known, name) {
			return known
		}
	}
	return ""
}

func sharedRoot(a, b string) bool {
	ra, _, _ := strings.Cut(a, ".")
	rb, _, _ := strings.Cut(b, ".")
	return ra == rb
}

// ItemField finds the row of a path within the items of an array, such as
// extension in attachments.files.
func (p *Path) ItemField(relative string) (*Path, bool) {
	return Lookup(p.schemaRow().Name + "[]." + relative)
}

// schemaRow is the row itself, or the one whose values a path picks.
func (p *Path) schemaRow() *Path {
	if p.row != nil {
		return p.row
	}
	return p
}

// ItemFields are the names known within the items of an array.
func (p *Path) ItemFields() []string {
	var names []string
	p = p.schemaRow()
	for _, q := range theSchema.paths {
		if q.base == p {
			names = append(names, strings.Join(q.leaf, "."))
		}
	}
	return names
}
