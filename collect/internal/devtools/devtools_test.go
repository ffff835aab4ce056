//go:build linux || windows

package devtools

import (
	"os"
	"path/filepath"
	"testing"
)

func TestDebuggingPort(t *testing.T) {
	profile := ownFolder(t)
	if err := os.WriteFile(filepath.Join(profile, "DevToolsActivePort"), []byte("9444\r\n/devtools/browser/x"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		args []string
		want int
	}{
		{[]string{"chrome.exe", "--remote-debugging-port=9222"}, 9222},
		{[]string{"chrome.exe", "--remote-debugging-port=0", "--user-data-dir=" + profile}, 9444},
		{[]string{"chrome.exe", "--remote-debugging-port=0"}, 0},
		{[]string{"chrome.exe", "--remote-debugging-port=99999"}, 0},
		{nil, 0},
	} {
		port, ok := Port(test.args)
		if ok != (test.want > 0) || ok && port != test.want {
			t.Errorf("%q: %d %v", test.args, port, ok)
		}
	}
}

// ownFolder is t.TempDir without a failure where it cannot be removed: Wine does
// not know the call that Go removes files with.
func ownFolder(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "pertain") //nolint:usetesting // see above
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	return dir
}
