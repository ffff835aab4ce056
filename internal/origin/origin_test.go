package origin_test

import (
	"testing"

	"github.com/pertain-dev/pertain/internal/origin"
)

func TestCrossSite(t *testing.T) {
	fetch := func(values ...string) map[string][]string {
		header := map[string][]string{}
		for i, name := range []string{"Sec-Fetch-Site", "Sec-Fetch-Mode", "Sec-Fetch-Dest"} {
			if i < len(values) && values[i] != "" {
				header[name] = []string{values[i]}
			}
		}
		return header
	}
	for _, c := range []struct {
		what            string
		header          map[string][]string
		private, public bool
	}{
		{"a program", fetch(), false, false},
		{"a program that fetches as browsers do", fetch("", "cors"), false, false},
		{"an address that somebody typed", fetch("none", "navigate", "document"), false, false},
		{"a page of the server's own", fetch("same-origin", "cors", "empty"), false, false},
		{"a picture", fetch("cross-site", "no-cors", "image"), true, true},
		{"a script of a sibling", fetch("same-site", "no-cors", "script"), true, true},
		{"a frame", fetch("cross-site", "navigate", "iframe"), true, true},
		{"a link", fetch("cross-site", "navigate", "document"), true, false},
		{"a link, old browser", fetch("cross-site", "navigate"), true, false},
		{"a value that nobody knows", fetch("elsewhere"), true, true},
		{"two values", map[string][]string{"Sec-Fetch-Site": {"none", "cross-site"}}, true, true},
	} {
		if got := origin.CrossSite(c.header, false); got != c.private {
			t.Errorf("%s: %t", c.what, got)
		}
		if got := origin.CrossSite(c.header, true); got != c.public {
			t.Errorf("%s, to a public address: %t", c.what, got)
		}
	}
}
