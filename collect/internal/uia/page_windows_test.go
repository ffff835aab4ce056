package uia

import (
	"testing"
)

func TestIsAddress(t *testing.T) {
	for text, want := range map[string]bool{
		"https://example.org/": true, "file:///C:/a.html": true, "about:blank": true, "chrome://settings/": true, "example.org": false,
		"localhost:8080/x": true, "what is this": false, "": false, "define: word here": false,
	} {
		if got := isAddress(text); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
}
