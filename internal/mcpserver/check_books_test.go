package mcpserver_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
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
	if s.asked != 2 {
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
	if n := strings.Count(out, `"name":"ox"`); n != 200 || !strings.Contains(out, `"more":300`) || strings.Contains(out, `"name":"long`) {
		t.Errorf("told of %d files: %.300s", n, out)
	}
}

// TestCallOfManyFilesAndRules: a short call that adds to very many files, in a repository with very many rules that it breaks, costs
// little, and the answer names each rule with its first files and how many more there are.
func TestCallOfManyFilesAndRules(t *testing.T) {
	tree := map[string]string{".omp/rules/late.md": "---\nttsr_trigger: e\nglobs: [\"*99.dh\"]\n---\nLate.\n"}
	for i := range 300 {
		tree[fmt.Sprintf(".omp/rules/r%d.md", i)] = "---\nttsr_trigger: e\n---\nNo e.\n"
	}
	b := connect(t, legacy, world(t, tree))
	var lines []string
	for i := range 100 {
		lines = append(lines, fmt.Sprintf("echo e > x%d.{a,b,c,d}{e,f,g,h}", i))
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	result := call(t, b, "check_text", `{"tool":"Bash","arguments":{"command":"`+strings.Join(lines, `\n`)+`"}}`)
	runtime.ReadMemStats(&after)
	if made := (after.TotalAlloc - before.TotalAlloc) >> 20; made > 200 { // it was a gigabyte
		t.Errorf("%d MiB were made", made)
	}
	var answer struct {
		Broken []struct {
			Name, File string
			More       int
		}
	}
	if err := json.Unmarshal([]byte(text(result)), &answer); err != nil || result.IsError {
		t.Fatalf("%v: %.300s", err, text(result))
	}
	counts, first := map[string]int{}, map[string]string{}
	for _, r := range answer.Broken {
		counts[r.Name] += 1 + r.More
		if first[r.Name] == "" {
			first[r.Name] = r.File
		}
	}
	for i := range 300 {
		name := fmt.Sprintf("r%d", i)
		if counts[name] < 1600 || counts[name] != counts["r0"] || first[name] == "" {
			t.Errorf("%s is broken in %d places, first in %q", name, counts[name], first[name])
		}
	}
	if counts["late"] != 1 || first["late"] != "x99.dh" {
		t.Errorf("late is broken in %d places, first in %q", counts["late"], first["late"])
	}
}

// TestLimitsOfCallsAreTold: what a call is too large for is said.
func TestLimitsOfCallsAreTold(t *testing.T) {
	tree := map[string]string{
		".omp/rules/glob.md": "---\nttsr_trigger: zebra\nglobs: [\"*.ts\"]\n---\nNo zebras.\n",
	}
	var folders, long []string
	for i := range 60 {
		tree[fmt.Sprintf("d%d/.cursor/rules/ox.mdc", i)] = "---\nttsr_trigger: ox\n---\nNo oxen.\n"
		folders = append(folders, fmt.Sprintf(`{"file_path":"d%d/x.ts","new_string":"ox"}`, i))
	}
	for i := range 200 {
		long = append(long, fmt.Sprintf("echo zebra > %s/%d.{a,b,c,d}{e,f,g,h}", strings.Repeat("n", 900), i))
	}
	b := connect(t, legacy, world(t, tree))
	out := text(call(t, b, "check_text", `{"tool":"MultiEdit","arguments":{"edits":[`+strings.Join(folders, ",")+`]}}`))
	if n := strings.Count(out, `/ox"`); n != 100 || !strings.Contains(out, "more than 50 folders; rules of the others were not looked for in 10 places") {
		t.Errorf("%d: %.300s … %s", n, out, out[max(0, len(out)-300):])
	}
	out = text(call(t, b, "check_text", `{"tool":"Bash","arguments":{"command":"`+strings.Join(long, `\n`)+`"}}`))
	if !strings.Contains(out, "not all globs of the repository's rules were compared") {
		t.Errorf("%.600s", out)
	}
}

// TestCallThroughLink: a link before `..` takes no file out of what a rule is for: the system follows it first.
func TestCallThroughLink(t *testing.T) {
	dir := world(t, map[string]string{
		".omp/rules/ox.md": "---\nttsr_trigger: ox\nglobs: [\"src/**\"]\n---\nNo oxen.\n", "src/in/x": "",
	})
	if err := os.Symlink("src/in", filepath.Join(dir, "s2")); err != nil {
		t.Skipf("no links here: %v", err)
	}
	b := connect(t, legacy, dir)
	for _, c := range []struct {
		input string
		told  bool
	}{
		{`{"tool":"Write","arguments":{"file_path":"s2/../a.js","content":"ox"}}`, true},
		{`{"tool":"Bash","arguments":{"command":"cd s2 && echo ox > ../a.js"}}`, true},
		{`{"text":"ox","file":"s2/../a.js"}`, true},
		{`{"tool":"Write","arguments":{"file_path":"src/../a.js","content":"ox"}}`, false},
		{`{"text":"ox","file":"src/../a.js"}`, false},
	} {
		if out := text(call(t, b, "check_text", c.input)); strings.Contains(out, `"name":"ox"`) != c.told {
			t.Errorf("%s: %.300s", c.input, out)
		}
	}
}

// TestOwnGlobsOfCall: globs of the user's own rules count from the repository of a file too, those of others from the root alone.
func TestOwnGlobsOfCall(t *testing.T) {
	dir := world(t, map[string]string{
		".omp/rules/theirs.md": "---\nttsr_trigger: ox\nglobs: [\"src/**\"]\n---\nNo oxen of theirs.\n",
		"app/.git/HEAD":        "x",
	})
	b := connect(t, legacy, dir)
	write(t, filepath.Join(b.home, ".omp/agent/rules/mine.md"), "---\nttsr_trigger: ox\nglobs: [\"src/**\"]\n---\nNo oxen.\n")
	for _, input := range []string{`{"tool":"Write","arguments":{"file_path":"app/src/a.js","content":"ox"}}`, `{"text":"ox","file":"app/src/a.js"}`} {
		if out := text(call(t, b, "check_text", input)); !strings.Contains(out, `"name":"mine"`) || strings.Contains(out, `"name":"theirs"`) {
			t.Errorf("%s: %.300s", input, out)
		}
	}
}
