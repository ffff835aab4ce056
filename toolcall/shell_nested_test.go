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

// TestUnquotedScripts: a script that a shell is given is what its quotes hold, whatever they are.
func TestUnquotedScripts(t *testing.T) {
	for script, want := range map[string][]string{
		`bash -c "echo \"V()\" > x.ts"`:                            {`x.ts "V()\n"`},
		`bash -c 'echo '\''V()'\'' > x.ts'`:                        {`x.ts "V()\n"`},
		`bash -c 'echo V'" > x.ts"`:                                {`x.ts "V\n"`},
		`bash -c $'echo \'V\' > x.ts'`:                             {`x.ts "V\n"`},
		"bash -c 'cat > x.ts <<\"E\"\nV \"W\"\nE\n'":               {`x.ts "V \"W\"\n"`},
		"bash -c \"cat > x.ts <<'E'\n\\$V\nE\n\"":                  {`x.ts "$V\n"`},
		`bash -o pipefail -euc 'echo V > x.ts'`:                    {`x.ts "V\n"`},
		`bash --rcfile F -c 'echo V > x.ts'`:                       {`x.ts "V\n"`},
		`bash -c -e 'echo V > x.ts'`:                               {`x.ts "V\n"`},
		`bash file -c 'echo V > x.ts'`:                             nil,
		`su me -c 'echo V > x.ts'`:                                 {`x.ts "V\n"`},
		`runuser -u me --command="echo V > x.ts"`:                  {`x.ts "V\n"`},
		`echo y | xargs -I{} sh -c 'echo V > x.ts'`:                {`x.ts "V\n"`},
		`find . -exec bash -c 'echo V > x.ts' \;`:                  {`x.ts "V\n"`},
		`flock /tmp/l -c 'echo V > x.ts'`:                          {`x.ts "V\n"`},
		`flock -w 3 /tmp/l setsid stdbuf -o L cat > x.ts <<< V`:    {`x.ts "V\n"`},
		`ionice -c 3 chrt 5 exec -a n doas -u me tee x.ts <<< V`:   {`x.ts "V\n"`},
		`cd src && timeout .5 taskset -c 0,1 bash -c 'echo V > x'`: {`src/x "V\n"`},
	} {
		if diff := cmp.Diff(want, shellFiles(script)); diff != "" {
			t.Errorf("%q: %s", script, diff)
		}
		command, _ := json.Marshal(script)
		cut(t, "Bash", `{"command":`+string(command)+`}`, 3)
	}
}

// TestDescriptors: numbers of a shell stand for files, and filters print what they read.
func TestDescriptors(t *testing.T) {
	const end = " <<EOF\nV\nEOF\n"
	for script, want := range map[string][]string{
		"echo V 3> x.ts >&3":                   {`x.ts "V\n"`},
		"exec 3> x.ts; echo V >&3; echo W":     {`x.ts "V\n"`},
		"exec 3> x.ts\ncat >&3" + end:          {`x.ts "V\n"`},
		"echo V 2> x.ts >&2":                   {`x.ts "V\n"`},
		"exec > y; exec 3> x.ts; echo V":       {`y "V\n"`},
		"echo V >&3 3> x.ts":                   nil,
		"sed s/a/b/ > x.ts" + end:              {`x.ts "V\n"`},
		"awk '{print}' <<EOF > x.ts\nV\nEOF\n": {`x.ts "V\n"`},
		"envsubst < x | tee y" + end:           {`y "V\n"`},
		"echo V | tr a b | sort > x.ts":        {`x.ts "V\n"`},
		"jq . > x.json" + end:                  {`x.json "V\n"`},
		"python - > x.ts" + end:                nil,
		"sed 3>&1 > x.ts" + end:                {`x.ts "V\n"`},
	} {
		if diff := cmp.Diff(want, shellFiles(script)); diff != "" {
			t.Errorf("%q: %s", script, diff)
		}
	}
}

// TestAround: what is given to commands that are run together, or printed by them, is followed on one line and over several.
func TestAround(t *testing.T) {
	const end = "\nV\nEOF\n"
	for script, want := range map[string][]string{
		"cat <<EOF | (cat > x.ts)" + end:                          {`x.ts "V\n"`},
		"cat <<EOF | { cat > x.ts; }" + end:                       {`x.ts "V\n"`},
		"cat <<EOF | (cd src && cat > x.ts)" + end:                {`src/x.ts "V\n"`},
		"cat <<EOF | {" + end + "cat > x.ts\n}":                   {`x.ts "V\n"`},
		"cat <<EOF | while read l; do" + end + "echo W; done > x": {`x "V\nW\n"`},
		"cat <<EOF |" + end + "tee x.ts":                          {`x.ts "V\n"`},
		"echo V |\ntee x.ts":                                      {`x.ts "V\n"`},
		"script -qc 'echo V > x.ts' /dev/null":                    {`x.ts "V\n"`},
		"source /dev/stdin <<EOF\necho V > x.ts\nEOF\n":           {`x.ts "V\n"`},
		"(cat <<EOF) > x.ts" + end:                                {`x.ts "V\n"`},
		"{ cat <<EOF; cat y; } > x.ts" + end:                      {`x.ts "V\n"`},
		"{ { cat <<EOF; }; echo W; } | tee x.ts" + end:            {`x.ts "V\n"`, `x.ts "W\n"`},
		"cat <<A | { cat <<EOF > y; cat > x; }\nU\nA" + end:       {`y "V\n"`, `x "U\n"`},
		"echo V | sh -c 'cat > x.ts'":                             {`x.ts "V\n"`},
		"echo V | sudo sh -c 'cat >> x.ts'; echo W > y":           {`x.ts "V\n"`, `y "W\n"`},
		"echo V | sh -c 'echo W' > x":                             {`x "W\n"`},
		"bash -c 'cat > \"$1\"' _ x.ts <<EOF" + end:               {`x.ts "V\n"`},
		"bash -c 'echo \"$1\" > ${2}' _ V x.ts":                   {`x.ts "V\n"`},
		"bash -c 'echo \"$@\" > x.ts' _ V W; echo $1 > y":         {`x.ts "V W\n"`, `y "$1\n"`},
		"cat <(echo V) > x.ts":                                    {`x.ts "V\n"`},
		"cp <(cat <<EOF) x.ts" + end:                              {`x.ts "V\n"`},
		"bash <(echo 'echo V > x.ts')":                            {`x.ts "V\n"`},
		"source <(echo 'echo V > x.ts')":                          {`x.ts "V\n"`},
		"echo V | tee >(cat > x.ts) > y":                          {`x.ts "V\n"`, `y "V\n"`},
		"echo V > >(tee x.ts)":                                    {`x.ts "V\n"`},
		"while read l; do cat; done < <(echo V) > x.ts":           {`x.ts "V\n"`},
		"diff <(grep V x.ts) y; npm test 2> >(grep -v V >&2)":     nil,
		"while read f; do echo W; done < <(rg -l V)":              nil,
		"if true; then X=V; echo $X > x.ts; fi":                   {`x.ts "V\n"`},
		"for f in x; do F=$f.ts; cat > $F <<EOF" + end + "done":   {`x.ts "V\n"`},
		"! X=V\necho $X > x; a X=W; echo $X > y":                  {`x "V\n"`, `y "V\n"`},
	} {
		if diff := cmp.Diff(want, shellFiles(script)); diff != "" {
			t.Errorf("%q: %s", script, diff)
		}
		command, _ := json.Marshal(script)
		cut(t, "Bash", `{"command":`+string(command)+`}`, 3)
	}
}
