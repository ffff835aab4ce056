package toolcall_test

import (
	"encoding/json"
	"fmt"
	"runtime"
	"strings"
	"testing"
	"unsafe"

	"github.com/pertain-dev/pertain/toolcall"
)

// names are some names of files.
func names(count int) string {
	var b strings.Builder
	for i := range count {
		fmt.Fprintf(&b, " f%d.env", i)
	}
	return b.String()
}

// TestCopies: a text that one command gives to many files is kept once, and reading it takes no more memory for each of them.
func TestCopies(t *testing.T) {
	document := strings.Repeat("safe line\n", 50_000)
	for name, script := range map[string]string{
		"tee":   "tee" + names(100) + " <<EOF\n" + document + "EOF",
		"exec":  "exec" + strings.ReplaceAll(names(100), " ", " > ") + "; cat <<EOF\n" + document + "EOF",
		"patch": strings.Repeat("cd a || true; ", 12) + "patch -p1 <<EOF\n--- a/x\n+++ b/x\n@@ -0,0 +1,50000 @@\n+" + strings.ReplaceAll(document, "\n", "\n+") + "\nEOF",
	} {
		command, _ := json.Marshal(script)
		arguments := `{"command":` + string(command) + `}`
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		segments := toolcall.Read("Bash", arguments)
		runtime.ReadMemStats(&after)
		kept := map[*byte]int{}
		for _, s := range segments {
			kept[unsafe.StringData(s.Text)] = len(s.Text)
		}
		size := 0
		for _, n := range kept {
			size += n
		}
		if len(segments) < 9 || size > 5*len(script) {
			t.Errorf("%s: %d bytes of text in %d segments, %d times", name, size, len(segments), size/len(script))
		}
		if made := int(after.TotalAlloc - before.TotalAlloc); made > 60*len(script) {
			t.Errorf("%s: %d bytes were allocated, %d times the command", name, made, made/len(script))
		}
	}
}

// TestManyNames: however many names a command has for files, by braces or by commands that print to many, segments stay few; those
// beyond are for any file.
func TestManyNames(t *testing.T) {
	for name, script := range map[string]string{
		"braces": strings.Repeat("echo SAFE > {a,b,c,d}{e,f,g,h}{i,j,k,l}{m,n,o,p}.env; ", 20_000),
		"exec":   "exec" + strings.ReplaceAll(names(900), " ", " > ") + strings.Repeat("; echo SAFE", 20_000) + "; ",
		"nulls":  strings.Repeat("echo SAFE > {/dev/null,/dev/null}{,}{,}{,}{,}; ", 20_000),
	} {
		command, _ := json.Marshal(script + "echo V > x.ts")
		segments := toolcall.Read("Bash", `{"command":`+string(command)+`}`)
		last := segments[len(segments)-1]
		if !strings.HasSuffix(last.Text, "\nV\n") || last.Path != "" || !last.Anywhere {
			t.Errorf("%s: the last is %+v", name, last)
		}
		if len(segments) > 17_000 {
			t.Errorf("%s: %d segments", name, len(segments))
		}
	}
}
