package toolcall_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/pertain-dev/pertain/toolcall"
)

// TestScriptsThatMislead: what bash writes to a file is found there, or in no file in particular, whatever stands before it that
// looks like the beginning of a document, a quote or an expansion, and is none.
func TestScriptsThatMislead(t *testing.T) {
	const writes = "\necho EVIL > x.ts"
	for _, script := range []string{
		"((x=1<<2))" + writes,
		"((x=1<<2))" + writes + "\n: '\n2))\n'",
		"((\nx=1<<2\n))" + writes,
		"(( ${#y} << 2 ))" + writes,
		"for ((i=1<<0;i<1;i++)); do :; done" + writes,
		"x=$[1<<2]" + writes,
		"x=$[1<<2\n]" + writes,
		"a[1<<2]=3" + writes,
		"x=${y%'}'}" + writes,
		`x=${y:-"}"}` + writes,
		`x=${y:-\}\'}` + writes,
		"x=${y:-${z:-'}'}}" + writes,
		"x=${y:-'\n'}" + writes,
		"cat <<$'a\\tb' >/dev/null\na\tb" + writes,
		"cat <<$(a) >/dev/null\n$(a)" + writes,
		"cat <<E > x.ts\nEV\\\nIL\nE",
		"cat 3<<A <&3 > x.ts\nEVIL\nA",
		"cat <(echo EVIL) > x.ts",
		"cat < <(echo EVIL) > x.ts",
		"echo EVIL > >(cat > x.ts)",
		"coproc echo EVIL > x.ts; wait",
		"shopt -s expand_aliases\nalias e=echo\ne EVIL > x.ts",
		"cat <<E\n" + writes,
		"echo '" + writes,
	} {
		if !slices.ContainsFunc(shellFiles(script), func(line string) bool {
			name, text, _ := strings.Cut(line, ` "`)
			return (name == "" || name == "x.ts") && strings.Contains(text, "EVIL")
		}) {
			t.Errorf("%q: %q", script, shellFiles(script))
		}
	}
}

// TestScriptsThatDoNotMislead: what is understood is told of its files alone.
func TestScriptsThatDoNotMislead(t *testing.T) {
	for _, script := range []string{
		"((x=1<<2)) && echo V > x.ts",
		"for ((i=0;i<3;i++)); do echo V > x.ts; done",
		`echo V > x.ts; cd "${DIR:-"src"}"`,
		"x=${y%%.*}; x=${y:-'a b'}; x=${#y}; echo V > x.ts",
		"x=$[1<<2]; echo V > x.ts",
		"( (echo V) > x.ts)",
		"cat <<E > x.ts\na \\\\\nV\nE",
		"cat <<'E' > x.ts\na \\\nV\nE",
	} {
		for _, s := range toolcall.Read("Bash", bash(script))[1:] {
			if s.Path != "x.ts" {
				t.Errorf("%q: %q has %q", script, s.Path, s.Text)
			}
		}
	}
}

// bash are the arguments of a call that runs a script.
func bash(script string) string {
	command, _ := json.Marshal(script)
	return `{"command":` + string(command) + `}`
}
