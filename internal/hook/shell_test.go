package hook_test

import (
	"strings"
	"testing"
)

// TestShellFiles: a rule for some files is not led past by how a command names the file, or by more folders than can be followed;
// a file that the rule is not for is left alone.
func TestShellFiles(t *testing.T) {
	const end = " <<EOF\nGLOBV\nEOF\n"
	maybe := strings.Repeat("[ -d b ] && cd b;", 9)
	for command, denied := range map[string]bool{
		"cat > src/a.ts" + end:                                      true,
		maybe + "cat > src/a.ts" + end:                              true,
		maybe + "cat > src/a.md" + end:                              false,
		strings.Repeat("cd a || true;", 8) + "cat > src/a.ts" + end: true,
		"tee " + strings.Repeat("f ", 2000) + "src/a.ts" + end:      true,
		"{ cat; } > src/a.ts" + end:                                 true,
		"cat > src/a.t{s,}" + end:                                   true,
		"for f in src/a.ts; do echo GLOBV > $f; done":               true,
		"exec > src/a.ts; echo GLOBV":                               true,
		"cp /dev/stdin src/a.ts" + end:                              true,
		"install /dev/stdin src/a.ts" + end:                         true,
		"cd lib && cat > a.ts" + end:                                false,
		"cd lib; cat > a.ts" + end:                                  false,
		"cd lib\nmake\ncd ../docs\ncat > a.ts" + end:                false,
	} {
		w := newWorld(t)
		w.file(".omp/rules/typed.md", "---\ncondition: GLOBV\nglobs: [\"src/**/*.ts\"]\n---\nNever.\n")
		out := w.claude("PreToolUse", fields{"tool_name": "Bash", "tool_input": fields{"command": command}})
		if got := strings.Contains(out, `"deny"`); got != denied {
			t.Errorf("%.80q: %s", command, out)
		}
	}
}
