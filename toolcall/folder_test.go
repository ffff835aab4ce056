package toolcall_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/pertain-dev/pertain/toolcall"
)

// doc is a command that writes a file by a here-document.
const doc = "cat > x.ts <<EOF\nV\nEOF\n"

// patchDoc is a patch for a command that takes one.
const patchDoc = " <<'EOF'\n--- a/x.ts\n+++ b/x.ts\n@@ -0,0 +1 @@\n+V\nEOF\n"

// TestFolders: names of files count from the folder that a script has changed to.
func TestFolders(t *testing.T) {
	for _, c := range []struct{ script, want string }{
		{"cd src && " + doc, "src/x.ts"},
		{"cd src\n" + doc, "src/x.ts x.ts"},
		{"cd src; cd ../lib && " + doc, "lib/x.ts ../lib/x.ts"},
		{"cd -P -- 'my src' && " + doc, "my src/x.ts"},
		{"cd /abs/src && " + doc, "/abs/src/x.ts"},
		{"cd src && cat > /abs/x.ts <<EOF\nV\nEOF\n", "/abs/x.ts"},
		{"cd src && cd - && " + doc, "x.ts"},
		{"cd src || exit 1; " + doc, "src/x.ts x.ts"},
		{"cd src || exit 1\n" + doc, "src/x.ts x.ts"},
		{"mkdir -p src && cd src && tee x.ts <<EOF\nV\nEOF\n", "src/x.ts"},
		{"cd src && sudo -u root tee -a x.ts <<EOF\nV\nEOF\n", "src/x.ts"},
		{"cd src && cat <<EOF | tee x.ts\nV\nEOF\n", "src/x.ts"},
		{"pushd src && " + doc, "src/x.ts"},
		{"pushd src >/dev/null; pushd lib; popd; " + doc, "src/x.ts x.ts"},
		{"pushd src; popd\n" + doc, "x.ts"},
		{"(cd src && make); " + doc, "x.ts"},
		{"(cd src && " + strings.TrimSuffix(doc, "\n") + "\n)", "src/x.ts"},
		{"cd src && (cd lib; ls) && " + doc, "src/x.ts"},
		{"if cd src; then\n" + doc + "fi\n", "src/x.ts x.ts"},
		{"bash -lc 'cd src && cat > x.ts <<EOF\nV\nEOF'\n", "src/x.ts"},
		{"bash -c 'cd src && ls'; " + doc, "x.ts"},
		{"bash -c 'cd src && cat > y <<EOF\nEOF'\n" + doc, "x.ts"},
		{"cd src | cat; " + doc, "x.ts"},
		{"env -C src tee x.ts <<EOF\nV\nEOF\n", "src/x.ts"},
		{"env --chdir=src A=b tee x.ts <<EOF\nV\nEOF\n", "src/x.ts"},
		{"cd src && patch -p1" + patchDoc, "src/x.ts"},
		{"patch -p1 -d src" + patchDoc, "src/x.ts"},
		{"patch --directory=src -p1" + patchDoc, "src/x.ts"},
		{"git -C src apply" + patchDoc, "src/x.ts"},
		{"git -c a=b -C src -C lib apply -" + patchDoc, "src/lib/x.ts"},
		{"git apply --directory=src" + patchDoc, "src/x.ts"},
		{"cd src && git apply" + strings.ReplaceAll(patchDoc, "/x.ts", "/src/x.ts"), "src/x.ts"}, // from the top of the repository
		{"cd src && apply_patch <<'EOF'\n*** Begin Patch\n*** Add File: x.ts\n+V\n*** End Patch\nEOF\n", "src/x.ts"},
		{"cd src && apply_patch '*** Begin Patch\n*** Add File: x.ts\n+V\n*** End Patch'\n", "src/x.ts"},
		// The name before `..` may be a link, which is followed first.
		{"cd src && cat > ../x.ts <<EOF\nV\nEOF\n", "src/../x.ts"},
		{"cd src/.. && " + doc, "src/../x.ts"},
		{"cd src && cd .. && " + doc, "x.ts"},
		{"cd src && cd -P .. && " + doc, "src/../x.ts"},
		{"cd /abs/src && cat > ../x.ts <<EOF\nV\nEOF\n", "/abs/src/../x.ts"},
		{"cd src && env -C .. tee x.ts <<EOF\nV\nEOF\n", "src/../x.ts"},
		{"cd .. && " + doc, "../x.ts"},
		// Where a script may not have changed to a folder, both names count.
		{"cd build 2>/dev/null; " + doc, "build/x.ts x.ts"},
		{"cd lib & " + doc, "lib/x.ts x.ts"},
		{"[ -d b ] && cd b; " + doc, "b/x.ts x.ts"},
		{"false && cd lib && true; " + doc, "lib/x.ts x.ts"},
		{"f() { cd lib; }; " + doc, "lib/x.ts x.ts"},
		{"cd src &&\n" + doc, "src/x.ts"},
		{"cd src || cd lib; " + doc, "src/x.ts x.ts src/lib/x.ts lib/x.ts"},
		{"cd src; cd none; " + doc, "src/none/x.ts none/x.ts src/x.ts x.ts"},
		{"cd src && cd none; " + doc, "src/none/x.ts x.ts src/x.ts"},
		{"[ -d none ] && cd none; (cd lib && " + strings.TrimSuffix(doc, "\n") + "\n)", "none/lib/x.ts lib/x.ts"},
		{"cd src; patch -p1" + patchDoc, "src/x.ts x.ts"},
		{"cd src; git apply" + patchDoc, "src/x.ts x.ts"},
		{"cd src; apply_patch '*** Begin Patch\n*** Add File: x.ts\n+V\n*** End Patch'\n", "src/x.ts x.ts"},
		{"tee a.txt src/x.ts <<EOF\nV\nEOF\n", "a.txt src/x.ts"},
		// What reading cannot tell leaves names as they are.
		{"cd \"$DIR\" && " + doc, "x.ts"},
		{"cd ~/src && " + doc, "~/src/x.ts"},
		{"cd $(git rev-parse --show-toplevel) && " + doc, "x.ts"},
		{"cd && " + doc, "~/x.ts"},
		{"cd $HOME/w; " + doc, "~/w/x.ts x.ts"},
		{"cat > \"${HOME}/x.ts\" <<EOF\nV\nEOF\n", "~/x.ts"},
		{"true; HOME=/w; cat > $HOME/x.ts <<EOF\nV\nEOF\n", "/w/x.ts"},
		{"cd ~other/src && " + doc, "x.ts"},
		{"popd; " + doc, "x.ts"},
		{"cd \"$DIR\"; cd /abs; " + doc, "/abs/x.ts x.ts"},
		{"echo cd src; " + doc, "x.ts"},
	} {
		command, _ := json.Marshal(c.script)
		for form, call := range map[string][2]string{
			"text": {"Bash", `{"command":` + string(command) + `}`},
			"list": {"shell", `{"command":["bash","-lc",` + string(command) + `]}`},
		} {
			if form == "list" && (strings.Contains(c.script, "bash") || strings.HasPrefix(c.script, "if ") || strings.HasPrefix(c.script, "(")) {
				continue
			}
			var found []string
			for _, s := range toolcall.Read(call[0], call[1]) {
				if strings.HasPrefix(s.Text, "V\n") {
					found = append(found, s.Path)
				}
			}
			if got := strings.Join(found, " "); got != c.want {
				t.Errorf("%s %q: %q, want %q", form, c.script, got, c.want)
			}
		}
	}
}

// TestManyFolders: however often a script changes its folder, reading it takes no longer than it is long.
func TestManyFolders(t *testing.T) {
	for _, change := range []string{"pushd a;", "cd a && ", "cd a; "} {
		command, _ := json.Marshal(strings.Repeat(change, 50_000) + doc)
		all := toolcall.Read("Bash", `{"command":`+string(command)+`}`)
		if last := all[len(all)-1]; last.Text != "V\n" || len(last.Path) > 8<<10 {
			t.Errorf("%s: %d segments, the last of %d bytes", change, len(all), len(last.Path))
		}
	}
}

// TestFolderOfCall: a call may name the folder that its command is run in, before the command or after it.
func TestFolderOfCall(t *testing.T) {
	command, _ := json.Marshal("cd lib && " + doc)
	for _, c := range []struct{ tool, arguments, want string }{
		{"shell", `{"workdir":"/w/src","command":["bash","-lc",` + string(command) + `]}`, "/w/src/lib/x.ts"},
		{"exec_command", `{"cmd":` + string(command) + `,"workdir":"src"}`, "src/lib/x.ts"},
		{"run_shell_command", `{"command":` + string(command) + `,"dir_path":"src"}`, "src/lib/x.ts"},
		{"run_in_terminal", `{"command":` + string(command) + `,"cwd":""}`, "lib/x.ts"},
	} {
		for _, s := range toolcall.Read(c.tool, c.arguments)[1:] {
			if s.Path != c.want {
				t.Errorf("%s: %q, want %q", c.arguments, s.Path, c.want)
			}
		}
	}
}
