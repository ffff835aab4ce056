package browser

import "testing"

func TestBracketed(t *testing.T) {
	for _, tt := range []struct {
		name, title string
		want        bool
	}{
		{"Page - Chromium (Incognito)", "Page - Chromium", true},
		{"Page - Chromium（无痕）", "Page - Chromium", true},
		{"Page - Chromium(ছদ্মবেশী)", "Page - Chromium", true},
		{"Page - Chromium (eines Tages)", "Page - Chromium", true}, // in any language
		{"Page - Chromium", "Page - Chromium", false},
		{"Page - Chromium - Work", "Page - Chromium", false},
		{"Page (1) - Chromium", "Page", false},
		{"(Incognito)", "", false},
	} {
		if got := Bracketed(tt.name, tt.title); got != tt.want {
			t.Errorf("%+v: %v", tt, got)
		}
	}
}
