package collect

import (
	"testing"

	"github.com/pertain-dev/pertain/collect/internal/uia"
	"github.com/pertain-dev/pertain/collect/internal/uia/uiatest"
)

// Chromium tells only by its accessible name that a window is a private one.
func TestAutomationPrivateWindow(t *testing.T) {
	for _, test := range []struct {
		name, process string
		options       Private
		refused       bool
	}{
		{"A page - Chrome (Incognito)", "chrome", Private{}, true},
		{"A page - Chrome", "chrome", Private{}, false},
		{"A page - Chrome (Incognito)", "chrome", Private{NoDefaults: true}, false},
		{"A page - Chrome (Incognito)", "chrome", Private{NoDefaults: true, Titles: []string{"*(incognito)"}}, true},
		{"A page - Chrome (Incognito)", "notepad", Private{}, false},
	} {
		d := fakeDesktop(uiatest.New(t, uiatest.NewNode(50032, test.name)), Options{Private: test.options})
		w := window{handle: 77, title: "A page - Chrome", process: test.process}
		a, err := d.uia.Open(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if err := d.guardName(t.Context(), w, a.Window(uia.Target{Handle: w.handle})); (err != nil) != test.refused {
			t.Errorf("%+v: %v", test, err)
		}
	}
}

// fakeDesktop is a desktop whose UI Automation is a fake.
func fakeDesktop(f *uiatest.Automation, options Options) *desktop {
	d := newDesktop(options)
	d.uia = uia.NewClient(f.Open)
	return d
}
