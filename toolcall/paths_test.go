package toolcall_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pertain-dev/pertain/toolcall"
)

// files are all files that the texts of a call may go to, as `path path: text`; any: `*`.
func files(segments []toolcall.Segment) []string {
	var out []string
	for _, s := range segments {
		paths := strings.Join(s.Paths(), " ")
		if s.Anywhere {
			paths = "*" + paths
		}
		out = append(out, fmt.Sprintf("%s: %.20q", paths, s.Text))
	}
	return out
}

// manyCalls name their file in more than one way. Which argument an agent reads is not known, so that all count.
var manyCalls = []struct {
	tool, arguments string
	want            []string
}{
	{"Write", `{"path":"a.txt","file_path":"a.ts","content":"V"}`, []string{`a.txt a.ts: "V"`}},
	{"Write", `{"file_path":"a.ts","path":"a.txt","content":"V"}`, []string{`a.ts a.txt: "V"`}},
	{"Write", `{"file_path":"a.txt","content":"V","file_path":"a.ts"}`, []string{`a.txt a.ts: "V"`}},
	{"Write", `{"file_path":"a.txt","file\u005fpath":"a.ts","content":"V"}`, []string{`a.txt a.ts: "V"`}},
	{"Write", `{"content":"V","TargetFile":"a","uri":"b","filename":"c","absolute_path":"d","relative_path":"e","notebook_path":"f","file":"a"}`, []string{`a b c d e f: "V"`}},
	{"MultiEdit", `{"file_path":"a.ts","edits":[{"path":"a.txt","new_string":"V"},{"new_string":"W"}]}`, []string{`a.txt a.ts: "V"`, `a.ts: "W"`}},
	{"MultiEdit", `{"edits":[{"path":"a.txt","new_string":"V"},{"new_string":"W"}],"file_path":"a.ts"}`, []string{`a.txt a.ts: "V"`, `a.ts: "W"`}},
	{"multi_edit", `{"edits":[{"new_string":"V","file_path":"a"},{"file_path":"b","new_string":"W"}]}`, []string{`a: "V"`, `b: "W"`}},
	{"mcp__fs__put", `{"file":"a.txt","path":"a.ts","data":"V"}`, []string{`a.txt a.ts: "a.txt"`, `a.txt a.ts: "a.ts"`, `a.txt a.ts: "V"`}},
	{"apply_diff", `{"path":"a.ts","diff":"*** Update File: a.txt\n<<<<<<< SEARCH\nx\n=======\nV\n>>>>>>> REPLACE"}`, []string{`a.txt a.ts: "V\n"`}},
	{"replace_in_file", `{"path":"a.ts","diff":"--- a.txt\n+++ a.txt\n@@ -1,9 +1,9 @@\n------- SEARCH\nx\n=======\nV\n+++++++ REPLACE"}`, []string{`a.txt a.ts: "V\n"`}},
	{"apply_patch", `{"input":"*** Begin Patch\n*** Add File: b.ts\n+V\n*** End Patch","path":"a.txt"}`, []string{`b.ts a.txt: "V\n"`}},
	{"patch", `{"patch":"--- a/x\n+++ b/x\n@@ -1 +1 @@\n------- SEARCH\n+V\n"}`, []string{`x: "V\n"`}},
	// White space around a path, and addresses of files.
	{"Write", `{"file_path":"a.ts \n","content":"V"}`, []string{"a.ts \n a.ts: \"V\""}},
	{"Write", `{"uri":"file:///w/a%20b.ts","content":"V"}`, []string{`file:///w/a%20b.ts /w/a b.ts: "V"`}},
	// Folders of commands: of tools that have no such argument, it says nothing.
	{"Bash", `{"command":"echo V > x.ts","cwd":"/e"}`, []string{`: "echo V > x.ts"`, `/e/x.ts x.ts: "V\n"`}},
	{"exec_command", `{"cmd":"echo V > x.ts","workdir":"src"}`, []string{`: "echo V > x.ts"`, `src/x.ts: "V\n"`}},
	{"exec_command", `{"cwd":"/e","cmd":"echo V > x.ts"}`, []string{`: "echo V > x.ts"`, `/e/x.ts x.ts: "V\n"`}},
	{"exec_command", `{"cwd":"/e","cmd":"echo V > x.ts","workdir":"src","workdir":"lib"}`, []string{`: "echo V > x.ts"`, `/e/x.ts src/x.ts lib/x.ts: "V\n"`}},
	// Lists of words with something else among them.
	{"shell", `{"command":["bash",{"x":"y"},["ls"],"-lc","echo V > x.ts"]}`, []string{`: "bash -lc echo V > x."`, `: "ls"`, `x.ts: "V\n"`}},
	{"shell", `{"command":["bash","-lc","echo V > x.ts`, []string{`: "bash -lc echo V > x."`, `x.ts: "V\n"`}},
	{"shell", `{"command":["bash","-lc","echo V > x.ts"}`, []string{`: "bash -lc echo V > x."`, `*: "}"`, `x.ts: "V\n"`}},
}

func TestManyPaths(t *testing.T) {
	for _, c := range manyCalls {
		if diff := cmp.Diff(c.want, files(toolcall.Read(c.tool, c.arguments))); diff != "" {
			t.Errorf("%s %s: %s", c.tool, c.arguments, diff)
		}
		for size := 1; size <= 3; size++ {
			cut(t, c.tool, c.arguments, size)
		}
	}
}

// TestAnyPath: where more is named than is followed, it may be any file; no text is left out.
func TestAnyPath(t *testing.T) {
	var many strings.Builder
	for i := range 40 {
		fmt.Fprintf(&many, `"path":"%d.txt",`, i)
	}
	long, _ := json.Marshal("/w" + strings.Repeat("/q/..", 20_000) + "/a.ts")
	for _, c := range []struct{ tool, arguments string }{
		{"Write", `{` + many.String() + `"file_path":"a.ts","content":"V"}`},
		{"Write", `{"content":"V",` + many.String() + `"file_path":"a.ts"}`},
		{"Write", `{"file_path":` + string(long) + `,"content":"V"}`},
		{"Write", `{"file_path":"a.txt","content":"V","file_path":` + string(long) + `}`},
		{"Write", `{"file_path":"a.ts\u0000.txt","content":"V"}`},
	} {
		found := false
		for _, s := range toolcall.Read(c.tool, c.arguments) {
			found = found || s.Anywhere && s.Path == "" && strings.Contains(s.Text, "V")
		}
		if !found {
			t.Errorf("%s %.80s: %.300q", c.tool, c.arguments, files(toolcall.Read(c.tool, c.arguments)))
		}
		if len(c.arguments) < 2000 {
			cut(t, c.tool, c.arguments, 3)
		}
	}
}

// TestManyLocated: naming files again and again after very many texts takes no longer than a call is long.
func TestManyLocated(t *testing.T) {
	var b strings.Builder
	const depth = 60
	b.WriteString(strings.Repeat(`{"a":`, depth) + `{"edits":[` + strings.Repeat(`{"new_string":"x"},`, 100_000) + `{}]}`)
	for level := range depth {
		for i := range 16 {
			fmt.Fprintf(&b, `,"path":"%d.%d"`, level, i)
		}
		b.WriteByte('}')
	}
	if all := toolcall.Read("MultiEdit", b.String()); len(all) > 17_000 || !all[0].Anywhere || all[0].Path != "" {
		t.Errorf("%d, the first %+v", len(all), all[0])
	}
}
