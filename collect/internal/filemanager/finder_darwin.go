package filemanager

import (
	"context"

	"github.com/pertain-dev/pertain/collect/internal/macos"
	"github.com/pertain-dev/pertain/facts"
)

// finderScript gives addresses where there are any: the trash and the network
// have items without. Each answer is a message to the Finder, so the first few
// dozen are told, and as many as there is time for; the others are counted.
const finderScript = `const finder = Application("com.apple.finder");
const began = Date.now();
const address = item => { try { return item.url() || "" } catch (e) { if (e.errorNumber === -1743) throw e; return "" } };
const name = item => { try { return item.name() || "" } catch (e) { return "" } };
let folder = "";
try { folder = address(finder.insertionLocation()) } catch (e) { if (e.errorNumber === -1743) throw e }
const chosen = finder.selection();
const items = [];
for (const item of chosen) {
  if (items.length >= 50 || Date.now() - began > 100) break;
  const url = address(item);
  items.push({url: url, name: url ? "" : name(item)});
}
JSON.stringify({folder: folder, items: items, more: chosen.length - items.length});`

// Finder makes the object extra.file_manager of what the Finder says.
func Finder(ctx context.Context) (facts.Part, error) {
	var said finderAnswer
	if err := macos.Script(ctx, finderScript, &said); err != nil {
		return facts.Part{}, err
	}
	return said.part(), nil
}
