package collect

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/pertain-dev/pertain/facts"
)

// browser reads the active tab of the browser in front (CF §16.2). Firefox has
// no scripting for it.
type browser struct{ *desktop }

func (browser) Info() facts.CollectorInfo {
	return facts.CollectorInfo{ID: "macos.browser", Serves: []string{"extra.browser"}, Permission: "automation of the browser"}
}

func (browser) CanCollect(context.Context, *facts.Snapshot, facts.Request) bool { return true }

// browsers are those that can be asked, by bundle, with what they call the tab
// in front and its title.
var browsers = []struct{ bundle, tab, title string }{
	{"com.apple.Safari", "currentTab", "name"},
	{"com.google.Chrome", "activeTab", "title"},
	{"org.chromium.Chromium", "activeTab", "title"},
	{"com.brave.Browser", "activeTab", "title"},
	{"com.microsoft.edgemac", "activeTab", "title"},
	{"com.vivaldi.Vivaldi", "activeTab", "title"},
}

func (b browser) Collect(ctx context.Context, _ *facts.Snapshot, _ facts.Request) (facts.Part, error) {
	front, err := b.front(ctx)
	if err != nil {
		return facts.Part{}, err
	}
	for _, known := range browsers {
		if known.bundle != front.Bundle {
			continue
		}
		bundle, err := json.Marshal(known.bundle)
		if err != nil {
			return facts.Part{}, err
		}
		var said struct{ URL, Title string }
		source := fmt.Sprintf("const tab = Application(%s).windows[0].%s; JSON.stringify({url: tab.url(), title: tab.%s()});", bundle, known.tab, known.title)
		if err := script(ctx, source, &said); err != nil {
			return facts.Part{}, err
		}
		return tab{url: said.URL, title: said.Title}.part(), nil
	}
	if front.Bundle == "org.mozilla.firefox" {
		return facts.Part{}, facts.Unavailable("Firefox does not tell its tabs on macOS", "")
	}
	return facts.Part{}.With("extra.browser", facts.Value{}), nil
}
