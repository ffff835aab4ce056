package clipboard

import (
	"context"
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pertain-dev/pertain/diag"
)

func TestFilePaths(t *testing.T) {
	host, err := os.Hostname()
	if err != nil {
		t.Skip(err)
	}
	tests := []struct {
		list   string
		want   []string
		others int
	}{
		{"", nil, 0},
		{"copy\nfile:///w/a.txt\nfile:///w/b%20c", []string{"/w/a.txt", "/w/b c"}, 0},
		{"cut\nfile:///w/a", []string{"/w/a"}, 0},
		{"file:///w/a\r\nfile:///w/b\r\n", []string{"/w/a", "/w/b"}, 0},
		{"file:///w/a\x00", []string{"/w/a"}, 0},
		{"# a comment\nfile://localhost/w/a", []string{"/w/a"}, 0},
		{"file://" + host + "/w/a", []string{"/w/a"}, 0},
		{"file://elsewhere.example/w/a", nil, 1},
		{"http://example.org/a\ntrash:///a\n/w/a\nfile:a", nil, 2},
		{"file:///w/%zz", nil, 1},
		{"copy\nfile:///w/%FF.txt\nsftp://h/a\nfile:///w/a%00b", nil, 3},
		{"file:///w/../x", []string{"/x"}, 0},
	}
	for _, tt := range tests {
		paths, others := filePaths(tt.list)
		if diff := cmp.Diff(tt.want, paths); diff != "" || others != tt.others {
			t.Errorf("%q: %d others, %s", tt.list, others, diff)
		}
	}
}

func FuzzFilePaths(f *testing.F) {
	for _, seed := range []string{"copy\nfile:///w/a", "file:///w/b%20c\r\n", "file://h/x", "\x00", "file:///%2e%2e/x"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, list string) {
		paths, _ := filePaths(list)
		for _, path := range paths {
			if !strings.HasPrefix(path, "/") {
				t.Errorf("%q is no full path", path)
			}
		}
	})
}

// slowClipboard has text that does not come in time.
type slowClipboard struct{ long bool }

func (slowClipboard) Targets(context.Context, string) ([]string, error) {
	return []string{"UTF8_STRING", "image/png"}, nil
}

func (slowClipboard) Read(context.Context, string, string) ([]byte, error) {
	return nil, context.DeadlineExceeded
}

func (c slowClipboard) Arriving() bool { return c.long }
func (slowClipboard) Close()           {}

// TestSlowClipboard: what the forms tell is not lost with the text.
func TestSlowClipboard(t *testing.T) {
	for _, long := range []bool{false, true} {
		part, err := Read(t.Context(), slowClipboard{long}, []string{"clipboard.files", "clipboard.hasImage", "clipboard.hasText", "clipboard.text"})
		if err != nil {
			t.Fatal(err)
		}
		told, _ := json.Marshal(part.Values)
		if diff := cmp.Diff(`{"clipboard":{"files":[],"hasImage":true,"hasText":true}}`, string(told)); diff != "" {
			t.Error(diff)
		}
		if len(part.Lacks) != 1 || part.Lacks[0].Path != "clipboard.text" || part.Lacks[0].Code != diag.ExtraProviderTimeout || part.Lacks[0].Remedy == "" {
			t.Errorf("%+v", part.Lacks)
		}
		if long == strings.Contains(part.Lacks[0].Reason, "does not answer") {
			t.Errorf("long %v: %s", long, part.Lacks[0].Reason)
		}
	}
}

func TestTextTarget(t *testing.T) {
	for _, tt := range []struct{ targets, want string }{
		{"TARGETS UTF8_STRING STRING", "UTF8_STRING"},
		{"STRING text/plain", "text/plain"},
		{"text/plain;charset=utf-8 text/html", "text/plain;charset=utf-8"},
		{"image/png", ""},
		{"", ""},
	} {
		if got := TextTarget(strings.Fields(tt.targets)); got != tt.want {
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
		if got := DecodeText(tt.target, []byte(tt.data)); got != tt.want {
			t.Errorf("%s %q: %q, want %q", tt.target, tt.data, got, tt.want)
		}
	}
}
