package plan

// Info describes a preprocessor for people.
type Info struct {
	ID          string
	Name        string
	Description string
	Permission  string   // what a user is told that it reads
	Variables   []string // what it sets
}

// builtins are the preprocessors of Pertain (EXECUTION §1), in their order.
var builtins = []Info{
	{
		ID: "selected-text", Name: "Selected text", Description: "The text that is selected",
		Permission: "Reads the selected text",
		Variables:  []string{"preprocess.selection.text"},
	},
	{
		ID: "file-manager-selection", Name: "Selected files", Description: "Paths of the files selected in the file manager, and the text of those that are text",
		Permission: "Reads the files selected in the file manager",
		Variables:  []string{"preprocess.file_manager.selection.paths", "preprocess.file_manager.selection.text"},
	},
	{
		ID: "browser-active-page", Name: "Page in the browser", Description: "Address, title and readable text of the page in front",
		Permission: "Reads the page in the browser's active tab",
		Variables:  []string{"preprocess.browser.url", "preprocess.browser.title", "preprocess.browser.readable_text"},
	},
	{
		ID: "clipboard-text", Name: "Clipboard text", Description: "The text on the clipboard",
		Permission: "Reads clipboard text",
		Variables:  []string{"preprocess.clipboard.text"},
	},
	{
		ID: "visual-element-text", Name: "Visible text", Description: "The text of the element in focus",
		Permission: "Reads visible interface elements",
		Variables:  []string{"preprocess.visual.text"},
	},
}

// Registry is a set of preprocessors by id.
type Registry struct{ infos []Info }

// Preprocessors are those that Pertain has.
func Preprocessors() *Registry { return &Registry{infos: builtins} }

// Has tells whether there is a preprocessor of this id.
func (r *Registry) Has(id string) bool {
	_, ok := r.Info(id)
	return ok
}

// IDs are the ids in their order.
func (r *Registry) IDs() []string {
	ids := make([]string, len(r.infos))
	for i, info := range r.infos {
		ids[i] = info.ID
	}
	return ids
}

// Info describes a preprocessor.
func (r *Registry) Info(id string) (Info, bool) {
	for _, info := range r.infos {
		if info.ID == id {
			return info, true
		}
	}
	return Info{}, false
}
