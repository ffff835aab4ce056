package program_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/pertain-dev/pertain/internal/program"
)

// folderWith makes a program and returns its folder.
func folderWith(t *testing.T, dir string) string {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("programs of Windows are no scripts")
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "tool"), []byte("#!/bin/sh\necho \"$PWD $SECRET $KEPT\"\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	return dir
}

func TestFind(t *testing.T) {
	base, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	good := folderWith(t, filepath.Join(base, "bin"))
	work := filepath.Join(base, "work")
	inside := folderWith(t, filepath.Join(work, "tools"))
	linked := filepath.Join(base, "linked") // a folder of links into the workspace
	if err := os.MkdirAll(linked, 0o700); err != nil {
		t.Fatal(err)
	}
	link := func(target, name string) {
		t.Helper()
		if err := os.Symlink(target, name); err != nil {
			t.Fatal(err)
		}
	}
	link(filepath.Join(inside, "tool"), filepath.Join(linked, "tool"))
	link(inside, filepath.Join(base, "alias"))
	link(work, filepath.Join(base, "other-name"))
	plain := filepath.Join(base, "plain")
	if err := os.MkdirAll(filepath.Join(plain, "x", "tool"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(plain, "tool"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	t.Chdir(inside) // what an empty and a relative entry would mean

	for name, tt := range map[string]struct {
		path []string
		name string
		want string
	}{
		"found":                       {[]string{plain, good}, "tool", good},
		"an empty entry":              {[]string{"", good}, "tool", good},
		"only an empty entry":         {[]string{""}, "tool", ""},
		"a dot":                       {[]string{".", "tools", "../tools", "./"}, "tool", ""},
		"in the workspace":            {[]string{inside}, "tool", ""},
		"the workspace by a link":     {[]string{filepath.Join(base, "alias")}, "tool", ""},
		"a link into the workspace":   {[]string{linked, good}, "tool", good},
		"through dots":                {[]string{filepath.Join(good) + "/../work/tools"}, "tool", ""},
		"neither executable nor file": {[]string{plain, filepath.Join(plain, "x")}, "tool", ""},
		"a path":                      {[]string{base}, "bin/tool", ""},
		"an absolute path":            {[]string{base}, filepath.Join(good, "tool"), ""},
		"parent":                      {[]string{good}, "..", ""},
		"nothing":                     {[]string{good}, "", ""},
	} {
		for _, without := range []string{work, filepath.Join(base, "other-name")} {
			search := program.Search{Path: strings.Join(tt.path, string(os.PathListSeparator)), Without: []string{without, ""}}
			got, err := search.Find(tt.name)
			want := tt.want
			if want != "" {
				want = filepath.Join(want, "tool")
			}
			if got.Path() != want || (err == nil) != (want != "") || err != nil && !errors.Is(err, program.ErrNotFound) {
				t.Errorf("%s: %q, %v; want %q", name, got.Path(), err, want)
			}
		}
	}
	search := program.Search{Path: strings.Join([]string{"", ".", inside, good, linked, filepath.Join(base, "alias")}, string(os.PathListSeparator)), Without: []string{work}}
	if got, want := search.Folders(), good; got != want { // who is given the folder of links would start what they lead to
		t.Errorf("folders %q, want %q", got, want)
	}
}

// TestRun: a program gets the environment that it is given and no other, and its
// output has a limit.
func TestRun(t *testing.T) {
	dir := folderWith(t, t.TempDir())
	t.Setenv("SECRET", "secret")
	p, err := program.Search{Path: dir}.Find("tool")
	if err != nil {
		t.Fatal(err)
	}
	call := program.Call{Dir: dir}
	out, err := p.Output(t.Context(), call, 4096)
	if err != nil || strings.Contains(string(out), "secret") {
		t.Errorf("%q, %v", out, err)
	}
	call.Env = []string{"KEPT=kept"}
	if out, err := p.Output(t.Context(), call, 4096); err != nil || !strings.Contains(string(out), "kept") {
		t.Errorf("%q, %v", out, err)
	}
	if out, err := p.Output(t.Context(), call, 2); err == nil || out != nil {
		t.Errorf("%q, %v", out, err)
	}
	if err := (program.Program{}).Run(context.Background(), call); !errors.Is(err, program.ErrNotFound) {
		t.Error(err)
	}
	if _, err := program.Fixed("tool"); err == nil {
		t.Error("a relative path is fixed")
	}
	if _, err := program.Fixed(filepath.Join(dir, "tool")); err != nil {
		t.Error(err)
	}
}
