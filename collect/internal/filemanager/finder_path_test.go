package filemanager

import (
	"testing"
)

func TestAXFilePath(t *testing.T) {
	for address, want := range map[string]string{
		"file:///Users/a/My%20File%231.pdf": "/Users/a/My File#1.pdf",
		"file://localhost/tmp/":             "/tmp",
		"file:///":                          "/",
		"file:///Users/%E4%B8%AD":           "/Users/中",
		"file://server/share":               "",
		"https://example.com/a":             "",
		"":                                  "",
		"file:///%zz":                       "",
	} {
		if got := finderPath(address); got != want {
			t.Errorf("%s: %q, want %q", address, got, want)
		}
	}
}
