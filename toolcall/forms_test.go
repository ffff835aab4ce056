package toolcall_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pertain-dev/pertain/toolcall"
)

// written are the parts of a call with all files that they may be for; `*`: any.
func written(segments []toolcall.Segment) []string {
	var all []string
	for _, s := range segments {
		files := strings.Join(s.Paths(), ",")
		if s.Anywhere {
			files += "*"
		}
		all = append(all, fmt.Sprintf("%s %s %q", s.Kind, files, s.Text))
	}
	return all
}

// TestForms: what agents take for a file's content, or for a command, in forms of their own.
func TestForms(t *testing.T) {
	const apply = "*** Begin Patch\n"
	for _, tt := range []struct {
		name, tool string
		arguments  any
		want       []string
	}{
		{"omp's lines", "edit", in("input", "[a.ts#0127]\nPUT 1.=1:\n+V()\n+\n+ W\nCUT 4.=5 @x\n[src/b.ts#0AF1]\nPUT <1 @x\nPUT >$:\n++ X\n"), []string{`patch a.ts "V()\n\n W\n"`, `patch src/b.ts "+ X\n"`}},
		{"omp's lines in an envelope", "_edit", in("input", "\n"+apply+"[a.ts#0127]\nPUT 1*:\n+V\n*** End Patch"), []string{`patch a.ts "V\n"`}},
		{"omp's lines without marks", "edit", in("input", "[a.ts#0127]\nPUT 1.=2:\nV\n2:W\nPUT V()\n"), []string{`patch a.ts "V\n2:W\nPUT V()\n"`}},
		{"omp's names", "edit", in("input", "[*** Update File: \"a b.ts\"#0127]\nPUT 1.=1:\n+V\n"), []string{`patch *** Update File: "a b.ts" "V\n"`, `patch a b.ts "V\n"`}},
		{"omp moves", "edit", in("input", "[a.ts#0127]\nPUT 1.=1:\n+V\nMV 'lib/b.ts'\nPUT 3.=3:\n+W\n"), []string{`patch a.ts "V\nW\n"`, `patch lib/b.ts "V\nW\n"`}},
		{"an edit that nobody knows", "edit", in("input", "change V to W"), []string{`patch * "change V to W"`}},
		{"a patch of a named file", "edit", `{"diff":"V","path":"a.ts"}`, []string{`patch a.ts "V"`}},

		{"an argument that nobody knows", "Edit", `{"file_path":"a.ts","zzz":"V","old_string":"x","description":"d","mode":"m"}`, []string{`edit a.ts "V"`}},
		{"several", "Write", `{"zzz":"V","yyy":["W",{"x":"X"}],"file_path":"a.ts"}`, []string{`write a.ts "V"`, `write a.ts "W"`, `write a.ts "X"`}},
		{"one that looks like JSON", "Write", `{"zzz":"[x V","file_path":"a.ts"}`, []string{`write a.ts "[x V"`}},
		{"for no file", "Write", `{"zzz":"V"}`, []string{`write * "V"`}},
		{"beside a content", "Write", `{"zzz":"V","content":"","file_path":"a.ts"}`, []string{`write a.ts ""`}},
		{"a patch that nobody knows", "apply_patch", in("zzz", apply+"*** Add File: a.ts\n+V\n"), []string{`patch a.ts "V\n"`}},
		{"a command that nobody knows", "Bash", `{"zzz":"echo V > a.ts"}`, []string{`shell  "echo V > a.ts"`, `write a.ts "V\n"`}},

		{"headers after blanks", "apply_patch", apply + " \t*** Add File:\u00a0a.ts\u3000\n+V\n\u0085\v*** Add File: b.ts\n+W\n  *** End Patch\n", []string{`patch a.ts "V\n"`, `patch b.ts "W\n"`}},
		{"which may be lines", "apply_patch", apply + "*** Update File: a.ts\n@@\n *** Add File: b.ts\n+V\n *** Delete File: b.ts\n+W\n *** End Patch\n+X\n", []string{`patch a.ts "V\nW\nX\n"`, `patch b.ts "V\nW\nX\n"`}},
		{"which may be lines of a hunk", "apply_patch", "@@\n *** Add File: b.ts\n+V\n", []string{`patch * "V\n"`, `patch b.ts "V\n"`}[1:]},
		{"lines outside of hunks", "apply_patch", `{"type":"create_file","path":"a.ts","diff":"+++ b/o.md\n+V()\n"}`, []string{`patch o.md,a.ts "++ b/o.md\nV()\n"`}},
		{"a context diff", "patch", in("patch", "*** a.ts\t2020\n--- a.ts\t2021\n***************\n*** 1,2 ****\n! x\n--- 1,2 ----\n! V\n  *** Add File: z\n+ W\n***************\n*** 9 ****\n--- 9 ----\n+ X\n*** b.ts\n--- b.ts\n***************\n*** 1 ****\n--- 1,2 ----\n+ Y\n"), []string{`patch a.ts "x\nV\nW\nX\n"`, `patch b.ts "Y\n"`}},
		{"a file that is indexed", "patch", in("patch", "Index: a.ts\n=====\n@@ -1 +1 @@\n-x\n+V\n"), []string{`patch a.ts "V\n"`}},

		{"commands of a list", "shell", `{"commands":["echo V > a.ts","echo W > b"]}`, []string{`shell  "echo V > a.ts"`, `write a.ts "V\n"`, `shell  "echo W > b"`, `write b "W\n"`}},
		{"words of a list of commands", "shell", `{"commands":[["bash","-lc","echo V > a.ts"]]}`, []string{`shell  "bash -lc echo V > a.ts"`, `write a.ts "V\n"`}},
		{"a monitor", "Monitor", `{"command":"echo V > a.ts"}`, []string{`shell  "echo V > a.ts"`, `write a.ts "V\n"`}},
		{"what is typed", "write_stdin", `{"session_id":1,"chars":"echo V > a.ts\n"}`, []string{`shell  "echo V > a.ts\n"`, `write a.ts "V\n"`}},
		{"what is typed elsewhere", "write_bash", `{"sessionId":"1","input":"echo V > a.ts"}`, []string{`shell  "echo V > a.ts"`, `write a.ts "V\n"`}},
		{"keys", "write_bash", `{"sessionId":"1","input":"echo V > a.ts{enter}ls{enter}"}`, []string{`shell  "echo V > a.ts{enter}ls{enter}"`, `write a.ts "V\n"`}},
		{"omp's trees", "ast_edit", `{"paths":["a.ts"],"ops":[{"pat":"x","out":"V"}]}`, []string{`edit a.ts "V"`}},
		{"omp's new name", "edit", `{"path":"b.js","edits":[{"op":"update","rename":"a.ts","diff":"@@\n-x\n+V"}]}`, []string{`patch a.ts,b.js "V\n"`}},
		{"a container", "container.exec", `{"cmd":["bash","-lc","echo V > a.ts"],"workdir":"/w"}`, []string{`shell  "bash -lc echo V > a.ts"`, `write /w/a.ts,a.ts "V\n"`}},
		{"a server's process", "mcp__desktop__start_process", `{"command":"echo V > a.ts"}`, []string{`shell  "echo V > a.ts"`, `write a.ts "V\n"`}},

		{"a script of calls", "exec", "// it's\nconst r = await tools.exec_command({ \"cmd\": \"echo \\\"V\\\" > a.ts\" }); /* ` */ text(r['output']);", []string{
			`shell  "// it's\nconst r = await tools.exec_command({ \"cmd\": \"echo \\\"V\\\" > a.ts\" }); /* ` + "`" + ` */ text(r['output']);"`, `shell  "echo \"V\" > a.ts"`, `write a.ts "V\n"`,
		}},
		{"a patch in a script", "exec", "tools.apply_patch(`" + apply + "*** Add File: a.ts\n+V\\`\n*** End Patch`)", []string{"shell  " + fmt.Sprintf("%q", "tools.apply_patch(`"+apply+"*** Add File: a.ts\n+V\\`\n*** End Patch`)"), "patch a.ts \"V`\\n\""}},
		{"a patch in a list", "exec", `x(["*** Begin Patch", '*** Add File: a.ts', "+\u0056\x21" + "\u{57}", "*** End Patch"].join("\n"))`, []string{"shell  " + fmt.Sprintf("%q", `x(["*** Begin Patch", '*** Add File: a.ts', "+\u0056\x21" + "\u{57}", "*** End Patch"].join("\n"))`), `patch a.ts "V!W\n"`}},
		{"a raw text", "exec", "const cmd = String.raw`echo 'V\\n' > a.ts`", []string{"shell  " + fmt.Sprintf("%q", "const cmd = String.raw`echo 'V\\n' > a.ts`"), `shell  "echo 'V\\n' > a.ts"`, `write a.ts "V\\n\n"`}},
		{"a script that is cut off", "exec", "cmd = \"echo V", []string{`shell  "cmd = \"echo V"`, `write * "cmd = \"echo V"`}},
		{"a tool of this name with arguments", "exec", `{"command":"echo V > a.ts"}`, []string{`shell  "echo V > a.ts"`, `write a.ts "V\n"`}},

		{"files by name", "create_file", `{"files":{"a.ts":"V","b/c.ts":{"content":"W"}}}`, []string{`write a.ts "V"`, `write b/c.ts "W"`}},
		{"JetBrains", "mcp__jb__create_new_file", `{"pathInProject":"a.ts","text":"V"}`, []string{`write a.ts "V"`}},
		{"a notebook of Cursor's", "EditNotebook", `{"target_notebook":"a.ipynb","new_string":"V"}`, []string{`edit a.ipynb "V"`}},
		{"a file that is mentioned", "write", `{"path":"@a\u00a0b.ts","content":"V"}`, []string{"write @a\u00a0b.ts,a b.ts \"V\""}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			text, ok := tt.arguments.(string)
			if !ok {
				encoded, _ := json.Marshal(tt.arguments)
				text = string(encoded)
			}
			if diff := cmp.Diff(tt.want, written(toolcall.Read(tt.tool, text))); diff != "" {
				t.Error(diff)
			}
			for size := 1; size <= 3; size++ {
				cut(t, tt.tool, text, size)
			}
		})
	}
}

// in is an argument.
func in(name, text string) map[string]string { return map[string]string{name: text} }

// TestPatchCommands: the file that `patch` is told counts, whatever the patch says, and how much of a name it takes off.
func TestPatchCommands(t *testing.T) {
	const diff = " <<EOF\n--- a/x/src/a.ts\n+++ b/x/src/a.ts\n@@ -1 +1 @@\n-x\n+V\nEOF\n"
	for script, want := range map[string]string{
		"patch src/a.ts <<EOF\n1a2\n> V\nEOF\n":                `patch src/a.ts "1a2\n> V\n"`,
		"patch -o b.ts y" + diff:                               `patch b.ts "V\n"`,
		"patch --output=b.ts" + diff:                           `patch b.ts "V\n"`,
		"patch -Np2" + diff:                                    `patch x/src/a.ts "V\n"; patch src/a.ts "V\n"; patch a.ts "V\n"`,
		"patch -p 0 -d w" + diff:                               `patch w/x/src/a.ts "V\n"`,
		"patch" + diff:                                         `patch x/src/a.ts "V\n"; patch a.ts "V\n"`,
		"patch --strip=9 -s" + diff:                            `patch x/src/a.ts "V\n"; patch a.ts "V\n"`,
		"patch --dry-run" + diff:                               "",
		"git apply --check" + diff[:0] + " p; patch -R" + diff: `patch x/src/a.ts "x\n"; patch a.ts "x\n"`,
		"echo '+V' | patch a.ts":                               `patch a.ts "+V\n\n"`,
		"git apply <<< '*** Begin Patch\n*** Add File: a.ts\n+V\n*** End Patch'":           `patch a.ts "V\n"`,
		"printf '%s\\n' '--- a/a.ts' '+++ b/a.ts' '@@ -1 +1 @@' '-x' '+V' | git apply -p1": `patch a.ts "V\n"`,
		"(cat <<EOF) | git apply\n--- a/a.ts\n+++ b/a.ts\n@@ -1 +1 @@\n-x\n+V\nEOF\n":      `patch a.ts "V\n"`,
		"cd w; patch -p1 <<EOF\nIndex: a.ts\n@@ -1 +1 @@\n+V\nEOF\n":                       `patch w/a.ts "V\n"; patch a.ts "V\n"`,
	} {
		command, _ := json.Marshal(script)
		got := written(toolcall.Read("Bash", `{"command":`+string(command)+`}`))[1:]
		if diff := cmp.Diff(want, strings.Join(got, "; ")); diff != "" {
			t.Errorf("%q: %s", script, diff)
		}
		cut(t, "Bash", `{"command":`+string(command)+`}`, 3)
	}
}

// TestManyFilesOfPatch: a patch that gives one text to very many files takes neither its time nor its memory for each of them.
func TestManyFilesOfPatch(t *testing.T) {
	text := "*** Begin Patch\n*** Update File: a.ts\n" + strings.Repeat("  *** Update File: b.ts\n+V\n", 20_000)
	if all := toolcall.Read("apply_patch", text); len(all) > 100 || !all[len(all)-1].Anywhere {
		t.Errorf("%d parts, the last is for %q", len(all), all[len(all)-1].Path)
	}
	moved := "[a.ts#0127]\n" + strings.Repeat("PUT 1.=1:\n+V\nMV b.ts\n", 20_000)
	size := 0
	for _, s := range toolcall.Read("edit", in2("input", moved)) {
		size += len(s.Text)
	}
	if size > 40*len(moved) {
		t.Errorf("%d bytes of %d", size, len(moved))
	}
}

func in2(name, text string) string {
	encoded, _ := json.Marshal(in(name, text))
	return string(encoded)
}

// TestCode: scripts in JavaScript as models write them for Codex.
func TestCode(t *testing.T) {
	for code, want := range map[string][]string{
		`exec_command({cmd: ["cat > a.ts <<'EOF'", "V", 'EOF'].join("\n")})`:                                                          {`write a.ts "V\n"`},
		`exec_command({cmd: "cat > a.ts <<'EOF'\n" + "V" + '\nEOF'})`:                                                                 {`write a.ts "V\n"`},
		"const f = 'a.ts'; exec_command({cmd: `echo V > ${f}; echo ${x}`})":                                                           {`write a.ts "V\n"`},
		"const f = \"a.ts\", c = 'V'; apply_patch(`*** Begin Patch\n*** Add File: ${f}\n+${c}\n*** End Patch`)":                       {`patch a.ts "V\n"`},
		"apply_patch(`*** Begin Patch\n*** Add File: ${f}\n+V\n*** End Patch`)":                                                       {`patch * "V\n"`},
		`const run = cmd => tools.exec_command({cmd}); await run("echo V > a.ts"); await run("it's > <b> nothing")`:                   {`write a.ts "V\n"`},
		`const cmds = ["ls", "echo V > a.ts"]; for (const cmd of cmds) await exec_command({cmd})`:                                     {`write a.ts "V\n"`},
		`await tools.mcp__fs__write_file({path: "a.ts", content: "V"}); x({content: "W"})`:                                            {`write a.ts "V"`},
		"write_file({path: `${x}.ts`, content: \"V\"})":                                                                               {`write * "V"`},
		`exec_command({cmd: ["bash", "-lc", "echo V > a.ts"], workdir: "src"})`:                                                       {`write a.ts "V\n"`},
		`apply_patch("*** Begin Patch\n" + "*** Add File: a.ts\n" + /* "no" */ "+V\n" // x` + "\n" + ` + "*** End Patch"); text("x")`: {`patch a.ts "V\n"`},
		`text("<div> it's fine</div>" + 'V > W')`:                                                                                     nil,
	} {
		var got []string
		for _, one := range written(toolcall.Read("exec", code)) {
			if !strings.HasPrefix(one, "shell ") {
				got = append(got, one)
			}
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: %s", code, diff)
		}
		cut(t, "exec", code, 1)
		cut(t, "exec", code, 3)
	}
}
