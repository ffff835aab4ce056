package strategy

import (
	"slices"
	"strings"
	"testing"
)

// TestIcons looks for every name in each of its forms, and for what is between them.
func TestIcons(t *testing.T) {
	names := strings.Fields(iconNames)
	if !slices.IsSortedFunc(names, func(a, b string) int { return strings.Compare(iconKey(a), iconKey(b)) }) {
		t.Fatal("icons.txt is not in the order of keys")
	}
	last := map[string]string{}
	for _, name := range names {
		last[iconKey(name)] = pascal(name)
	}
	for _, name := range names {
		for _, form := range []string{name, pascal(name), strings.ToUpper(name), strings.ReplaceAll(name, "-", "")} {
			if got, ok := icon(form); !ok || got != last[iconKey(name)] {
				t.Errorf("icon(%q) = %q, %v", form, got, ok)
			}
		}
		for _, none := range []string{name + "0x", name[:len(name)-1] + "\x00", "\x00" + name, "zz" + name} {
			if got, ok := icon(none); ok {
				t.Errorf("icon(%q) = %q", none, got)
			}
		}
	}
	if got, ok := icon(""); ok {
		t.Errorf("no name at all is %q", got)
	}
}

// TestIconsByPrefix: what somebody has typed so far is completed, in whichever form, once each and in order.
func TestIconsByPrefix(t *testing.T) {
	all := Icons("")
	if !slices.IsSorted(all) || len(slices.Compact(slices.Clone(all))) != len(all) || len(all) < 1000 {
		t.Errorf("%d names, sorted: %v", len(all), slices.IsSorted(all))
	}
	for _, prefix := range []string{"arrow-up", "ArrowUp", "arrowup"} {
		names := Icons(prefix)
		if len(names) < 2 || slices.ContainsFunc(names, func(name string) bool { return !strings.HasPrefix(name, "ArrowUp") }) {
			t.Errorf("%s: %v", prefix, names)
		}
	}
	if names := Icons("no such icon"); len(names) > 0 {
		t.Error(names)
	}
}
