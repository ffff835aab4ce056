package toolcall_test

import (
	"encoding/json"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pertain-dev/pertain/toolcall"
)

// command is a call of a shell.
func command(script string) string {
	text, _ := json.Marshal(script)
	return `{"command":` + string(text) + `}`
}

// TestManyTexts: however many texts a call is made of, it is told in few segments and pieces, and takes little more memory than its
// bytes; what comes last counts, for its own file or for any.
func TestManyTexts(t *testing.T) {
	const many = 200_000
	for name, c := range map[string]struct {
		tool, arguments string
		kind            toolcall.Kind
	}{
		"texts of a list":          {"deploy", `{"a":[` + strings.Repeat(`"x", `, many) + `"V"]}`, toolcall.Other},
		"names and values":         {"deploy", `{"a":[` + strings.Repeat(`{"path":"x","b":"y"},`, many) + `{"b":"V"}]}`, toolcall.Other},
		"what a server looks for":  {"mcp__x__search", `{"a":[` + strings.Repeat(`{"q":"x","b":"y"},`, many) + `{"q":"V"}]}`, toolcall.Look},
		"edits":                    {"MultiEdit", `{"path":"a","edits":[` + strings.Repeat(`{"new_string":"x"},`, many) + `{"new_string":"V"}]}`, toolcall.Edit},
		"deep":                     {"Write", strings.Repeat(`{"a":[`, 80) + strings.Repeat(`"x",`, many) + `"V"`, toolcall.Write},
		"commands":                 {"Bash", `{"a":[` + strings.Repeat(`{"command":"echo x>f"},`, many) + `{"command":"echo V > f"}]}`, toolcall.Write},
		"commands that are lost":   {"Bash", `{"a":[` + strings.Repeat(`{"command":"`+strings.Repeat("(", 120)+`"},`, many/20) + `{"command":"V`, toolcall.Shell},
		"here-documents at once":   {"Bash", command("cat > f " + strings.Repeat("<<E ", many) + "\nV\n"), toolcall.Write},
		"scripts at once":          {"Bash", command("bash " + strings.Repeat("<<E ", many) + "\necho V > f\n"), toolcall.Write},
		"lines of a here-document": {"Bash", command("cat > f <<E\n" + strings.Repeat("y\n", many) + "V\n"), toolcall.Write},
		"for two files":            {"Bash", command("tee f g <<E\n" + strings.Repeat("y\n", many) + "V\n"), toolcall.Write},
		"commands of a script":     {"Bash", command(strings.Repeat("x\n", many) + "echo V > f\n"), toolcall.Write},
		"printed":                  {"Bash", command(strings.Repeat("echo>f;", many) + "echo V > f\n"), toolcall.Write},
		"variables":                {"Bash", command(strings.Repeat("A=1 ", many) + "; echo V > f\n"), toolcall.Write},
		"words":                    {"Bash", command("echo " + strings.Repeat("x ", many) + "V > f"), toolcall.Write},
		"commands in a line":       {"Bash", command(strings.Repeat("a;", 2*many) + "echo V > f"), toolcall.Write},
		"given":                    {"Bash", command("cat > f " + strings.Repeat("<<<a ", many) + "<<<V\n"), toolcall.Write},
		"files of a patch":         {"apply_patch", "*** Begin Patch\n" + strings.Repeat("*** Add File: a\n+x\n", many) + "+V\n*** End Patch\n", toolcall.Patch},
	} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		segments := toolcall.Read(c.tool, c.arguments)
		runtime.ReadMemStats(&after)
		found, kept := false, 0
		for _, s := range segments {
			found = found || s.Kind == c.kind && strings.Contains(s.Text, "V") && (s.Path == "f" || s.Anywhere && s.Path == "")
			kept += len(s.Text)
		}
		if !found {
			t.Errorf("%s: not found", name)
		}
		if size := len(c.arguments); len(segments) > 17_000 || kept > 4*size || int(after.TotalAlloc-before.TotalAlloc) > 80*size {
			t.Errorf("%s: %d segments, %d times the bytes kept, %d times made", name, len(segments), kept/size, int(after.TotalAlloc-before.TotalAlloc)/size)
		}
		r := toolcall.NewReader(c.tool)
		if pieces := len(r.Feed(c.arguments)) + len(r.End()); pieces > 30_000 && pieces > len(c.arguments)/8 {
			t.Errorf("%s: %d pieces of %d bytes", name, pieces, len(c.arguments))
		}
	}
}

// TestLongPipelines: what is read of a command again with its next word, and what is passed on again and again, takes no longer than the
// command is long; what it prints counts.
func TestLongPipelines(t *testing.T) {
	const many = 50_000
	for _, script := range []string{
		strings.Repeat("{=1 ", many) + "; echo V > f",
		strings.Repeat("A=1 ", many) + "x " + strings.Repeat("for ", many) + "; echo V > f",
		"echo V | " + strings.Repeat("{ cat; echo b; } | ", many) + "cat > f",
		"bash -c '" + strings.Repeat("echo $@ > x;", many) + "' _ " + strings.Repeat("y ", 2000) + "; echo V > f",
	} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		found := false
		for _, s := range toolcall.Read("Bash", command(script)) {
			found = found || s.Kind == toolcall.Write && strings.Contains(s.Text, "V")
		}
		if runtime.ReadMemStats(&after); !found || int(after.TotalAlloc-before.TotalAlloc) > 80*len(script) {
			t.Errorf("%.20q: found %v, %d times made", script, found, int(after.TotalAlloc-before.TotalAlloc)/len(script))
		}
	}
}

// TestFurther: texts beyond those that are told apart follow each other by lines, by what they are, and none in the midst of another.
func TestFurther(t *testing.T) {
	first := `{"a":[` + strings.Repeat(`{"command":"x"},`, 16_384)
	for _, c := range []struct {
		arguments string
		want      []string
	}{
		{first + `{"command":"a"},{"command":"b"}]}`, []string{`shell  "a\nb"`}},
		{first + `{"command":["rm",["ls"],["pwd"],"-rf"]},{"command":"b"}]}`, []string{`shell  "rm -rf\nb"`, `shell  "ls\npwd"`}},
		{first + `{"command":"echo V > f"},{"command":"printf W > g; printf X > h"}]}`, []string{`shell  "echo V > f\nprintf W > g; printf X > h"`, `write  "V\nW\nX"`}},
		{first + `{"command":"tee f g <<E\nV\nE\n"},{"command":"apply_patch <<E\n--- a/f\n+++ b/f\n@@\n+V\nE"}]}`, []string{
			`shell  "tee f g <<E\nV\nE\napply_patch <<E\n--- a/f\n+++ b/f\n@@\n+V\nE"`, `write  "V\n"`, `patch  "V\n"`,
		}},
	} {
		all := toolcall.Read("Bash", c.arguments)
		if diff := cmp.Diff(c.want, shown(all[16_384:])); diff != "" {
			t.Error(diff)
		}
		for _, s := range all[16_384:] {
			if !s.Anywhere || s.Base != 0 {
				t.Errorf("%+v", s)
			}
		}
		for _, size := range []int{1, 7, 1000} {
			cut(t, "Bash", c.arguments, size)
		}
	}
}

// steps are how much of each segment was told when another one goes on.
func steps(tool, arguments string, size int) [][2]int {
	r, told := toolcall.NewReader(tool), map[int]int{}
	var out [][2]int
	take := func(pieces []toolcall.Piece) {
		for _, p := range pieces {
			if p.Text == "" {
				continue
			}
			told[p.Segment] += len(p.Text)
			if last := len(out) - 1; last >= 0 && out[last][0] == p.Segment {
				out[last][1] = told[p.Segment]
			} else {
				out = append(out, [2]int{p.Segment, told[p.Segment]})
			}
		}
	}
	for rest := arguments; rest != ""; {
		n := min(size, len(rest))
		take(r.Feed(rest[:n]))
		rest = rest[n:]
	}
	take(r.End())
	return out
}

// TestLongCommand: what a long command writes is told in the same order however it arrives, by blocks of lines, and all of it.
func TestLongCommand(t *testing.T) {
	long := strings.Repeat("some text of a line\n", 5_000)
	for _, script := range []string{
		"cat > f <<E\n" + long + "V\nE\necho W > g",
		"tee f g <<E\n" + long + "V\nE\necho W > g\n",
		strings.Repeat(": x\n", 20_000) + "echo V > f\n" + strings.Repeat("(", 200) + "\nA\nB\n" + strings.Repeat(": x\n", 3_000) + "C",
	} {
		arguments := command(script)
		want := steps("Bash", arguments, len(arguments))
		if len(want) > 8_000*2 {
			t.Errorf("%d steps", len(want))
		}
		for _, size := range []int{1, 13, 5_000} {
			if diff := cmp.Diff(want, steps("Bash", arguments, size)); diff != "" {
				t.Errorf("%.20q by %d: %.500s", script, size, diff)
			}
		}
		for _, s := range toolcall.Read("Bash", arguments) {
			if (s.Kind == toolcall.Shell || s.Anywhere) && s.Text != script {
				t.Errorf("%.20q: %d bytes of %d", script, len(s.Text), len(script))
			}
		}
	}
}
