package clipboard

import (
	"testing"
)

func TestPasteboardOf(t *testing.T) {
	for _, tt := range []struct {
		types []string
		want  Pasteboard
	}{
		{nil, Pasteboard{}},
		{[]string{"public.utf8-plain-text", "NSStringPboardType"}, Pasteboard{Text: true}},
		{[]string{"public.utf8-plain-text", "org.nspasteboard.ConcealedType"}, Pasteboard{Text: true, Secret: true}},
		{[]string{"public.utf8-plain-text", "com.agilebits.onepassword.clipboard"}, Pasteboard{Text: true, Secret: true}},
		{[]string{"public.tiff"}, Pasteboard{Image: true}},
		{[]string{"public.file-url", "public.utf8-plain-text"}, Pasteboard{Text: true, Files: true}},
	} {
		if got := PasteboardOf(tt.types); got != tt.want {
			t.Errorf("%v: %+v", tt.types, got)
		}
	}
}
