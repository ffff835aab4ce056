package terminal

import (
	"strings"
	"testing"

	"github.com/pertain-dev/pertain/collect/internal/process"
)

// tabsOf makes tabs of "folder program" each.
func tabsOf(list ...string) []tab {
	var tabs []tab
	for i, one := range list {
		folder, program, _ := strings.Cut(one, " ")
		tabs = append(tabs, tab{Terminal: process.Terminal{Shell: i + 1, Front: i + 1}, folders: []string{folder}, home: "/home/u", program: program})
	}
	return tabs
}

func TestNamed(t *testing.T) {
	for _, tt := range []struct {
		title string
		tabs  []tab
		want  int // -1: nobody knows
	}{
		{"u@host: ~/a", tabsOf("/home/u/a", "/home/u/b"), 0},
		{"Terminal - u@host: ~/b", tabsOf("/home/u/a", "/home/u/b"), 1},
		{"/srv/x: bash", tabsOf("/srv", "/srv/x", "/srv/x/y"), 1},
		{"~", tabsOf("/home/u/a", "/home/u"), 1},
		{"~/a b", tabsOf("/home/u/a", "/home/u/b"), 0},
		{"~/a-b", tabsOf("/home/u/a", "/home/u/b"), -1},
		{"~/ab", tabsOf("/home/u/a", "/home/u/b"), -1},
		{"~/c/b", tabsOf("/home/u/a", "/home/u/b"), -1},
		{"~/a", tabsOf("/home/u/a", "/home/u/a"), -1},
		{"Terminal", tabsOf("/home/u/a", "/home/u/b"), -1},
		{"", tabsOf("/home/u/a", "/home/u/b"), -1},
		{"u@far: ~/b", tabsOf("/home/u/a ssh", "/home/u/b"), -1},
		{"x (~/b) - VIM", tabsOf("/home/u/a vim", "/home/u/b"), -1},
		{"x (~/a) - VIM", tabsOf("/home/u/a vim", "/home/u/b"), 0},
		{"~/b", tabsOf("/home/u/a make", "/home/u/b"), 1},
	} {
		got, ok := named(tt.title, tt.tabs)
		if !ok {
			got = -1
		}
		if got != tt.want {
			t.Errorf("%q: tab %d, want %d", tt.title, got, tt.want)
		}
	}
}

func TestPrompted(t *testing.T) {
	tabs := tabsOf("/home/u/a", "/home/u/b")
	for _, tt := range []struct {
		text string
		want int
	}{
		{"u@host:~/a$ ls\nx\nu@host:~/b$ \n\n", 1},
		{"u@host:~/b$ cd ../a\nu@host:~/a$", 0},
		{"u@host:~/a$ cd ~/b", 0},
		{"$ cd ~/b", -1},
		{"~/b", -1},
		{"~/b ❯ git status", 1},
		{"", -1},
	} {
		got, ok := prompted(tt.text, tabs)
		if !ok {
			got = -1
		}
		if got != tt.want {
			t.Errorf("%q: tab %d, want %d", tt.text, got, tt.want)
		}
	}
	if _, ok := prompted("u@host:~/b$ ", tabsOf("/home/u/a less", "/home/u/b")); ok {
		t.Error("what a program shows is no prompt")
	}
}

func TestKittyShell(t *testing.T) {
	const list = `[{"is_focused":false,"platform_window_id":7,"tabs":[{"is_focused":true,"windows":[{"is_focused":true,"pid":1}]}]},
		{"is_focused":true,"platform_window_id":8,"tabs":[{"is_focused":false,"windows":[{"is_focused":true,"pid":2}]},
		{"is_focused":true,"windows":[{"is_focused":false,"pid":3},{"is_focused":true,"pid":4}]}]}]`
	for _, tt := range []struct {
		list string
		id   uint32
		want int
	}{{list, 8, 4}, {list, 0, 4}, {list, 7, 0}, {"[]", 8, 0}, {"{", 8, 0}} {
		if got, ok := kittyShell(tt.list, tt.id); got != tt.want || ok != (tt.want > 0) {
			t.Errorf("window %d: %d, want %d", tt.id, got, tt.want)
		}
	}
}

func FuzzPrompted(f *testing.F) {
	f.Add("u@host:~/a$ ls")
	f.Fuzz(func(_ *testing.T, text string) {
		prompted(text, tabsOf("/home/u/a", "/home/u/b"))
		named(text, tabsOf("/home/u/a", "/home/u/b"))
	})
}
