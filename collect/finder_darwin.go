package collect

import (
	"context"
	"errors"

	"github.com/pertain-dev/pertain/facts"
)

// finder reads the folder and the selection of the Finder, if it is in front
// (MS §9).
type finder struct{ *desktop }

func (finder) Info() facts.CollectorInfo {
	return facts.CollectorInfo{ID: "macos.finder", Serves: []string{"extra.file_manager"}, Permission: "automation of the Finder"}
}

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

func (f finder) Collect(ctx context.Context, _ *facts.Snapshot, _ facts.Request) (facts.Part, error) {
	none := facts.Part{}.With("extra.file_manager", facts.Value{})
	app, err := f.checked(ctx)
	if errors.Is(err, errNoWindow) {
		return none, nil
	}
	if err != nil {
		return facts.Part{}, err
	}
	if bundle, _ := f.identity(app.pid); bundle != "com.apple.finder" {
		return none, nil
	}
	var said axFinderAnswer
	if err := script(ctx, finderScript, &said); err != nil {
		return facts.Part{}, err
	}
	return said.part(), nil
}
