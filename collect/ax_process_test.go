package collect

import (
	"errors"
	"testing"

	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/facts"
)

func TestAXForeground(t *testing.T) {
	all := []axProcess{
		{pid: 1, parent: 0, tty: -1},
		{pid: 100, parent: 1, tty: -1, front: 0},     // a terminal
		{pid: 101, parent: 100, tty: 16, front: 110}, // login
		{pid: 102, parent: 101, tty: 16, front: 110}, // its shell
		{pid: 110, parent: 102, tty: 16, front: 110}, // what runs in it
		{pid: 120, parent: 100, tty: 17, front: 121}, // a second tab
		{pid: 121, parent: 120, tty: 17, front: 121},
		{pid: 200, parent: 1, tty: -1},               // an editor
		{pid: 300, parent: 102, tty: 16, front: 110}, // started from the terminal
		{pid: 301, parent: 300, tty: 16, front: 110},
		{pid: 400, parent: 401},
		{pid: 401, parent: 400},
	}
	for pid, want := range map[int]int{100: 121, 200: 0, 300: 0, 400: 0, 999: 0} {
		if got, ok := axForeground(pid, all); got != want || ok != (want != 0) {
			t.Errorf("below %d: %d, want %d", pid, got, want)
		}
	}
}

func TestAXPasted(t *testing.T) {
	for _, tt := range []struct {
		types []string
		want  axPasted
	}{
		{nil, axPasted{}},
		{[]string{"public.utf8-plain-text", "NSStringPboardType"}, axPasted{text: true}},
		{[]string{"public.utf8-plain-text", "org.nspasteboard.ConcealedType"}, axPasted{text: true, secret: true}},
		{[]string{"public.utf8-plain-text", "com.agilebits.onepassword.clipboard"}, axPasted{text: true, secret: true}},
		{[]string{"public.tiff"}, axPasted{image: true}},
		{[]string{"public.file-url", "public.utf8-plain-text"}, axPasted{text: true, files: true}},
	} {
		if got := axPastedOf(tt.types); got != tt.want {
			t.Errorf("%v: %+v", tt.types, got)
		}
	}
}

func TestAXScriptFailures(t *testing.T) {
	for said, code := range map[string]diag.Code{
		"execution error: Error: Error: Not authorized to send Apple events to Finder. (-1743)\n": diag.ExtraPermissionUnavailable,
		"execution error: Error: Error: Application isn't running. (-600)\n":                      diag.ExtraProviderUnavailable,
		"execution error: Error: Error: AppleEvent timed out. (-1712)\n":                          diag.ExtraProviderTimeout,
		"execution error: Error: Error: Can't get object secret.pdf. (-1728)\n":                   diag.ExtraProviderFailed,
	} {
		var known *facts.CollectError
		if err := axScriptFailed([]byte(said), nil); !errors.As(err, &known) || known.Code != code {
			t.Errorf("%q: %v", said, err)
		} else if code == diag.ExtraPermissionUnavailable && known.Remedy == "" {
			t.Error("a missing permission has no remedy")
		}
	}
}

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
		if got := axFilePath(address); got != want {
			t.Errorf("%s: %q, want %q", address, got, want)
		}
	}
}
