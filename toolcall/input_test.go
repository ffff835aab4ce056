package toolcall_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pertain-dev/pertain/toolcall"
)

// TestInputs: what commands in a nest are given comes after them, and what a script prints may go to a file for good.
func TestInputs(t *testing.T) {
	const end = " <<EOF\nV\nEOF\n"
	for script, want := range map[string][]string{
		"{ cat; } > x.ts" + end:                                 {`x.ts "V\n"`},
		"( cat ) > x.ts" + end:                                  {`x.ts "V\n"`},
		"{ cat; } <<< V > x.ts":                                 {`x.ts "V\n"`},
		"{ cat > x.ts; }" + end:                                 {`x.ts "V\n"`},
		"{ cat > x.ts; echo W; } > y" + end:                     {`x.ts "V\n"`, `y "W\n"`},
		"{ tee x.ts; } > y" + end:                               {`x.ts "V\n"`},
		"{ { cat; }; } > x.ts" + end:                            {`x.ts "V\n"`},
		"{ echo W | cat; } > x.ts" + end:                        {`x.ts "W\n"`},
		"{ make; } > x.ts" + end:                                nil,
		"{ cat; } > x.ts" + end + "cat" + end:                   {`x.ts "V\n"`},
		"{ echo V >&2; echo W; } > x.ts":                        {`x.ts "W\n"`},
		"exec > x.ts; echo V":                                   {`x.ts "V\n"`},
		"exec >> x.ts 2>&1\necho V\ncat" + end + "echo W >&2":   {`x.ts "V\n"`, `x.ts "V\n"`},
		"exec > x.ts; echo V > y; { echo W; } > z":              {`y "V\n"`, `z "W\n"`},
		"exec > x.ts; { echo V; }; echo \"$(echo W)\"":          {`x.ts "V\n"`, `x.ts "W\n"`},
		"(exec > x.ts; echo V); echo W":                         {`x.ts "V\n"`},
		"{ exec > x.ts; }; echo V":                              {`x.ts "V\n"`},
		"exec > x.ts; exec > /dev/null; echo V":                 nil,
		"exec > x.ts; exec >&2; echo V":                         nil,
		"exec < x.ts; echo V":                                   nil,
		"cp /dev/stdin src/x.ts" + end:                          {`src/x.ts "V\n"`},
		"cd src && install -m 644 -D /dev/stdin x.ts" + end:     {`src/x.ts "V\n"`},
		"echo V | cp /dev/stdin x.ts":                           {`x.ts "V\n"`},
		"cp -t src /dev/stdin" + end:                            {`src/stdin "V\n"`},
		"cp a.ts x.ts" + end:                                    nil,
		"sponge x.ts" + end:                                     {`x.ts "V\n"`},
		"cat > x.t{s,}" + end:                                   {`x.ts "V\n"`, `x.t "V\n"`},
		"tee {a,src/{x,y}}.ts" + end:                            {`a.ts "V\n"`, `src/x.ts "V\n"`, `src/y.ts "V\n"`},
		"tee x{1..3}.ts y{b..a}" + end:                          {`x1.ts "V\n"`, `x2.ts "V\n"`, `x3.ts "V\n"`, `ya "V\n"`, `yb "V\n"`},
		"tee x{}.ts {y} ${Z}{" + end:                            {`x{}.ts "V\n"`, `{y} "V\n"`, `${Z}{ "V\n"`},
		"for f in x.ts; do echo V > $f; done":                   {`x.ts "V\n"`},
		"for f in x.ts 'y z'; do\necho V > \"src/$f\"\ndone":    {`src/x.ts "V\n"`, `src/y z "V\n"`},
		"for d in src lib; do echo V > $d/x.ts; done":           {`src/x.ts "V\n"`, `lib/x.ts "V\n"`},
		"for d in src lib; do (cd $d && echo V > x.ts); done":   {`src/x.ts "V\n"`, `lib/x.ts "V\n"`},
		"for f in $FILES; do echo V > $f; done":                 {`$FILES "V\n"`},
		"for t in V W; do echo $t > x.ts; done; for; for x in;": {`x.ts "V W\n"`},
	} {
		if diff := cmp.Diff(want, shellFiles(script)); diff != "" {
			t.Errorf("%q: %s", script, diff)
		}
	}
}

// TestTooMany: where a script may write to more files than are followed, one of them may be any file, or lie anywhere; nothing is
// left out without a word.
func TestTooMany(t *testing.T) {
	var maybe, many, variables strings.Builder
	for i := range 40 {
		fmt.Fprintf(&maybe, "[ -d b%d ] && cd b%d;", i, i)
	}
	for i := range 3000 {
		fmt.Fprintf(&many, "f%d ", i)
		fmt.Fprintf(&variables, "V%d=a\n", i)
	}
	long := strings.Repeat("a", 5000)
	const end = " <<EOF\nV\nEOF\n"
	for script, want := range map[string]string{
		strings.Repeat("[ -d b ] && cd b;", 3) + doc:                                           "",
		"cd a\nmake\ncd ../b\n" + doc:                                                          "",
		strings.Repeat("cd a || true;", 3) + doc:                                               "",
		strings.Repeat("cd a || true;", 64) + doc:                                              "x.ts",
		maybe.String() + doc:                                                                   "x.ts",
		maybe.String() + "cat > /abs/x.ts" + end:                                               "",
		maybe.String() + "cat > $OUT/x.ts" + end:                                               "",
		maybe.String() + "cd /abs && " + doc:                                                   "",
		maybe.String() + "cd lib && " + doc:                                                    "x.ts",
		maybe.String() + "patch -p1" + patchDoc:                                                "x.ts",
		maybe.String() + "git apply" + patchDoc:                                                "x.ts",
		strings.Repeat("cd a; ", 2000) + doc:                                                   "x.ts",
		"cd " + strings.Repeat("a", 3000) + " && " + doc:                                       "x.ts",
		"tee " + many.String() + end:                                                           "any",
		"for f in " + many.String() + "; do echo V > $f; done":                                 "any",
		variables.String() + "F=x.ts\necho V > $F\n":                                           "any",
		variables.String() + "echo V > y.md; echo $V0 $V2999 > x.ts\nV\n":                      "any",
		"V1=V\n" + variables.String() + "echo x > y; echo $W > x.ts # V\nV\n":                  "any",
		"F=" + long + "/x.ts; echo V > $F\n":                                                   "any",
		"T='" + long + "V'; echo $T > x.ts\n: V\n":                                             "any",
		"mkdir " + long + " && cd $_ && " + doc:                                                "x.ts",
		"A=" + long[:4000] + "\necho " + strings.Repeat("$A", 400) + " > y.ts\necho V > $A\n":  "any",
		strings.Repeat("(", 200) + "echo V" + strings.Repeat(")", 200) + " > x.ts\n: V\n":      "any",
		strings.Repeat("{ ", 200) + "echo V;" + strings.Repeat(" }; ", 200) + " > x.ts\n: V\n": "any",
		"git apply --directory=" + long + patchDoc:                                             "any",
		"tee f{1..3000}" + end:                                                                 "any",
		"tee " + strings.Repeat("{a,b}", 20) + end:                                             "any",
		"tee " + strings.Repeat("{", 3000) + "a,b}" + end:                                      "any",
		"tee " + strings.Repeat("y ", 40) + " <<EOF\n" + strings.Repeat(strings.Repeat("text ", 1000)+"\n", 400) + "V\nEOF\n": "any",
	} {
		command, _ := json.Marshal(script)
		got := ""
		for _, s := range toolcall.Read("Bash", `{"command":`+string(command)+`}`)[1:] {
			if s.Anywhere && strings.HasSuffix(s.Text, "V\n") {
				got = max(got, s.Path)
				if s.Path == "" {
					got = "any"
				}
			}
		}
		if got != want {
			t.Errorf("%.80q: %q, want %q", script, got, want)
		}
		if len(script) < 2000 {
			cut(t, "Bash", `{"command":`+string(command)+`}`, 7)
		}
	}
}
