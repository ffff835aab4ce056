package plan

import (
	"context"
	"strings"

	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/facts"
)

// The ids of the preprocessors that Pertain has.
const (
	SelectedText         = "selected-text"
	FileManagerSelection = "file-manager-selection"
	BrowserActivePage    = "browser-active-page"
	ClipboardText        = "clipboard-text"
	VisualElementText    = "visual-element-text"
)

// selectionPath is an attachment, but where the user attached none, what is
// selected on the screen may be collected for it.
const selectionPath = "attachments.selection.text"

// builtin is a row of the table of Pertain's preprocessors.
type builtin struct {
	info    Info
	process func(context.Context, Execution) ([]Variable, error)
}

func (b builtin) Info() Info { return b.info }

func (b builtin) Process(ctx context.Context, in Execution) ([]Variable, error) {
	return b.process(ctx, in)
}

// builtins are the preprocessors of Pertain (docs/reference/preprocessors.md), in their order.
var builtins = []builtin{
	{Info{
		ID: SelectedText, Name: "Selected text", Description: "The text that is selected",
		Permission: "Reads the selected text",
		Variables:  []string{"preprocess.selection.text"},
		Needs:      []string{selectionPath},
	}, selectedText},
	{Info{
		ID: FileManagerSelection, Name: "Selected files", Description: "Paths of the files selected in the file manager, and the text of those that are text",
		Permission: "Reads the files selected in the file manager",
		Variables:  []string{"preprocess.file_manager.selection.paths", "preprocess.file_manager.selection.text"},
		Needs:      []string{"extra.file_manager"},
	}, notHere},
	{Info{
		ID: BrowserActivePage, Name: "Page in the browser", Description: "Address, title and readable text of the page in front",
		Permission: "Reads the page in the browser's active tab",
		Variables:  []string{"preprocess.browser.url", "preprocess.browser.title", "preprocess.browser.readable_text"},
		Needs:      []string{"extra.browser.active_tab.html"},
	}, notHere},
	{Info{
		ID: ClipboardText, Name: "Clipboard text", Description: "The text on the clipboard",
		Permission: "Reads clipboard text",
		Variables:  []string{"preprocess.clipboard.text"},
		Needs:      []string{"clipboard.text"},
	}, clipboardText},
	{Info{
		ID: VisualElementText, Name: "Visible text", Description: "The text of the attached element, else of the one in focus",
		Permission: "Reads visible interface elements",
		Variables:  []string{"preprocess.visual.text"},
		Needs:      []string{facts.Visual},
	}, visualElementText},
}

// Preprocessors is the registry of Pertain's preprocessors. Those that read
// files or web pages are in it by name alone and fail: who wants them puts them
// in by [Registry.With].
func Preprocessors() *Registry {
	list := make([]Preprocessor, len(builtins))
	for i := range builtins {
		list[i] = builtins[i]
	}
	return NewRegistry(list...)
}

// BuiltinInfo describes one of Pertain's preprocessors, also for programs that
// put in one of their own under its id. ok is false for another id.
func BuiltinInfo(id string) (info Info, ok bool) {
	for _, b := range builtins {
		if b.info.ID == id {
			return b.info, true
		}
	}
	return Info{}, false
}

func notHere(context.Context, Execution) ([]Variable, error) {
	return nil, &Failure{Code: diag.PreprocessorFailed, Reason: "this program cannot run it"}
}

func selectedText(_ context.Context, in Execution) ([]Variable, error) {
	text, err := textAt(in, selectionPath, "no text is selected")
	if err != nil {
		return nil, err
	}
	// Of nothing there is nothing to review or explain, and a model would find nothing
	// wrong with it. What an author's own strategy makes of an empty text is up to that.
	if in.Strategy.Provider == "builtin" && strings.TrimSpace(text.Text()) == "" {
		return nil, &Failure{Code: diag.PreprocessorContextMissing, Path: selectionPath, Reason: "the selected text is empty"}
	}
	return []Variable{{"preprocess.selection.text", text}}, nil
}

func clipboardText(_ context.Context, in Execution) ([]Variable, error) {
	text, err := textAt(in, "clipboard.text", "there is no text on the clipboard")
	if err != nil {
		return nil, err
	}
	return []Variable{{"preprocess.clipboard.text", text}}, nil
}

// visualElementText takes the attached element, else the one in focus: its own
// text, else the texts below it line by line, else its name.
func visualElementText(ctx context.Context, in Execution) ([]Variable, error) {
	tree := in.Snapshot.Tree()
	if tree == nil {
		return nil, Lacking(in.Snapshot, facts.Visual, "no visible elements are in the context")
	}
	at, ok := attachedElement(in.Snapshot)
	if !ok {
		at, ok = focusedElement(tree)
	}
	if !ok {
		return nil, &Failure{Code: diag.PreprocessorContextMissing, Path: "attachments.visual.primary", Reason: "no element is attached or in focus"}
	}
	text, ok, err := elementText(ctx, tree, at)
	if err != nil {
		return nil, err
	}
	if !ok {
		return nil, &Failure{Code: diag.PreprocessorContextMissing, Path: facts.Visual, Reason: "the element has no text"}
	}
	return []Variable{{"preprocess.visual.text", facts.Text(text)}}, nil
}

func attachedElement(snapshot *facts.Snapshot) (int, bool) {
	if at, ok := snapshot.Primary(); ok {
		return at, true
	}
	row, _ := facts.Lookup("attachments.visual.items")
	for _, id := range snapshot.At(row).Items() {
		if at, ok := snapshot.Tree().ByID(id.Text()); ok {
			return at, true
		}
	}
	return 0, false
}

// focusedElement is the innermost element that has the focus.
func focusedElement(tree *facts.Tree) (int, bool) {
	for i := tree.Len() - 1; i >= 0; i-- {
		if tree.At(i).States&facts.Focused != 0 {
			return i, true
		}
	}
	return 0, false
}

// elementText never reads what is typed into a password field.
func elementText(ctx context.Context, tree *facts.Tree, at int) (text string, ok bool, err error) {
	element := tree.At(at)
	if element.States&facts.Password != 0 {
		return "", false, nil
	}
	if text, ok := tree.Text(ctx, at); ok && text != "" {
		return text, true, nil
	}
	var b strings.Builder
	for i := at + 1; i < element.End && b.Len() < facts.MaxText; i++ {
		if err := ctx.Err(); err != nil {
			return "", false, err
		}
		below := tree.At(i)
		if below.States&(facts.Password|facts.Offscreen) != 0 {
			continue
		}
		text, ok := tree.Text(ctx, i)
		if !ok || text == "" {
			if text = below.Name; below.End > i+1 {
				continue // a group is named after what it holds
			}
		}
		if text = strings.TrimSpace(text); text != "" {
			b.WriteString(text + "\n")
		}
	}
	if b.Len() > 0 {
		return strings.TrimSuffix(b.String(), "\n"), true, nil
	}
	if text, ok := tree.Text(ctx, at); ok {
		return text, true, nil // empty, but a value
	}
	return element.Name, element.HasName, nil
}
