package collect

import (
	"context"
	"path/filepath"

	"github.com/pertain-dev/pertain/facts"
)

// clipboard reads what the user has copied (CF §13).
type clipboard struct{ *desktop }

func (clipboard) Info() facts.CollectorInfo {
	return facts.CollectorInfo{ID: "macos.clipboard", Serves: []string{"clipboard"}}
}

func (clipboard) CanCollect(context.Context, *facts.Snapshot, facts.Request) bool { return true }

// clipboardScript leaves the text alone that a password manager has marked.
const clipboardScript = `ObjC.import("AppKit");
const board = $.NSPasteboard.generalPasteboard;
const types = ObjC.deepUnwrap(board.types) || [];
const secret = types.includes("org.nspasteboard.ConcealedType");
const hasText = types.includes("public.utf8-plain-text");
const urls = ObjC.unwrap(board.readObjectsForClassesOptions($([$.NSURL]), $({}))) || [];
JSON.stringify({
  hasText: hasText,
  hasImage: types.some(t => t.startsWith("public.png") || t.startsWith("public.tiff") || t.startsWith("public.jpeg")),
  text: hasText && !secret ? ObjC.unwrap(board.stringForType("public.utf8-plain-text")) : null,
  files: urls.filter(u => u.isFileURL).map(u => ObjC.unwrap(u.path)),
});`

func (c clipboard) Collect(ctx context.Context, _ *facts.Snapshot, request facts.Request) (facts.Part, error) {
	if _, err := c.front(ctx); err != nil {
		return facts.Part{}, err
	}
	var board struct {
		HasText, HasImage bool
		Text              *string
		Files             []string
	}
	if err := script(ctx, clipboardScript, &board); err != nil {
		return facts.Part{}, err
	}
	var part facts.Part
	for _, need := range request.Needs.Names() {
		switch need {
		case "clipboard.hasText":
			part = part.With(need, facts.Flag(board.HasText))
		case "clipboard.hasImage":
			part = part.With(need, facts.Flag(board.HasImage))
		case "clipboard.text":
			text := facts.Value{}
			if board.Text != nil {
				text = facts.Text(*board.Text)
			}
			part = part.With(need, text)
		case "clipboard.files":
			items := []facts.Value{}
			for _, path := range board.Files {
				items = append(items, facts.Fields(
					facts.Field{Name: "path", Value: facts.Text(path)},
					facts.Field{Name: "extension", Value: facts.Text(filepath.Ext(path))},
				))
			}
			part = part.With(need, facts.List(items...))
		}
	}
	return part, nil
}
