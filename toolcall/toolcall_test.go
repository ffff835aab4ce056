package toolcall_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pertain-dev/pertain/toolcall"
)

// calls are calls as agents make them, and what they add: kind, path and text.
var calls = []struct {
	name, tool, arguments string
	want                  []string
}{
	{"claude write", "Write", `{"file_path":"/w/a.js","content":"eval(\"1\")\n"}`, []string{`write /w/a.js "eval(\"1\")\n"`}},
	{"claude edit", "Edit", `{"file_path":"a.js","old_string":"eval(x)","new_string":"parse(x)","replace_all":true}`, []string{`edit a.js "parse(x)"`}},
	{
		"claude multi edit", "MultiEdit", `{"file_path":"a.js","edits":[{"old_string":"a","new_string":"b"},{"old_string":"c","new_string":"d"}]}`,
		[]string{`edit a.js "b"`, `edit a.js "d"`},
	},
	{"claude notebook", "NotebookEdit", `{"notebook_path":"n.ipynb","cell_id":"3","new_source":"print(1)"}`, []string{`edit n.ipynb "print(1)"`}},
	{"claude bash", "Bash", `{"command":"ls -l","description":"List the files"}`, []string{`shell  "ls -l"`}},
	{"codex shell", "shell", `{"command":["bash","-lc","echo hi"],"workdir":"/w"}`, []string{`shell  "bash -lc echo hi"`}},
	{
		"a command with something else among its words", "shell", `{"command":["bash",{"x":"y"},["ls"],"-lc","echo V > x.ts"]}`,
		[]string{`shell  "bash -lc echo V > x.ts"`, `shell  "ls"`, `write x.ts "V\n"`},
	},
	{"a command that is cut off", "shell", `{"command":["bash","-lc","echo V > x.ts`, []string{`shell  "bash -lc echo V > x.ts"`, `write x.ts "V\n"`}},
	{"codex exec", "exec_command", `{"cmd":"echo hi","yield_time_ms":1000}`, []string{`shell  "echo hi"`}},
	{
		"codex patch", "apply_patch", "*** Begin Patch\n*** Update File: a.ts\n@@ f\n-old\n+new\n same\n*** Add File: b.ts\n+one\n+two\n*** Delete File: c.ts\n*** End Patch\n",
		[]string{`patch a.ts "new\n"`, `patch b.ts "one\ntwo\n"`},
	},
	{"codex patch in a hook", "apply_patch", `{"command":"*** Begin Patch\n*** Add File: b.ts\n+one\n*** End Patch"}`, []string{`patch b.ts "one\n"`}},
	{"codex patch that moves", "apply_patch", "*** Begin Patch\n*** Update File: a.ts\n*** Move to: b.ts\n@@\n+x\n*** End Patch", []string{`patch a.ts ""`, `patch b.ts "x\n"`}},
	{
		"codex patch by a shell", "shell", `{"command":["apply_patch","*** Begin Patch\n*** Add File: b.ts\n+one\n*** End Patch\n"]}`,
		[]string{`shell  "apply_patch *** Begin Patch\n*** Add File: b.ts\n+one\n*** End Patch\n"`, `patch b.ts "one\n"`},
	},
	{
		"codex patch by a here-document", "exec_command", `{"cmd":"apply_patch <<'EOF'\n*** Begin Patch\n*** Add File: b.ts\n+one\n*** End Patch\nEOF\n"}`,
		[]string{`shell  "apply_patch <<'EOF'\n*** Begin Patch\n*** Add File: b.ts\n+one\n*** End Patch\nEOF\n"`, `patch b.ts "one\n"`},
	},
	{"gemini write", "write_file", `{"file_path":"a.js","content":"x"}`, []string{`write a.js "x"`}},
	{"gemini replace", "replace", `{"file_path":"a.js","old_string":"x","new_string":"y","instruction":"do"}`, []string{`edit a.js "y"`}},
	{"gemini shell", "run_shell_command", `{"command":"make"}`, []string{`shell  "make"`}},
	{"opencode: the path comes last", "write", `{"content":"x\ny","filePath":"src/a.ts"}`, []string{`write src/a.ts "x\ny"`}},
	{"opencode edit", "edit", `{"filePath":"a.ts","oldString":"x","newString":"y"}`, []string{`edit a.ts "y"`}},
	{"copilot create", "create", `{"path":"a.js","file_text":"x"}`, []string{`write a.js "x"`}},
	{"copilot edit", "edit", `{"path":"a.js","old_str":"x","new_str":"y"}`, []string{`edit a.js "y"`}},
	{"pi edits", "edit", `{"path":"a.js","edits":[{"oldText":"x","newText":"y"},{"oldText":"v","newText":"w"}]}`, []string{`edit a.js "y"`, `edit a.js "w"`}},
	{"omp", "_write", `{"path":"a.js","content":"x"}`, []string{`write a.js "x"`}},
	{"cline", "editor", `{"path":"a.js","old_text":"x","new_text":"y"}`, []string{`edit a.js "y"`}},
	{"cline in an editor", "replace_in_file", `{"path":"a.js","diff":"------- SEARCH\nold\n=======\nnew\n+++++++ REPLACE\n"}`, []string{`patch a.js "new\n"`}},
	{"roo", "apply_diff", `{"path":"a.js","diff":"<<<<<<< SEARCH\n:start_line:3\n-------\nold\n=======\nnew\n>>>>>>> REPLACE"}`, []string{`patch a.js "new\n"`}},
	{"continue", "Write", `{"filepath":"a.js","content":"x"}`, []string{`write a.js "x"`}},
	{"text editor", "str_replace_based_edit_tool", `{"command":"str_replace","path":"a.js","old_str":"x","new_str":"y"}`, []string{`edit a.js "y"`}},
	{"cursor", "edit_file", `{"target_file":"a.js","instructions":"add","code_edit":"x"}`, []string{`edit a.js "x"`}},
	{"over MCP", "mcp__fs__write_file", `{"path":"a.js","content":"x"}`, []string{`write a.js "x"`}},
	{"a server's own content", "mcp__fs__write_file", `{"path":"a.js","data":{"x":"y"},"description":"d"}`, []string{`write a.js "y"`}},
	{"a server's own command", "mcp__db__execute", `{"sql":"x","cwd":"d","command":"y"}`, []string{`shell  "x"`, `shell  "y"`}},
	{"a server's own edit", "mcp__fs__edit", `{"path":"a.js","old_text":"x","new_text":"y","note":"z"}`, []string{`edit a.js "y"`, `edit a.js "z"`}},
	{"a server's that says that it looks", "MCP__web__fetch", `{"url":"u","method":"POST","body":"x"}`, []string{`looks  "u"`, `other  "POST"`, `other  "x"`}},
	{"a server's that looks", "mcp__fs__search_files", `{"path":"a","pattern":"x"}`, []string{`looks a "a"`, `looks a "x"`}},
	{
		"unified diff", "patch", `{"patch":"diff --git a/x.go b/x.go\n--- a/x.go\n+++ b/x.go\n@@ -1,3 +1,3 @@\n a\n-- gone\n+-- here\n b\n--- a/y.go\n+++ b/y.go\n@@ -0,0 +1 @@\n+new\n"}`,
		[]string{`patch x.go "-- here\n"`, `patch y.go "new\n"`},
	},
	{"lines that look like headers", "patch", `{"patch":"--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@\n--- a\n-b\n+++ c\n+d\n"}`, []string{`patch x "++ c\nd\n"`}},
	{"a file that goes", "patch", `{"patch":"--- a/x\n+++ /dev/null\n@@ -1 +0,0 @@\n-gone\n"}`, nil},
	{"no patch at all", "apply_patch", "just text\nmore", []string{`patch  "just text\nmore"`}},
	{
		"here-document", "Bash", `{"command":"cat > src/a.ts <<'EOF'\nlet x: any\nEOF\necho done"}`,
		[]string{`shell  "cat > src/a.ts <<'EOF'\nlet x: any\nEOF\necho done"`, `write src/a.ts "let x: any\n"`},
	},
	{
		"two here-documents", "Bash", `{"command":"cat <<A >a && sudo tee -a \"b c\" <<-B\n1\nA\n\t2\n\tB\n"}`,
		[]string{`shell  "cat <<A >a && sudo tee -a \"b c\" <<-B\n1\nA\n\t2\n\tB\n"`, `write a "1\n"`, `write b c "2\n"`},
	},
	{"here-document in a pipe", "Bash", `{"command":"cat <<EOF | tee out.txt\nx\nEOF"}`, []string{`shell  "cat <<EOF | tee out.txt\nx\nEOF"`, `write out.txt "x\n"`}},
	{"here-document for another program", "Bash", `{"command":"python - <<EOF > out.txt\nx\nEOF"}`, []string{`shell  "python - <<EOF > out.txt\nx\nEOF"`}},
	{"here-document of a shell's script", "Bash", `{"command":"bash -lc 'cat > a <<EOF\nx\nEOF'"}`, []string{`shell  "bash -lc 'cat > a <<EOF\nx\nEOF'"`, `write a "x\n"`}},
	{"no here-document", "Bash", `{"command":"echo '<<EOF' > a; cat <<<x >b\nEOF"}`, []string{`shell  "echo '<<EOF' > a; cat <<<x >b\nEOF"`, `write a "<<EOF\n"`, `write b "x\n"`}},
	{
		"a tool that nobody knows", "deploy", `{"target":"prod","notes":["a","b\u00e9"],"n":3,"ok":true,"x":null,"deep":{"y":"z"}}`,
		[]string{`other  "prod"`, `other  "a"`, `other  "bé"`, `other  "z"`},
	},
	{"of which a file is known", "frobnicate", `{"body":"x","path":"a.js","old_string":"gone"}`, []string{`other a.js "x"`, `other a.js "a.js"`}},
	{"several files", "multi_edit", `{"edits":[{"new_string":"x","file_path":"a"},{"file_path":"b","new_string":"y"}]}`, []string{`edit a "x"`, `edit b "y"`}},
	{"a content that is an object", "Write", `{"file_path":"a","content":{"x":"b","y":[{"z":"c","old_string":"d","path":"e"}],"n":1},"why":"f"}`, []string{`write a "b"`, `write e "c"`, `write e "d"`, `write e "e"`}},
	{"a new side that is a list of objects", "Edit", `{"new_string":[{"x":"b"},"c"],"old_string":{"x":"gone"},"file_path":"a"}`, []string{`edit a "b"`, `edit a "c"`}},
	{"a command that is an object", "Bash", `{"command":{"program":"echo V > x","description":"d"}}`, []string{`shell  "echo V > x"`, `write x "V\n"`}},
	{"a patch that is an object", "apply_patch", `{"input":{"x":"*** Begin Patch\n*** Add File: a\n+V\n*** End Patch"}}`, []string{`patch a "V\n"`}},
	{"edits as a text", "MultiEdit", `{"file_path":"a","edits":" [{\"old_string\":\"x\",\"new_string\":\"V\\n\\\"\"},{\"file_path\":\"b\",\"new_string\":\"W\"}]","more":"x"}`, []string{`edit a "V\n\""`, `edit b "W"`}},
	{"edits as a text that is cut off", "MultiEdit", `{"edits":"[{\"new_string\":\"V","file_path":"a"}`, []string{`edit a "V"`}},
	{"texts that are no JSON", "MultiEdit", `{"edits":"[x \"V\"","note":"{new_string: V}","why":"  ","description":"[{\"new_string\":\"V\"}]","edit":"V","file_path":"a","new_string":"W"}`, []string{`edit a "W"`}},
	{"escapes", "write", `{"path":"\u0061","content":"\ud83d\ude00 \ud83d \"\\\/\b\f\n\r\t\u0041 \ude00\ud83dx"}`, []string{"write a " + fmt.Sprintf("%q", "😀 \ufffd \"\\/\b\f\n\r\tA \ufffd\ufffdx")}},
	{"cut off", "write", `{"path":"a","content":"begun \u00`, []string{`write a "begun \\u00"`}},
	{"no arguments", "write", ``, nil},
	{"nothing in them", "write", `{}`, nil},
	{"no JSON", "write", `hello {"`, []string{`write  "hello {\""`}},
	{"JSON that breaks", "write", `{"path":"a","content":"x"]} eval`, []string{`write a "x"`, `other  "]} eval"`}},
	{"more after it", "write", `{"path":"a","content":"x"} "eval"`, []string{`write a "x"`, `other  "\"eval\""`}},
}

func TestRead(t *testing.T) {
	for _, tt := range calls {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, shown(toolcall.Read(tt.tool, tt.arguments))); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func shown(segments []toolcall.Segment) []string {
	var all []string
	for _, s := range segments {
		kind := s.Kind.String()
		if s.Kind == toolcall.Look {
			kind = "looks"
		}
		all = append(all, fmt.Sprintf("%s %s %q", kind, s.Path, s.Text))
	}
	return all
}

// TestPieces: what is told does not depend on where the arguments were cut, and
// the pieces are the segments' texts.
func TestPieces(t *testing.T) {
	for _, tt := range calls {
		t.Run(tt.name, func(t *testing.T) {
			for size := 1; size <= 3; size++ {
				cut(t, tt.tool, tt.arguments, size)
			}
			for at := range len(tt.arguments) {
				inPieces(t, tt.tool, tt.arguments, tt.arguments[:at], tt.arguments[at:])
			}
		})
	}
}

func cut(t *testing.T, tool, arguments string, size int) {
	t.Helper()
	var pieces []string
	for rest := arguments; rest != ""; {
		n := min(size, len(rest))
		pieces, rest = append(pieces, rest[:n]), rest[n:]
	}
	inPieces(t, tool, arguments, pieces...)
}

func inPieces(t *testing.T, tool, arguments string, pieces ...string) {
	t.Helper()
	r := toolcall.NewReader(tool)
	texts, ended, paths := map[int]string{}, map[int]bool{}, map[int]string{}
	take := func(told []toolcall.Piece) {
		for _, p := range told {
			if ended[p.Segment] && p.Text != "" {
				t.Fatalf("%q: text after the end of segment %d", pieces, p.Segment)
			}
			texts[p.Segment] += p.Text
			ended[p.Segment] = ended[p.Segment] || p.End
			paths[p.Segment] = r.Path(p.Segment)
		}
	}
	for _, piece := range pieces {
		take(r.Feed(piece))
	}
	take(r.End())
	whole := toolcall.Read(tool, arguments)
	if diff := cmp.Diff(whole, r.Segments()); diff != "" {
		t.Fatalf("%q: %s", pieces, diff)
	}
	for i, s := range whole {
		if texts[i] != s.Text || !ended[i] || paths[i] != s.Path {
			t.Fatalf("%q: segment %d: told %q of %q, ended %v, want %q of %q", pieces, i, texts[i], paths[i], ended[i], s.Text, s.Path)
		}
	}
}

// TestBase: segments of one file follow each other.
func TestBase(t *testing.T) {
	got := toolcall.Read("MultiEdit", `{"file_path":"a","edits":[{"new_string":"abc"},{"new_string":"de"}]}`)
	if len(got) != 2 || got[0].Base != 0 || got[1].Base != 3 {
		t.Errorf("%+v", got)
	}
}

func TestPlain(t *testing.T) {
	for name, want := range map[string]string{
		"Write": "write", "write_file": "writefile", "_write": "write", "mcp__fs__write_file": "writefile", "mcp__my_server__a__b": "ab",
		"functions.exec_command": "execcommand", "default_api:run": "run", "str-replace-editor": "strreplaceeditor", "": "", "mcp__": "", "mcp__fs": "fs", "a.": "a.",
	} {
		if got := toolcall.Plain(name); got != want {
			t.Errorf("%q: %q, want %q", name, got, want)
		}
	}
}

func TestNamed(t *testing.T) {
	for _, tt := range []struct {
		scope, tool string
		want        bool
	}{
		{"write_file", "WriteFile", true},
		{"write", "create", true},
		{"edit", "apply_patch", true},
		{"edit", "MultiEdit", true},
		{"edit", "Write", false},
		{"shell", "Bash", true},
		{"bash", "Bash", true},
		{"bash", "exec_command", false},
		{"patch", "apply_patch", true},
		{"mcp__x__deploy", "deploy", true},
		{"deploy", "frobnicate", false},
	} {
		if got := toolcall.Named(tt.scope, tt.tool, toolcall.KindOf(tt.tool)); got != tt.want {
			t.Errorf("%+v: %v", tt, got)
		}
	}
}

// FuzzReader: any arguments, cut anywhere, give the same; text values of JSON are
// what encoding/json says, which puts a replacement character for each byte that is no
// UTF-8.
func FuzzReader(f *testing.F) {
	for _, c := range calls {
		f.Add(c.tool, c.arguments, 3)
	}
	f.Fuzz(func(t *testing.T, tool, arguments string, size int) {
		if len(arguments) > 1<<12 {
			return
		}
		cut(t, tool, arguments, max(1, min(size, 64)))
		var object struct {
			Path    *string `json:"path"`
			Content *string `json:"content"`
		}
		decoder := json.NewDecoder(strings.NewReader(arguments))
		decoder.DisallowUnknownFields()
		if decoder.Decode(&object) != nil || decoder.More() || object.Content == nil || strings.Count(arguments, `"`) != 8 || !strings.HasPrefix(arguments, "{") {
			return
		}
		if got := toolcall.Read("write", arguments); len(got) == 0 || string([]rune(got[0].Text)) != *object.Content {
			t.Errorf("%q: %+v, want %q", arguments, got, *object.Content)
		}
	})
}
