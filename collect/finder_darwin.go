package collect

import (
	"context"
	"fmt"
	"path/filepath"

	"github.com/pertain-dev/pertain/facts"
)

// finder reads the folder and the selection of the Finder, if it is in front
// (MS §9).
type finder struct{ *desktop }

func (finder) Info() facts.CollectorInfo {
	return facts.CollectorInfo{ID: "macos.finder", Serves: []string{"extra.file_manager"}, Permission: "automation of the Finder"}
}

func (finder) CanCollect(context.Context, *facts.Snapshot, facts.Request) bool { return true }

// finderScript gives paths where there are any: the trash and the network have
// items without.
const finderScript = `const finder = Application("Finder");
const path = item => { try { return decodeURIComponent(item.url().replace("file://", "")).replace(/\/$/, "") || "/" } catch (e) { return "" } };
let folder = "";
try { folder = path(finder.insertionLocation()) } catch (e) { if (String(e).includes("-1743")) throw e }
JSON.stringify({folder: folder, items: finder.selection().map(item => ({name: item.name(), path: path(item)}))});`

func (f finder) Collect(ctx context.Context, _ *facts.Snapshot, _ facts.Request) (facts.Part, error) {
	front, err := f.front(ctx)
	if err != nil {
		return facts.Part{}, err
	}
	if front.Bundle != "com.apple.finder" {
		return facts.Part{}.With("extra.file_manager", facts.Value{}), nil
	}
	var said struct {
		Folder string
		Items  []struct{ Name, Path string }
	}
	if err := script(ctx, finderScript, &said); err != nil {
		return facts.Part{}, err
	}
	var fields []facts.Field
	if said.Folder != "" {
		fields = append(fields, folderField(said.Folder, filepath.Base(said.Folder)))
	}
	items := make([]facts.Value, 0, len(said.Items))
	for _, item := range said.Items {
		items = append(items, itemAt(item.Path, item.Name))
	}
	fields = append(fields, selectionField(items))
	part := facts.Part{}.With("extra.file_manager", facts.Fields(fields...))
	part.Summary = map[string]string{"extra.file_manager": fmt.Sprintf("%d selected", len(items))}
	return part, nil
}
