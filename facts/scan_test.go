package facts

import (
	"fmt"
	"strings"
	"testing"

	"github.com/pertain-dev/pertain/diag"
)

// TestScanJSONReadsAlone: whatever is right is read the quick way, which decoding falls back from without a word.
func TestScanJSONReadsAlone(t *testing.T) {
	keys := func(n int, last string) string {
		var b strings.Builder
		b.WriteString("{")
		for i := range n {
			fmt.Fprintf(&b, `"key%d":%d,`, i, i)
		}
		return b.String() + `"` + last + `":true}`
	}
	deep := func(n int) string { return strings.Repeat("[", n) + strings.Repeat("]", n) }
	for _, tt := range []struct {
		name, text string
		want       bool
	}{
		{"few keys", keys(3, "last"), true},
		{"many keys", keys(40, "last"), true},
		{"one of few keys twice", keys(3, "key1"), false},
		{"one of many keys twice", keys(40, "key1"), false},
		{"as deep as can be", deep(maxJSONDepth + 1), true},
		{"too deep", deep(maxJSONDepth + 2), false},
	} {
		if _, ok := scanJSON([]byte(tt.text)); ok != tt.want {
			t.Errorf("%s: %v", tt.name, ok)
		}
	}
}

// TestBoundsFarAway: numbers that no array has items for are one number, however many digits they have.
func TestBoundsFarAway(t *testing.T) {
	for text, want := range map[string]bound{
		"7": {n: 7}, "^2": {n: 2, fromEnd: true}, "-2": {n: 2, fromEnd: true}, "-1": {n: 1, fromEnd: true}, "-0": {n: 0}, "": {open: true},
		"1099511627776": {n: farAway}, "1099511627777": {n: farAway}, "99999999999999999999": {n: farAway}, "^99999999999999999999": {n: farAway, fromEnd: true},
	} {
		if got := readBound(text); got != want {
			t.Errorf("%q is %+v, want %+v", text, got, want)
		}
	}
	for text, want := range map[string]int{"[]": 2, "[].path": 2, "[0]": 3, "[^1..].x": 6, "x[]": 0, "[x]": 0} {
		if got := Picked(text); got != want {
			t.Errorf("Picked(%q) = %d, want %d", text, got, want)
		}
	}
}

// TestPicksBack: what was put in brackets stands in the name that is proposed, where that has as many.
func TestPicksBack(t *testing.T) {
	for _, tt := range []struct{ into, name, want string }{
		{"attachments.files[].path", "attachment.files[0].path", "attachments.files[0].path"},
		{"a[].b[].c", "x[1].y[^2..].z", "a[1].b[^2..].c"},
		{"a[].b", "x.y", "a[].b"},
		{"a.b", "x[0].y", "a.b"},
	} {
		if got := picksBack(tt.into, tt.name); got != tt.want {
			t.Errorf("%s with those of %s: %s, want %s", tt.into, tt.name, got, tt.want)
		}
	}
}

// TestWeights: of several reasons the one is told that the user can do most about.
func TestWeights(t *testing.T) {
	last := -1
	for _, code := range []diag.Code{"", diag.ExtraProviderUnavailable, diag.ExtraProviderFailed, diag.ExtraProviderTimeout, diag.ExtraPermissionUnavailable} {
		if w := (attempt{code: code}).weight(); w <= last {
			t.Errorf("%s weighs %d", code, w)
		} else {
			last = w
		}
	}
}
