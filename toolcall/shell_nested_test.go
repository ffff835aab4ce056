package toolcall_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestCompound: what commands print that are run together goes to where all of them print.
func TestCompound(t *testing.T) {
	const end = " <<EOF\nV\nEOF\n"
	for script, want := range map[string][]string{
		"while true; do echo V; done > x.ts":                                   {`x.ts "V\n"`},
		"for i in 1 2; do\necho V\ndone >> x.ts\necho W > y":                   {`x.ts "V\n"`, `y "W\n"`},
		"until false; do echo V; break; done | tee x.ts":                       {`x.ts "V\n"`},
		"if true; then echo V; else echo W; fi > x.ts":                         {`x.ts "V\nW\n"`},
		"case $1 in\na|b) echo V ;;\n*) echo W;;\nesac > x.ts":                 {`x.ts "V\nW\n"`},
		"(case x in a) echo V;; esac) > x.ts":                                  {`x.ts "V\n"`},
		"if a; then for i in 1; do echo V; done; fi > x.ts; echo W":            {`x.ts "V\n"`},
		"for f in x.ts; do echo V > $f; done > y":                              {`x.ts "V\n"`},
		"for i in 1; do cat; done > x.ts" + end:                                {`x.ts "V\n"`},
		"while read l; do echo W; done > x.ts" + end:                           {`x.ts "V\n"`, `x.ts "W\n"`},
		"echo V | { cat; } > x.ts":                                             {`x.ts "V\n"`},
		"echo V | ( cat; echo W ) > x.ts":                                      {`x.ts "V\nW\n"`},
		"echo V | { cat > x.ts; }":                                             {`x.ts "V\n"`},
		"echo V | { wc; echo W; } > x.ts":                                      {`x.ts "W\n"`},
		"echo V | while read -r l; do echo; done > x.ts":                       {`x.ts "V\n\n"`},
		"true && if a; then exec > x.ts; fi; echo V":                           {`x.ts "V\n"`},
		"echo done > x.ts; echo if fi":                                         {`x.ts "done\n"`},
		"case $x in if) echo V;; esac > x.ts; echo W > y":                      {`x.ts "V\n"`, `y "W\n"`},
		"cd src && for i in 1; do echo V; done > x.ts":                         {`src/x.ts "V\n"`, `x.ts "V\n"`},
		"fi; done; esac; }; ) echo V > x.ts":                                   {`x.ts "V\n"`},
		"for i in 1; do (echo V; done) > x.ts":                                 {`x.ts "V\n"`},
		"if true; then cat > x.ts" + end + "fi\nif true; then\necho W > y\nfi": {`x.ts "V\n"`, `y "W\n"`},
	} {
		if diff := cmp.Diff(want, shellFiles(script)); diff != "" {
			t.Errorf("%q: %s", script, diff)
		}
		command, _ := json.Marshal(script)
		cut(t, "Bash", `{"command":`+string(command)+`}`, 3)
	}
}

// TestScriptsInScripts: a text that a command takes for a script is read as one.
func TestScriptsInScripts(t *testing.T) {
	for script, want := range map[string][]string{
		`bash -c 'bash -c "echo V > x.ts"'`:                     {`x.ts "V\n"`},
		`bash -c "sh -c 'cd src && echo V > x.ts'"; echo W > y`: {`src/x.ts "V\n"`, `y "W\n"`},
		`sudo -u me bash -x -c 'echo V > x.ts'`:                 {`x.ts "V\n"`},
		`timeout -k 1 5s bash -c 'echo V > x.ts'`:               {`x.ts "V\n"`},
		`X=1 bash -c 'echo V' > x.ts`:                           {`x.ts "V\n"`},
		`S='echo V > x.ts'; bash -c "$S"`:                       {`x.ts "V\n"`},
		`S='echo V > x.ts'; sh -c $S; eval "$S"`:                {`x.ts "V\n"`, `x.ts "V\n"`},
		`eval 'echo V > x.ts'`:                                  {`x.ts "V\n"`},
		`eval "echo V" ">" x.ts`:                                {`x.ts "V\n"`},
		`eval 'echo V' > x.ts`:                                  {`x.ts "V\n"`},
		`eval 'F=x.ts'; echo V > $F`:                            {`x.ts "V\n"`},
		`eval 'exec > x.ts'; echo V`:                            {`x.ts "V\n"`},
		`eval 'cd src'; echo V > x.ts`:                          {`x.ts "V\n"`, `src/x.ts "V\n"`},
		"bash <<'EOF'\ncat > x.ts <<'X'\nV\nX\nEOF\necho W > y": {`x.ts "V\n"`, `y "W\n"`},
		"bash -s > x.ts <<EOF\necho V\nEOF\n":                   {`x.ts "V\n"`},
		"{ bash <<EOF\necho V\nEOF\n} > x.ts":                   {`x.ts "V\n"`},
		"sh <<< 'echo V > x.ts'":                                {`x.ts "V\n"`},
		`echo 'echo V > x.ts' | bash`:                           {`x.ts "V\n"`},
		`printf '%s\n' 'echo V' | sh > x.ts`:                    {`x.ts "V\n"`},
		"bash -c 'cat > x.ts' <<EOF\nV\nEOF\n":                  {`x.ts "V\n"`},
		"bash script.sh <<EOF\necho V > x.ts\nEOF\n":            nil,
		`"/opt/my tools/run" > x.ts`:                            nil,
		`echo 'bash -c "echo V > x.ts"'`:                        nil,
	} {
		if diff := cmp.Diff(want, shellFiles(script)); diff != "" {
			t.Errorf("%q: %s", script, diff)
		}
		command, _ := json.Marshal(script)
		cut(t, "Bash", `{"command":`+string(command)+`}`, 3)
	}
}

// TestEndlessScripts: a script that would run itself, or very many, is read in time, and is not let through for that.
func TestEndlessScripts(t *testing.T) {
	for name, script := range map[string]string{
		"itself":   `E='eval "$E"; eval "$E"'; eval "$E"; echo V > x.ts`,
		"many":     "E='" + strings.Repeat(`eval "$E";`, 300) + "'; eval \"$E\"; echo V > x.ts",
		"in turns": strings.Repeat("bash <<EOF\n", 50) + "echo V > x.ts\n",
		"often":    strings.Repeat("eval 'A=1; echo a';", 50_000) + "echo V > x.ts",
		"copies":   strings.Repeat("eval 'tee "+strings.Repeat("f ", 900)+" <<< text';", 500) + "echo V > x.ts",
	} {
		found, size := false, 0
		for _, line := range shellFiles(script) {
			size += len(line)
			// In that file or, where there are too many, in any; or the script itself in any.
			found = found || strings.HasPrefix(line, `x.ts "V`) || strings.HasPrefix(line, ` "`) && (strings.HasSuffix(line, `V\n"`) || strings.Contains(line, "echo V > x.ts"))
		}
		if !found || size > 64<<20 {
			t.Errorf("%s: found %v, %d bytes", name, found, size)
		}
	}
}
