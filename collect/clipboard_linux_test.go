package collect

import (
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestFilePaths(t *testing.T) {
	host, err := os.Hostname()
	if err != nil {
		t.Skip(err)
	}
	tests := []struct {
		list string
		want []string
	}{
		{"", nil},
		{"copy\nfile:///w/a.txt\nfile:///w/b%20c", []string{"/w/a.txt", "/w/b c"}},
		{"cut\nfile:///w/a", []string{"/w/a"}},
		{"file:///w/a\r\nfile:///w/b\r\n", []string{"/w/a", "/w/b"}},
		{"file:///w/a\x00", []string{"/w/a"}},
		{"# a comment\nfile://localhost/w/a", []string{"/w/a"}},
		{"file://" + host + "/w/a", []string{"/w/a"}},
		{"file://elsewhere.example/w/a", nil},
		{"http://example.org/a\ntrash:///a\n/w/a\nfile:a", nil},
		{"file:///w/%zz", nil},
		{"file:///w/../x", []string{"/x"}},
	}
	for _, tt := range tests {
		if diff := cmp.Diff(tt.want, filePaths(tt.list)); diff != "" {
			t.Errorf("%q: %s", tt.list, diff)
		}
	}
}

func FuzzFilePaths(f *testing.F) {
	for _, seed := range []string{"copy\nfile:///w/a", "file:///w/b%20c\r\n", "file://h/x", "\x00", "file:///%2e%2e/x"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, list string) {
		for _, path := range filePaths(list) {
			if !strings.HasPrefix(path, "/") {
				t.Errorf("%q is no full path", path)
			}
		}
	})
}

func TestTextTarget(t *testing.T) {
	for _, tt := range []struct{ targets, want string }{
		{"TARGETS UTF8_STRING STRING", "UTF8_STRING"},
		{"STRING text/plain", "text/plain"},
		{"text/plain;charset=utf-8 text/html", "text/plain;charset=utf-8"},
		{"image/png", ""},
		{"", ""},
	} {
		if got := textTarget(strings.Fields(tt.targets)); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.targets, got, tt.want)
		}
	}
}

func TestDecodeText(t *testing.T) {
	for _, tt := range []struct{ target, data, want string }{
		{"UTF8_STRING", "grün", "grün"},
		{"UTF8_STRING", "a\xffb", "a\ufffdb"},
		{"STRING", "gr\xfcn", "grün"},
		{"text/plain", "gr\xfcn", "grün"},
		{"text/plain", "grün\x00", "grün"},
	} {
		if got := decodeText(tt.target, []byte(tt.data)); got != tt.want {
			t.Errorf("%s %q: %q, want %q", tt.target, tt.data, got, tt.want)
		}
	}
}

func TestLocalDisplay(t *testing.T) {
	for display, want := range map[string]bool{
		":0": true, ":12.1": true, "unix:0": true, "/tmp/launch/org.xquartz:0": true,
		"": false, "localhost:10.0": false, "other.example:0": false, "tcp/other:0": false, "0": false,
	} {
		if got := localDisplay(display); got != want {
			t.Errorf("%q: %v", display, got)
		}
	}
}

func TestBusesOfOtherMachinesAreRefused(t *testing.T) {
	for _, address := range []string{"tcp:host=127.0.0.1,port=1", "unixexec:path=/bin/true", "autolaunch:", "", "nonce-tcp:host=h,port=1;tcp:host=h,port=2"} {
		if conn, err := dialBus(t.Context(), address); err == nil {
			_ = conn.Close()
			t.Errorf("%s was dialled", address)
		}
	}
}
