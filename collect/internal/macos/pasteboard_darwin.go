package macos

import (
	"path/filepath"

	"github.com/pertain-dev/pertain/collect/internal/ax"
	"github.com/pertain-dev/pertain/collect/internal/clipboard"
	"github.com/pertain-dev/pertain/facts"
)

// maxCopied is how much of a copied text is read, in UTF-16 units.
const maxCopied = 8 << 20

// pasteDenied is the answer of accessBehavior, of macOS 15.4 and later, when the
// user has said that this program must not read what was copied
// (NSPasteboardAccessBehaviorAlwaysDeny).
const pasteDenied = 3

// ReadPasteboard answers needs from what the user has copied. The pasteboard is for
// one thread at a time.
func (k *AppKit) ReadPasteboard(needs []string) (facts.Part, error) {
	defer k.pool()()
	board := k.pasteboard()
	has := clipboard.PasteboardOf(k.texts(k.send(board, "types"), ax.MaxName))
	denied := k.understands(board, "accessBehavior") && k.send(board, "accessBehavior") == pasteDenied
	var part facts.Part
	for _, need := range needs {
		switch need {
		case "clipboard.hasText":
			part = part.With(need, facts.Flag(has.Text))
		case "clipboard.hasImage":
			part = part.With(need, facts.Flag(has.Image))
		case "clipboard.text", "clipboard.files":
			if denied && (has.Text || has.Files) {
				return facts.Part{}, facts.PermissionMissing("reading what was copied is not permitted", "allow it under System Settings > Privacy & Security > Paste from Other Apps")
			}
			if need == "clipboard.text" {
				part = part.With(need, k.pastedText(board, has))
			} else {
				part = part.With(need, k.pastedFiles(board, has))
			}
		}
	}
	return part, nil
}

func (k *AppKit) pasteboard() ax.Ref { return k.send(k.class("NSPasteboard"), "generalPasteboard") }

// PasteChanges counts what was ever copied.
func (k *AppKit) PasteChanges() int {
	defer k.pool()()
	return int(k.send(k.pasteboard(), "changeCount"))
}

// pasted is what an object of the pasteboard has of a type.
func (k *AppKit) pasted(object ax.Ref, kind string) ax.Ref {
	name := k.createString(kind)
	defer k.Release(name)
	return k.send(object, "stringForType:", uintptr(name))
}

// pastedText leaves the text alone that a password manager has marked.
func (k *AppKit) pastedText(board ax.Ref, has clipboard.Pasteboard) facts.Value {
	if !has.Text || has.Secret {
		return facts.Value{}
	}
	text := k.pasted(board, clipboard.TextType)
	if text == 0 || k.Kind(text) != ax.KindText {
		return facts.Value{}
	}
	return facts.Text(k.Text(text, maxCopied))
}

// pastedFiles are the files that were copied. The Finder gives addresses that
// number files and do not name them, which the system translates.
func (k *AppKit) pastedFiles(board ax.Ref, has clipboard.Pasteboard) facts.Value {
	items := []facts.Value{}
	list := k.send(board, "pasteboardItems")
	if !has.Files || list == 0 || k.Kind(list) != ax.KindArray {
		return facts.List(items...)
	}
	for i := range k.Count(list) {
		address := k.pasted(k.Item(list, i), clipboard.FileType)
		if address == 0 || k.Kind(address) != ax.KindText {
			continue
		}
		url := k.send(k.send(k.class("NSURL"), "URLWithString:", uintptr(address)), "filePathURL")
		path := k.string(k.send(url, "path"), 4*maxPath)
		if path == "" {
			continue
		}
		items = append(items, facts.Fields(
			facts.Field{Name: "path", Value: facts.Text(path)},
			facts.Field{Name: "extension", Value: facts.Text(filepath.Ext(path))},
		))
	}
	return facts.List(items...)
}
