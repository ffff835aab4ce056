package repository_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// changeCases are repositories with what is found of them: "": what git says;
// else why it is unknown.
var changeCases = []struct {
	name    string
	prepare func(w *world)
	want    string
}{
	{"clean", func(w *world) {}, ""},
	{"settled", func(w *world) { w.settle() }, ""},
	{"changed, same size", func(w *world) { w.write("a.txt", "b\n") }, ""},
	{"changed, other size", func(w *world) { w.write("a.txt", "bb\n") }, ""},
	{"changed after settling", func(w *world) { w.settle(); w.write("sub/deep/c.txt", "x\n") }, ""},
	{"touched", func(w *world) { w.settle(); w.touch("a.txt") }, ""},
	{"gone", func(w *world) { w.must(os.Remove(w.path("sub/b.txt"))) }, ""},
	{"folder gone", func(w *world) { w.must(os.RemoveAll(w.path("sub"))) }, ""},
	{"folder instead of a file", func(w *world) { w.must(os.Remove(w.path("a.txt"))); w.write("a.txt/x", "") }, ""},
	{"file instead of a folder", func(w *world) { w.must(os.RemoveAll(w.path("sub"))); w.write("sub", "") }, ""},
	{"link instead of a folder", func(w *world) {
		w.must(os.Rename(w.path("sub"), w.path("../elsewhere")))
		w.must(os.Symlink("../elsewhere", w.path("sub")))
	}, ""},
	{"link instead of a file", func(w *world) { w.must(os.Remove(w.path("a.txt"))); w.must(os.Symlink("sub-1", w.path("a.txt"))) }, ""},
	{"link", func(w *world) {
		w.must(os.Symlink("a.txt", w.path("l")))
		w.git("add", ".")
		w.git("commit", "-qm", "2")
	}, ""},
	{"link to elsewhere", func(w *world) {
		w.must(os.Symlink("a.txt", w.path("l")))
		w.git("add", ".")
		w.git("commit", "-qm", "2")
		w.must(os.Remove(w.path("l")))
		w.must(os.Symlink("b.txt", w.path("l")))
	}, ""},
	{"new file", func(w *world) { w.write("sub/new", "") }, ""},
	{"new folder", func(w *world) { w.write("new/a/b", "") }, ""},
	{"empty folder", func(w *world) { w.must(os.MkdirAll(w.path("x/y"), 0o700)) }, ""},
	{"ignored file", func(w *world) { w.write(".git/info/exclude", "*.o\n"); w.write("sub/x.o", "") }, ""},
	{"folder of ignored files", func(w *world) { w.write(".git/info/exclude", "*.o\n"); w.write("new/x.o", "") }, ""},
	{"ignored folder with known files", func(w *world) { w.write(".git/info/exclude", "sub/\n"); w.write("sub/new", "") }, ""},
	{"kept after all", func(w *world) { w.write(".git/info/exclude", "*.o\n!x.o\n"); w.write("x.o", "") }, ""},
	{"gitignore", func(w *world) {
		w.write(".gitignore", "*.o\n/.gitignore\n")
		w.write("sub/.gitignore", "!keep.o\n.gitignore\n")
		w.write("sub/x.o", "")
	}, ""},
	{"gitignore of a folder", func(w *world) {
		w.write(".gitignore", "*.o\n/.gitignore\n")
		w.write("sub/.gitignore", "!keep.o\n.gitignore\n")
		w.write("sub/keep.o", "")
	}, ""},
	{"the user's own list", func(w *world) { w.write("../home/.config/git/ignore", "*.o\n"); w.write("x.o", "") }, ""},
	{"a list of the user's settings", func(w *world) {
		w.write("../home/.gitconfig", "[user]\n\tname = n\n[core]\n\texcludesFile = ~/mine\n")
		w.write("../home/mine", "*.o\n")
		w.write("x.o", "")
	}, ""},
	{"settings in pieces", func(w *world) {
		w.write("../home/.gitconfig", "[include]\n\tpath = more\n")
		w.write("../home/more", "[core]\n\texcludesfile = /x\n")
		w.write("x.o", "")
	}, "it cannot be read which files are ignored"},
	{"harmless settings in pieces", func(w *world) {
		w.write("../home/.gitconfig", "[include]\n\tpath = more\n")
		w.write("../home/more", "[user]\n\tname = x\n")
		w.write("x.o", "")
	}, ""},
	{"staged", func(w *world) { w.write("new", ""); w.git("add", "new") }, ""},
	{"staged, then as before", func(w *world) { w.write("a.txt", "x\n"); w.git("add", "."); w.write("a.txt", "a\n") }, ""},
	{"staged removal", func(w *world) { w.git("rm", "-q", "--cached", "a.txt"); w.write(".git/info/exclude", "a.txt\n") }, ""},
	{"to be added", func(w *world) { w.write("new", ""); w.git("add", "-N", "new") }, ""},
	{"assumed", func(w *world) { w.git("update-index", "--assume-unchanged", "a.txt"); w.write("a.txt", "xxx\n") }, ""},
	{"conflict", func(w *world) {
		w.git("checkout", "-q", "-b", "other")
		w.write("a.txt", "other\n")
		w.git("commit", "-qam", "2")
		w.git("checkout", "-q", "main")
		w.write("a.txt", "mine\n")
		w.git("commit", "-qam", "3")
		w.git("read-tree", "-m", "main~1", "main", "other")
	}, ""},
	{"version 4", func(w *world) { w.git("update-index", "--index-version", "4") }, ""},
	{"version 4, changed", func(w *world) { w.git("update-index", "--index-version", "4"); w.write("sub/b.txt", "x\n") }, ""},
	{"version 3", func(w *world) { w.git("update-index", "--skip-worktree", "a.txt"); w.must(os.Remove(w.path("a.txt"))) }, ""},
	{"no sum", func(w *world) {
		w.git("config", "index.skipHash", "true")
		w.write("z", "")
		w.git("add", "z")
		w.git("commit", "-qm", "2")
	}, ""},
	{"packed", func(w *world) { w.git("gc", "-q") }, ""},
	{"packed, changed", func(w *world) { w.git("gc", "-q"); w.write("a.txt", "x\n") }, ""},
	{"packed commits of long texts", func(w *world) {
		for range 30 {
			w.git("commit", "-q", "--allow-empty", "-m", strings.Repeat("all work and no play\n", 200))
		}
		w.git("repack", "-q", "-a", "-d", "-f", "--depth=50", "--window=50")
		w.git("checkout", "-q", "HEAD~20")
	}, ""},
	{"large pack", func(w *world) {
		var stream strings.Builder
		for i := range 4000 {
			fmt.Fprintf(&stream, "commit refs/heads/big\ncommitter n <e@example.org> %d +0000\ndata 1\nx\nM 644 inline f\ndata %d\n%d\n", 1_700_000_000+i, len(fmt.Sprint(i)), i)
		}
		w.write("../stream", stream.String())
		w.git("-c", "fastimport.unpackLimit=1", "-c", "alias.in=!git fast-import --quiet <../stream", "in")
		w.git("checkout", "-q", "big~1234")
	}, ""},
	{"old pack index", func(w *world) { w.git("-c", "pack.indexVersion=1", "repack", "-q", "-a", "-d", "-f") }, ""},
	{"detached", func(w *world) { w.git("checkout", "-q", "--detach") }, ""},
	{"unborn", func(w *world) { w.git("checkout", "-q", "--orphan", "fresh") }, ""},
	{"unborn, empty", func(w *world) {
		w.git("checkout", "-q", "--orphan", "fresh")
		w.git("rm", "-qrf", ".")
	}, ""},
	{"no index", func(w *world) { w.must(os.Remove(w.path(".git/index"))) }, ""},
	{"linked work tree", func(w *world) {
		w.git("worktree", "add", "-q", "-b", "side", "../side")
		w.top = filepath.Join(w.base, "side")
	}, ""},
	{"linked work tree, changed", func(w *world) {
		w.git("worktree", "add", "-q", "-b", "side", "../side")
		w.top = filepath.Join(w.base, "side")
		w.write("a.txt", "x\n")
	}, ""},
	{"sparse", func(w *world) {
		w.git("sparse-checkout", "init", "--cone", "--sparse-index")
		w.git("sparse-checkout", "set", "other")
	}, ""},
	{"nested repository", func(w *world) {
		w.write("inner/x", "")
		w.git("init", "-q", "inner")
	}, ""},
	{"mode", func(w *world) { w.settle(); w.must(os.Chmod(w.path("a.txt"), 0o700)) }, "it is a setting of the repository whether the mode of a file counts"},
	{"split index", func(w *world) { w.git("update-index", "--split-index") }, "its index is split in two"},
	{"filter, not touched", func(w *world) {
		w.write(".gitattributes", "* filter=x\n")
		w.git("add", ".")
		w.git("commit", "-qm", "2")
		w.settle()
	}, ""},
	{"filter", func(w *world) {
		w.write(".gitattributes", "* filter=x\n")
		w.git("add", ".")
		w.git("commit", "-qm", "2")
		w.settle()
		w.touch("a.txt")
	}, "it is a setting of the repository how the content of a file counts"},
	{"ends of lines", func(w *world) {
		w.git("config", "core.autocrlf", "true")
		w.write("a.txt", "a\r\n")
		w.git("add", ".")
		w.touch("a.txt")
	}, "it is a setting of the repository how the content of a file counts"},
	{"replaced", func(w *world) {
		w.git("commit", "-q", "--allow-empty", "-m", "2")
		w.git("replace", "HEAD", "HEAD~1")
	}, "its last commit was replaced by another"},
	{"commit gone", func(w *world) {
		w.must(os.RemoveAll(w.path(".git/objects")))
		w.must(os.MkdirAll(w.path(".git/objects"), 0o700))
	}, "its last commit is not among its own objects"},
	{"commit gone, but a change", func(w *world) {
		w.must(os.RemoveAll(w.path(".git/objects")))
		w.must(os.MkdirAll(w.path(".git/objects"), 0o700))
		w.write("a.txt", "long\n")
	}, "yes"},
	{"not complete", func(w *world) { w.must(os.RemoveAll(w.path(".git/refs"))) }, "its git folder is not complete"},
	{"index of nonsense", func(w *world) { w.write(".git/index", strings.Repeat("DIRC", 100)) }, "its index cannot be understood"},
	{"reftable", func(w *world) {
		w.must(os.MkdirAll(w.path(".git/reftable"), 0o700))
		w.write(".git/HEAD", "ref: refs/heads/.invalid\n")
	}, "its references are kept in a reftable"},
	{"strange reference", func(w *world) { w.write(".git/HEAD", "ref: refs/heads/../../../../etc/passwd\n") }, "its HEAD names no branch"},
}

// wide are the cases that the other format of objects has too.
var wide = map[string]bool{
	"clean": true, "changed, same size": true, "staged": true, "version 4": true, "no sum": true, "packed commits of long texts": true,
	"old pack index": true, "unborn": true, "no index": true, "sparse": true, "conflict": true,
}

func TestHasChanges(t *testing.T) {
	for _, tt := range changeCases {
		formats := []string{"sha1"}
		if wide[tt.name] {
			formats = append(formats, "sha256")
		}
		for _, format := range formats {
			t.Run(tt.name+"/"+format, func(t *testing.T) {
				t.Parallel()
				w := newWorld(t, "--object-format="+format)
				tt.prepare(w)
				want := tt.want
				if want == "" {
					want = w.truth()
				}
				if got := w.told(); got != want {
					t.Errorf("%q, want %q\n%s", got, want, w.git("status", "--porcelain"))
				}
			})
		}
	}
}
