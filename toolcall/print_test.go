package toolcall_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pertain-dev/pertain/toolcall"
)

// shellFiles are the files that a command writes, with what it adds to each.
func shellFiles(script string) []string {
	var out []string
	for _, s := range toolcall.Read("Bash", bash(script))[1:] {
		out = append(out, fmt.Sprintf("%s %q", s.Path, s.Text))
	}
	return out
}

// TestPrinted: what a script prints into a file is that file's content, as far as reading it tells.
func TestPrinted(t *testing.T) {
	for script, want := range map[string][]string{
		"echo V > src/x.ts":      {`src/x.ts "V\n"`},
		"echo V>src/x.ts":        {`src/x.ts "V\n"`},
		"echo -n 'V  W' >> x.ts": {`x.ts "V  W"`},
		"echo V 2 > x.ts":        {`x.ts "V 2\n"`},
		"echo V 2>x.ts":          nil,
		"echo V >&2":             nil,
		"echo V > x.ts 2>&1":     {`x.ts "V\n"`},
		"echo V &> x.ts; echo W >| y.ts; echo X >& z.ts": {`x.ts "V\n"`, `y.ts "W\n"`, `z.ts "X\n"`},
		"> x.ts echo V":                                                         {`x.ts "V\n"`},
		`echo "eval(\"1\") \$x \n" > x.ts`:                                      {`x.ts "eval(\"1\") $x \\n\n"`},
		`echo -e "a\tb\nV\x21" > x.ts`:                                          {`x.ts "a\tb\nV!\n"`},
		`echo $'a\'\nV' > x.ts`:                                                 {`x.ts "a'\nV\n"`},
		"echo 'one\ntwo # no comment\n' > x.ts":                                 {`x.ts "one\ntwo # no comment\n\n"`},
		"echo one \\\n  two > x.ts # a comment > y":                             {`x.ts "one two\n"`},
		"echo \"it's\" > x.ts; echo 'a \"b\"' > y.ts":                           {`x.ts "it's\n"`, `y.ts "a \"b\"\n"`},
		"echo V | tee x.ts y.ts >/dev/null":                                     {`x.ts "V\n"`, `y.ts "V\n"`},
		"echo V | sudo tee -a /etc/x":                                           {`/etc/x "V\n"`},
		"echo V | made > x.ts":                                                  nil,
		"printf 'V' > x.ts":                                                     {`x.ts "V"`},
		`printf '%s\n' "a b" V > x.ts`:                                          {`x.ts "a b\nV\n"`},
		`printf "%-5s=%d%%\n" a 1 > x.ts`:                                       {`x.ts "a=1%\n"`},
		"printf -v D src > x.ts; printf > y.ts":                                 nil,
		"cat > x.ts <<< V":                                                      {`x.ts "V\n"`},
		"cat <<<'V W' >x.ts":                                                    {`x.ts "V W\n"`},
		"tee x.ts y.ts <<< \"V\"":                                               {`x.ts "V\n"`, `y.ts "V\n"`},
		"python - <<< V > x.ts":                                                 nil,
		"dd of=x.ts <<EOF\nV\nEOF":                                              {`x.ts "V\n"`},
		"echo V | dd of=x.ts bs=1":                                              {`x.ts "V\n"`},
		"cd src && echo V > x.ts":                                               {`src/x.ts "V\n"`},
		"cd src; printf V > x.ts":                                               {`src/x.ts "V"`, `x.ts "V"`},
		"bash -c 'echo V > x.ts'; echo W > y":                                   {`x.ts "V\n"`, `y "W\n"`},
		"sh -c \"echo V > x.ts\" && echo W > y":                                 {`x.ts "V\n"`, `y "W\n"`},
		"{ echo V; echo W; } > x.ts":                                            {`x.ts "V\nW\n"`},
		"{\necho V\ncat <<EOF\nW\nEOF\n} >> x.ts\necho X > y":                   {`x.ts "V\nW\n"`, `y "X\n"`},
		"(cd src; echo V) > x.ts":                                               {`x.ts "V\n"`},
		"{ echo V; (echo W); } | tee x.ts; echo X":                              {`x.ts "V\nW\n"`},
		"f() { echo V; }; f > x.ts; echo W > y":                                 {`y "W\n"`},
		"if true; then { echo V; } > x.ts; fi":                                  {`x.ts "V\n"`},
		"echo { V } > x.ts; find . -exec rm {} + > y":                           {`x.ts "{ V }\n"`},
		"echo \"$(echo V)\" > x.ts":                                             {`x.ts "V\n"`},
		"echo \"$(cat <<'EOF'\nV\nEOF\n)\" > x.ts":                              {`x.ts "V\n"`},
		"(cd src && echo V > x.ts); echo W > y":                                 {`src/x.ts "V\n"`, `y "W\n"`},
		"echo $(date) V > x.ts":                                                 {`x.ts "$() V\n"`},
		"echo \"$(cat \"a b\" | tr x y) V\" > x.ts":                             {`x.ts "$() V\n"`},
		"echo `date` V > x.ts":                                                  {"x.ts \"`date` V\\n\""},
		"echo $((1<<2)) V > x.ts\necho W > y.ts":                                {`x.ts "$((1<<2)) V\n"`, `y.ts "W\n"`},
		"git commit -m \"$(cat <<'EOF'\nit's \"so\"\nEOF\n)\" && echo V > x.ts": {`x.ts "V\n"`},
		"diff <(echo a) <(echo b) > x.ts; echo V > y.ts":                        {`y.ts "V\n"`},
	} {
		if diff := cmp.Diff(want, shellFiles(script)); diff != "" {
			t.Errorf("%q: %s", script, diff)
		}
	}
}

// TestVariables: what a script sets itself is known in what follows; what it does not set stays as it is written.
func TestVariables(t *testing.T) {
	for script, want := range map[string]string{
		"cd $PWD/src && " + doc:                                 "src/x.ts",
		"cd \"$PWD\"/src && " + doc:                             "src/x.ts",
		"cd ${PWD}/src && " + doc:                               "src/x.ts",
		"cd \"$(pwd)/src\" && " + doc:                           "src/x.ts",
		"cd `pwd`/src && " + doc:                                "src/x.ts",
		"cd lib && cd $PWD && " + doc:                           "lib/x.ts",
		"cd lib && cd $PWD/src && " + doc:                       "lib/src/x.ts",
		"D=src; cd $D && " + doc:                                "src/x.ts",
		"D='my src' E=lib\ncd \"$D/${E}\" && " + doc:            "my src/lib/x.ts",
		"export D=src && cd $D && " + doc:                       "src/x.ts",
		"D=lib; D=src; cd ${D} && " + doc:                       "src/x.ts",
		"D=src true; cd $D && " + doc:                           "x.ts",
		"echo D=src; cd $D && " + doc:                           "x.ts",
		"mkdir -p src && cd $_ && " + doc:                       "src/x.ts",
		"mkdir -p lib src && cd \"$_\" && " + doc:               "src/x.ts",
		"R=$PWD && cd lib && cat > $R/src/x.ts <<EOF\nV\nEOF\n": "lib/../src/x.ts",
		"cd a && R=$(pwd) && cd b && cd $R/c && " + doc:         "a/c/x.ts",
		"R=$PWD; cd /abs && cat > $R/x.ts <<EOF\nV\nEOF\n":      "$R/x.ts",
		"F=src/x.ts; cat > $F <<EOF\nV\nEOF\n":                  "src/x.ts",
		"F=src/x.ts; tee \"$F\" <<< V":                          "src/x.ts",
		"F=src/x.ts; echo V > $F":                               "src/x.ts",
		"T=V; cat > x.ts <<EOF\n$T\nEOF\n":                      "x.ts",
		"T=V; echo $T > x.ts; cat > y.ts <<'EOF'\n$T\nEOF\n":    "x.ts",
		"popd; cd $PWD/src && " + doc:                           "x.ts src/x.ts",
		"cd $OTHER/src && " + doc:                               "x.ts",
		"D=${X:-src}; cd $D && " + doc:                          "x.ts",
		"cd '$PWD'/src && " + doc:                               "x.ts",
	} {
		var found []string
		for _, line := range shellFiles(script) {
			if path, ok := strings.CutSuffix(line, ` "V\n"`); ok {
				found = append(found, path)
			}
		}
		if got := strings.Join(found, " "); got != want {
			t.Errorf("%q: %q, want %q", script, got, want)
		}
	}
}

// TestLargeScripts: however a script grows by what it sets, reading it takes no more than it is long.
func TestLargeScripts(t *testing.T) {
	for name, script := range map[string]string{
		"doubled":       "A=xxxxxxxxxxxxxxxx\n" + strings.Repeat("A=$A$A\n", 10_000),
		"used often":    "A=" + strings.Repeat("x", 2000) + "\necho " + strings.Repeat("$A", 20_000) + " > y.ts\n",
		"open":          "echo " + strings.Repeat("${", 20_000) + " > y.ts\n",
		"nested":        strings.Repeat("echo $(", 20_000) + strings.Repeat(")", 20_000) + "\n",
		"parentheses":   strings.Repeat("(", 20_000) + "echo " + strings.Repeat("V ", 20_000) + strings.Repeat(")", 20_000) + " > y.ts\n",
		"braces":        strings.Repeat("{ ", 20_000) + "echo V; " + strings.Repeat("}; ", 20_000) + " > y.ts\n",
		"numbers":       "echo " + strings.Repeat("$((", 20_000) + "\n",
		"format":        "printf '" + strings.Repeat("%sx", 5000) + strings.Repeat("y", 5000) + "' " + strings.Repeat("a ", 20_000) + " > y.ts\n",
		"many files":    "echo V | tee " + strings.Repeat("y.ts ", 20_000) + "\n",
		"files of much": "tee " + strings.Repeat("y.ts ", 900) + "<<EOF\n" + strings.Repeat("text\n", 10_000) + "EOF\n",
	} {
		size := 0
		for _, line := range shellFiles(script + "echo V > x.ts\n") {
			size += len(line)
		}
		if most := 256 << 20; size > most {
			t.Errorf("%s: %d bytes of %d", name, size, len(script))
		}
	}
}

// TestLargeCode: what a script in JavaScript sets once and uses everywhere makes it no longer than so much.
func TestLargeCode(t *testing.T) {
	value := "const a = '" + strings.Repeat("x", 60_000) + "';"
	for _, use := range []string{"f(`${a}`);", "cmd = `${a} > x`;", "path = `${a}`; f({content: 'V'});"} {
		code := value + strings.Repeat(use, 5000)
		size := 0
		for _, s := range toolcall.Read("exec", code) {
			size += len(s.Path) + len(s.Text)
		}
		if most := 20 * len(code); size > most {
			t.Errorf("%s: %d bytes of %d", use, size, len(code))
		}
	}
}
