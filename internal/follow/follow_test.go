package follow_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/pertain-dev/pertain/internal/files"
	"github.com/pertain-dev/pertain/internal/follow"
)

// followed begins to follow what look reads and returns the channel of what it saw
// each time, until the test ends.
func followed(ctx context.Context, t *testing.T, opts follow.Options, look func(ctx context.Context) string) <-chan string {
	t.Helper()
	ctx, stop := context.WithCancel(ctx)
	seen := make(chan string, 1000)
	done := make(chan error, 1)
	opts.Debounce = time.Millisecond
	go func() {
		done <- follow.Changes(ctx, opts, func(ctx context.Context) (time.Duration, error) {
			seen <- look(ctx)
			return 0, nil
		})
	}()
	t.Cleanup(func() {
		stop()
		if err := <-done; err != nil {
			t.Error(err)
		}
	})
	return seen
}

// until waits for a look that saw this. The limit ends a broken run.
func until(t *testing.T, seen <-chan string, want string) {
	t.Helper()
	got, limit := "nothing", time.After(20*time.Second)
	for got != want {
		select {
		case got = <-seen:
		case <-limit:
			t.Fatalf("seen last was %q, want %q", got, want)
		}
	}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func putFile(t *testing.T, path, text string) {
	t.Helper()
	must(t, os.MkdirAll(filepath.Dir(path), 0o755))
	must(t, os.WriteFile(path, []byte(text), 0o644))
}

// TestFollow changes what a file says in all ways that do not touch its name.
// Each change has to be noticed by what the system tells alone, and by looking
// alone.
func TestFollow(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("links need a right that tests do not have")
	}
	for _, test := range []struct {
		name   string
		make   func(t *testing.T, at func(string) string)
		before string
		do     func(t *testing.T, at func(string) string)
		after  string
	}{
		{
			name: "a file is written", before: "1", after: "22", do: func(t *testing.T, at func(string) string) { putFile(t, at("file"), "22") },
			make: func(t *testing.T, at func(string) string) { putFile(t, at("file"), "1") },
		},
		{
			name: "a file appears, with its folders", before: "", after: "1", do: func(t *testing.T, at func(string) string) { putFile(t, at("file"), "1") },
			make: func(*testing.T, func(string) string) {},
		},
		{
			name: "a file of the same size and time", before: "1", after: "2", make: func(t *testing.T, at func(string) string) { putFile(t, at("file"), "1") },
			do: func(t *testing.T, at func(string) string) {
				info, err := os.Stat(at("file"))
				must(t, err)
				putFile(t, at("file"), "2")
				must(t, os.Chtimes(at("file"), time.Time{}, info.ModTime()))
			},
		},
		{
			name: "the target of a link is written", before: "1", after: "2",
			make: func(t *testing.T, at func(string) string) {
				putFile(t, at("far/x"), "1")
				symlink(t, "../../far/x", at("file"))
			},
			do: func(t *testing.T, at func(string) string) { putFile(t, at("far/x"), "2") },
		},
		{
			name: "the target of a link is replaced", before: "1", after: "2",
			make: func(t *testing.T, at func(string) string) {
				putFile(t, at("far/x"), "1")
				symlink(t, at("far/x"), at("file"))
			},
			do: func(t *testing.T, at func(string) string) {
				putFile(t, at("far/y"), "2")
				must(t, os.Rename(at("far/y"), at("far/x")))
			},
		},
		{
			name: "the target of a link is removed", before: "1", after: "",
			make: func(t *testing.T, at func(string) string) {
				putFile(t, at("far/x"), "1")
				symlink(t, at("far/x"), at("file"))
			},
			do: func(t *testing.T, at func(string) string) { must(t, os.Remove(at("far/x"))) },
		},
		{
			name: "the target of a link is made", before: "", after: "1",
			make: func(t *testing.T, at func(string) string) { symlink(t, at("far/deep/x"), at("file")) },
			do:   func(t *testing.T, at func(string) string) { putFile(t, at("far/deep/x"), "1") },
		},
		{
			name: "a link in the middle of a chain", before: "1", after: "2",
			make: func(t *testing.T, at func(string) string) {
				putFile(t, at("far/x"), "1")
				putFile(t, at("far/y"), "2")
				symlink(t, "x", at("far/middle"))
				symlink(t, at("far/middle"), at("file"))
			},
			do: func(t *testing.T, at func(string) string) {
				must(t, os.Remove(at("far/middle")))
				symlink(t, "y", at("far/middle"))
			},
		},
		{
			name: "a linked folder on the way of a link", before: "1", after: "2",
			make: func(t *testing.T, at func(string) string) {
				putFile(t, at("one/x"), "1")
				putFile(t, at("two/x"), "2")
				symlink(t, "one", at("now"))
				symlink(t, at("now/x"), at("file"))
			},
			do: func(t *testing.T, at func(string) string) {
				symlink(t, "two", at("next"))
				must(t, os.Rename(at("next"), at("now")))
			},
		},
		{
			name: "a cycle is broken", before: "", after: "1",
			make: func(t *testing.T, at func(string) string) {
				symlink(t, at("b"), at("file"))
				symlink(t, at("file"), at("b"))
			},
			do: func(t *testing.T, at func(string) string) { must(t, os.Remove(at("b"))); putFile(t, at("b"), "1") },
		},
		{
			name: "another name of the file is written", before: "1", after: "2",
			make: func(t *testing.T, at func(string) string) {
				putFile(t, at("far/x"), "1")
				must(t, os.MkdirAll(filepath.Dir(at("file")), 0o755))
				must(t, os.Link(at("far/x"), at("file")))
			},
			do: func(t *testing.T, at func(string) string) { putFile(t, at("far/x"), "2") },
		},
		{
			name: "a folder far above is moved away", before: "1", after: "",
			make: func(t *testing.T, at func(string) string) { putFile(t, at("file"), "1") },
			do:   func(t *testing.T, at func(string) string) { must(t, os.Rename(at(""), at("")+".away")) },
		},
		{
			name: "a folder far above comes back", before: "", after: "1",
			make: func(t *testing.T, at func(string) string) {
				putFile(t, at("file"), "1")
				must(t, os.Rename(at(""), at("")+".away"))
			},
			do: func(t *testing.T, at func(string) string) { must(t, os.Rename(at("")+".away", at(""))) },
		},
	} {
		for name, means := range map[string]follow.Means{"told": {Blind: true}, "looked": {Deaf: true}} {
			if means.Blind && runtime.GOOS != "linux" {
				continue // elsewhere the system is not asked for all of it
			}
			t.Run(test.name+"/"+name, func(t *testing.T) {
				t.Parallel()
				base := t.TempDir()
				at := func(name string) string {
					if name == "file" {
						name = "near/by/file"
					}
					return filepath.Join(base, "top", "of", filepath.FromSlash(name))
				}
				must(t, os.MkdirAll(at(""), 0o755))
				test.make(t, at)
				seen := followed(follow.Restrict(t.Context(), means), t, follow.Options{}, func(ctx context.Context) string {
					text, _ := follow.Noted(ctx, files.OS()).ReadFile(at("file"), 0)
					return string(text)
				})
				until(t, seen, test.before)
				test.do(t, at)
				until(t, seen, test.after)
			})
		}
	}
}

func symlink(t *testing.T, to, path string) {
	t.Helper()
	must(t, os.MkdirAll(filepath.Dir(path), 0o755))
	must(t, os.Symlink(to, path))
}

// TestFollowFolders holds that who lists a folder hears of its names, and of
// nothing else, by whatever link it came there.
func TestFollowFolders(t *testing.T) {
	means := map[string]follow.Means{"told": {Blind: true}, "looked": {Deaf: true}, "both": {}}
	if runtime.GOOS != "linux" {
		delete(means, "told") // the system is not asked for all of it
	}
	for name, means := range means {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			testFollowFolders(follow.Restrict(t.Context(), means), t)
		})
	}
}

func testFollowFolders(ctx context.Context, t *testing.T) {
	base := t.TempDir()
	at := func(name string) string { return filepath.Join(base, name) }
	must(t, os.MkdirAll(at("real"), 0o755))
	if err := os.Symlink("real", at("one")); err != nil {
		t.Skip(err)
	}
	symlink(t, at("one"), at("two"))
	names := func(tree files.Tree, folder string) (out string) {
		entries, _ := tree.ReadDir(folder)
		for _, e := range entries {
			out += " " + e.Name
		}
		return out
	}
	seen := followed(ctx, t, follow.Options{}, func(ctx context.Context) string {
		tree := follow.Noted(ctx, files.OS())
		return names(tree, at("one")) + " |" + names(tree, at("two"))
	})
	until(t, seen, " |")
	putFile(t, at("real/a"), "")
	until(t, seen, " a | a")
	putFile(t, at("real/b"), "")
	until(t, seen, " a b | a b")
	putFile(t, at("other/c"), "")
	must(t, os.Remove(at("two")))
	symlink(t, "other", at("two"))
	until(t, seen, " a b | c")
	putFile(t, at("other/d"), "")
	until(t, seen, " a b | c d")
	must(t, os.Rename(at("real"), at("gone")))
	until(t, seen, " | c d")
	must(t, os.Rename(at("gone"), at("real")))
	until(t, seen, " a b | c d")
}

// TestFollowMeanwhile changes a file while it is looked at, after it was read and
// before anything there is watched.
func TestFollowMeanwhile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "deep", "file")
	putFile(t, path, "1")
	seen := followed(follow.Restrict(t.Context(), follow.Means{Blind: true}), t, follow.Options{}, func(ctx context.Context) string {
		text, _ := follow.Noted(ctx, files.OS()).ReadFile(path, 0)
		if string(text) == "1" {
			putFile(t, path, "22")
		}
		return string(text)
	})
	until(t, seen, "22")
}

// TestFollowIsQuiet holds that what was not read is not followed: neither what
// is in a folder that was not listed, nor what files say whose names were read.
func TestFollowIsQuiet(t *testing.T) {
	base := t.TempDir()
	at := func(name string) string { return filepath.Join(base, name) }
	putFile(t, at("listed/name"), "")
	putFile(t, at("read/file"), "1")
	looks := 0
	seen := followed(follow.Restrict(t.Context(), follow.Means{Blind: true}), t, follow.Options{}, func(ctx context.Context) string {
		looks++
		tree := follow.Noted(ctx, files.OS())
		_, _ = tree.ReadDir(at("listed"))
		text, _ := tree.ReadFile(at("read/file"), 0)
		return string(text)
	})
	until(t, seen, "1")
	for range 20 {
		putFile(t, at("listed/name"), "text")
		putFile(t, at("read/other"), "text")
		putFile(t, at("beside"), "text")
	}
	putFile(t, at("read/file"), "2")
	until(t, seen, "2")
	if looks > 4 { // two for each of the writes above, which come in two parts
		t.Errorf("looked %d times", looks)
	}
}

// TestFollowEnds holds that an error of the look ends it, that a time that it asks
// for is kept, and that reading by its tree afterwards does no harm.
func TestFollowEnds(t *testing.T) {
	defer goleak.VerifyNone(t, goleak.IgnoreCurrent())
	broken := errors.New("broken")
	looks := 0
	var kept files.Tree
	err := follow.Changes(t.Context(), follow.Options{}, func(ctx context.Context) (time.Duration, error) {
		if kept != nil {
			_, _ = kept.ReadDir(t.TempDir())
		}
		kept = follow.Noted(ctx, files.OS())
		if looks++; looks == 3 {
			return 0, broken
		}
		return time.Millisecond, nil
	})
	if !errors.Is(err, broken) || looks != 3 {
		t.Errorf("%v after %d looks", err, looks)
	}
}

// TestFollowLimit holds that folders beyond the limit are looked at, and that it is told once.
func TestFollowLimit(t *testing.T) {
	base := t.TempDir()
	at := func(name string) string { return filepath.Join(base, name) }
	putFile(t, at("z/file"), "1")
	told := make(chan error, 10)
	seen := followed(t.Context(), t, follow.Options{MaxFolders: 1, Unwatched: func(err error) { told <- err }}, func(ctx context.Context) string {
		text, _ := follow.Noted(ctx, files.OS()).ReadFile(at("z/file"), 0)
		return string(text)
	})
	until(t, seen, "1")
	putFile(t, at("z/file"), "22")
	until(t, seen, "22")
	var limit *files.LimitError
	if err := <-told; !errors.As(err, &limit) || len(told) > 0 {
		t.Errorf("told %v, and %d more", err, len(told))
	}
}

// TestNoted holds that only the real disk is noted, and only where something is followed.
func TestNoted(t *testing.T) {
	memory := files.Tree(files.NewMemory(files.Unix))
	if got := follow.Noted(t.Context(), files.OS()); got != files.OS() {
		t.Errorf("without Changes the tree is %T", got)
	}
	_ = follow.Changes(t.Context(), follow.Options{}, func(ctx context.Context) (time.Duration, error) {
		if follow.Noted(ctx, memory) != memory || follow.Noted(ctx, files.OS()) == files.OS() {
			t.Error("the wrong tree is noted")
		}
		if follow.HasListed(ctx, t.TempDir()) || follow.CountNotes(ctx) != 0 {
			t.Error("something is noted that was not read")
		}
		return 0, os.ErrClosed
	})
}

// TestOverlaid: an overlay stands for the disk, and for nothing else.
func TestOverlaid(t *testing.T) {
	memory := files.NewMemory(files.Unix)
	tree := files.NewOverlay(memory, map[string]string{"/w/new.md": "new"})
	ctx := follow.Overlaid(t.Context(), tree)
	if follow.Noted(ctx, files.OS()) != tree || follow.Noted(ctx, memory) == tree {
		t.Error("the wrong tree is overlaid")
	}
}
