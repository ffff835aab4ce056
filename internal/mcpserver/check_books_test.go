package mcpserver_test

import (
	"fmt"
	"strings"
	"testing"
)

// TestCallOfManyFiles: the rules are read once for all new files of a call that have the same folders around them, and those of a folder
// count in it alone.
func TestCallOfManyFiles(t *testing.T) {
	dir := world(t, map[string]string{
		".omp/rules/zebra.md":      "---\nttsr_trigger: zebra\n---\nNo zebras.\n",
		"sub/.cursor/rules/ox.mdc": "---\nttsr_trigger: ox\n---\nNo oxen.\n",
		"sub/there.ts":             "",
	})
	b := connect(t, legacy, dir)
	var edits []string
	for i := range 50 {
		for _, folder := range []string{"new", "sub/new"} {
			edits = append(edits, fmt.Sprintf(`{"file_path":"%s%d/%sx.ts","new_string":"zebra ox"}`, folder, i, strings.Repeat("a/", 100)))
		}
	}
	edits = append(edits, `{"file_path":"sub/there.ts","new_string":"zebra ox"}`)
	out := text(call(t, b, "check_text", `{"tool":"MultiEdit","arguments":{"edits":[`+strings.Join(edits, ",")+`]}}`))
	for name, want := range map[string]int{"zebra": 101, "sub/ox": 51} {
		if n := strings.Count(out, `"name":"`+name+`"`); n != want {
			t.Errorf("%s is told of for %d files: %.300s", name, n, out)
		}
	}
	s := b.spaces[dir]
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.asked != 3 {
		t.Errorf("rules were read %d times", s.asked)
	}
}

// TestTriggersOfManyFiles: triggers are compiled once for all files of a call that have the same ones, or this takes minutes.
func TestTriggersOfManyFiles(t *testing.T) {
	tree := map[string]string{".omp/rules/ox.md": "---\nttsr_trigger: ox\nglobs: [\"*7.ts\"]\n---\nNo oxen.\n"}
	for i := range 60 {
		tree[fmt.Sprintf(".omp/rules/long%d.md", i)] = fmt.Sprintf("---\nttsr_trigger: \"%c%c[a-f0-9]{1500}z\"\n---\nNot so long.\n", 'g'+i/10, 'g'+i%10)
	}
	b := connect(t, legacy, world(t, tree))
	var edits []string
	for i := range 5000 {
		edits = append(edits, fmt.Sprintf(`{"file_path":"new%d.ts","new_string":"ox"}`, i))
	}
	out := text(call(t, b, "check_text", `{"tool":"MultiEdit","arguments":{"edits":[`+strings.Join(edits, ",")+`]}}`))
	if n := strings.Count(out, `"name":"ox"`); n != 500 || strings.Contains(out, `"name":"long`) {
		t.Errorf("told of %d files: %.300s", n, out)
	}
}
