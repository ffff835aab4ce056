package collect

import (
	"context"
	"path/filepath"

	"github.com/pertain-dev/pertain/collect/internal/clipboard"
	"github.com/pertain-dev/pertain/facts"
)

// clipboardReader reads what the user has copied (CF §13).
type clipboardReader struct{ *desktop }

// maxCopied is how much of a copied text is read, in UTF-16 units.
const maxCopied = 8 << 20

// pasteDenied is the answer of accessBehavior, of macOS 15.4 and later, when the
// user has said that this program must not read what was copied
// (NSPasteboardAccessBehaviorAlwaysDeny).
const pasteDenied = 3

func (clipboardReader) Info() facts.CollectorInfo {
	return facts.CollectorInfo{ID: "macos.clipboard", Serves: []string{"clipboard"}}
}

func (c clipboardReader) Collect(ctx context.Context, _ *facts.Snapshot, request facts.Request) (facts.Part, error) {
	if c.private().Asked() {
		_, err := c.checked(ctx)
		if err := c.refusesClipboard(err); err != nil {
			return facts.Part{}, err
		}
	}
	k, err := c.appKit()
	if err != nil {
		return facts.Part{}, errSystem(err)
	}
	c.pasting.Lock()
	defer c.pasting.Unlock()
	defer k.pool()()
	board := k.pasteboard()
	has := clipboard.PasteboardOf(k.texts(k.send(board, "types"), axMaxName))
	denied := k.understands(board, "accessBehavior") && k.send(board, "accessBehavior") == pasteDenied
	var part facts.Part
	for _, need := range request.Needs.Names() {
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

func (k *appKit) pasteboard() axRef { return k.send(k.class("NSPasteboard"), "generalPasteboard") }

// pasteChanges counts what was ever copied.
func (d *desktop) pasteChanges() int {
	k, err := d.appKit()
	if err != nil {
		return 0
	}
	d.pasting.Lock()
	defer d.pasting.Unlock()
	defer k.pool()()
	return int(k.send(k.pasteboard(), "changeCount"))
}

// pasted is what an object of the pasteboard has of a type.
func (k *appKit) pasted(object axRef, kind string) axRef {
	name := k.createString(kind)
	defer k.release(name)
	return k.send(object, "stringForType:", uintptr(name))
}

// pastedText leaves the text alone that a password manager has marked.
func (k *appKit) pastedText(board axRef, has clipboard.Pasteboard) facts.Value {
	if !has.Text || has.Secret {
		return facts.Value{}
	}
	text := k.pasted(board, clipboard.TextType)
	if text == 0 || k.kind(text) != axText {
		return facts.Value{}
	}
	return facts.Text(k.text(text, maxCopied))
}

// pastedFiles are the files that were copied. The Finder gives addresses that
// number files and do not name them, which the system translates.
func (k *appKit) pastedFiles(board axRef, has clipboard.Pasteboard) facts.Value {
	items := []facts.Value{}
	list := k.send(board, "pasteboardItems")
	if !has.Files || list == 0 || k.kind(list) != axArray {
		return facts.List(items...)
	}
	for i := range k.count(list) {
		address := k.pasted(k.item(list, i), clipboard.FileType)
		if address == 0 || k.kind(address) != axText {
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
