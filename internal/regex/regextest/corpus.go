package regextest

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// shapes are what authors of rules write, each with a gap for a name, and a text
// that matches.
var shapes = []struct{ pattern, sample string }{
	{`\.%s\(\)`, `x.%s()`},
	{`%s\.log\(`, `%s.log(1)`},
	{`import .* from ['"]%s`, `import { a } from '%s';`},
	{`TODO\(%s\)\b`, `TODO(%s)x`},
	{`%s\s*=\s*['"]`, `%s  = "a"`},
	{`\b%s\b`, `a %s b`},
	{`\bnew %s\(`, `y = new %s(1)`},
	{`(?i)%s[_-]?key\s*[:=]`, `my %s_KEY: 1`},
	{`\.%s\(.*\)\.catch\(`, `p.%s(a, b).catch(e)`},
	{`(?m)^\s*from %s import`, `    from %s import x`},
	{`#include\s*<%s\.h>`, `#include <%s.h>`},
	{`@%s\b`, `@%s()`},
	{`%s::(new|default)\(\)`, `let a = %s::new();`},
	{`fmt\.%s(ln|f)?\(`, `fmt.%sln("a")`},
	{`<%s(\s[^>]*)?>`, `<%s id="1">`},
	{`:\s*%s\b`, `a:  %s,`},
	{`\bvar %s\b`, `var %s = 1`},
	{`require\(['"]%s['"]\)`, `require("%s")`},
	{`%s\.\w+\.unsafe`, `%s.a1.unsafe()`},
	{`https?://%s\.[a-z]+/`, `see https://%s.dev/x`},
	{`except %s:`, `except %s:`},
	{`SELECT \* FROM %s`, `SELECT * FROM %s;`},
	{`\bas %s;`, `x as %s;`},
	{`%s<[^>]+>\(`, `%s<A, B>(c)`},
	{`catch \(%s \w+\) \{\s*\}`, `catch (%s e) { }`},
	{`%s\[['"]\w+['"]\]`, `%s["a"]`},
	{`panic\("%s`, `panic("%s: a")`},
	{`std::%s\b`, `std::%s(a)`},
	{`process\.env\.%s`, `process.env.%s`},
	{`\$\{%s\}`, `a ${%s} b`},
}

var syllables = strings.Fields(`ba be bo ca co da de do fa fi fo ga go ha he ja jo ka ki la le lo ma me mi mo na ne no pa pe po ra re ri ro sa se si so ta te ti to va ve vi wa we xa ya ze zo
	al an ar as el en er es il in ir is ol on or os un ur us tion ment ing ness able logy graph scope port form ward`)

// Name gives a made-up name of a function or type.
func Name(r *rand.Rand) string {
	var b strings.Builder
	for range 2 + r.IntN(3) {
		b.WriteString(syllables[r.IntN(len(syllables))])
	}
	s := b.String()
	switch r.IntN(5) {
	case 0:
		s = strings.ToUpper(s[:1]) + s[1:]
	case 1:
		s += "_" + syllables[r.IntN(len(syllables))]
	}
	return s
}

// Corpus is triggers, and texts to watch.
type Corpus struct {
	Patterns []string
	// Control are texts each of which one trigger, at least, must be found in.
	Control []Planted
}

// Planted is a text and the trigger that it was made for.
type Planted struct {
	Trigger int
	Text    string
}

// planted is how many texts the control has.
const planted = 191

// NewCorpus gives n triggers of the kinds that rules have.
func NewCorpus(n int) *Corpus {
	r := rand.New(rand.NewPCG(1, 2))
	c := &Corpus{}
	names := make([]string, n)
	for i := range n {
		names[i] = Name(r)
		c.Patterns = append(c.Patterns, fmt.Sprintf(shapes[i%len(shapes)].pattern, names[i]))
	}
	for i := range planted {
		t := i * max(n/planted, 1) % n
		text := fmt.Sprintf(shapes[t%len(shapes)].sample, names[t])
		if i%2 == 1 {
			text = "some words before it, and\nthen " + strings.TrimLeft(text, " ") + " and after"
			if strings.HasPrefix(c.Patterns[t], "(?m)^") {
				text = strings.Replace(text, "\nthen ", "\n  ", 1)
			}
		}
		c.Control = append(c.Control, Planted{t, text})
	}
	return c
}

var words = strings.Fields(`the of and to in is that for it as was with be by on not he his but at are this have from or had an they which one you were her all she there would their we him been has when
	who will more no if out so said what up its about into than them can only other new some could time these two may then do first any my now such like our over man me even most made after also did many before must
	through back years where much your way well down should because each just those people how too little state good very make world still own see men work long get here between both life being under never day same
	another know while last might us great old year off come since against go came right used take three function value return error string number request response handler server client session buffer stream`)

var lines = []string{
	"func (s *Server) Handle(ctx context.Context, req *Request) (*Response, error) {\n", "\tif err != nil {\n\t\treturn nil, fmt.Errorf(\"reading %s: %w\", name, err)\n\t}\n",
	"const result = await fetch(`${base}/items/${id}`, { method: 'POST', headers });\n", "    for (const item of items.filter((x) => x.active)) {\n", "def process(self, rows: list[dict[str, Any]]) -> None:\n",
	"        self.cache[key] = value\n", "let mut total = 0u64;\n", "    total += entry.metadata()?.len();\n", "import { useState, useEffect } from 'react';\n", "export default function Panel({ title, children }) {\n",
	"  const [open, setOpen] = useState(false);\n", "}\n\n", "// This keeps the order of the entries stable.\n", "SELECT id, name FROM users WHERE active = 1 ORDER BY name;\n", "  <div className=\"panel\" onClick={() => setOpen(!open)}>\n",
}

// Output gives size bytes of what a model says: prose, and code.
func Output(size int, seed uint64) string {
	r := rand.New(rand.NewPCG(seed, 4))
	var b strings.Builder
	for b.Len() < size {
		if r.IntN(3) == 0 {
			for range 3 + r.IntN(10) {
				b.WriteString(lines[r.IntN(len(lines))])
				if r.IntN(3) == 0 {
					fmt.Fprintf(&b, "\t%s.%s(%s, %d)\n", Name(r), Name(r), Name(r), r.IntN(1000))
				}
			}
			continue
		}
		for range 2 + r.IntN(5) {
			for i := range 6 + r.IntN(14) {
				word := words[r.IntN(len(words))]
				if i == 0 {
					word = strings.ToUpper(word[:1]) + word[1:]
				} else {
					b.WriteByte(' ')
				}
				b.WriteString(word)
			}
			b.WriteString(". ")
		}
		b.WriteString("\n\n")
	}
	return b.String()[:size]
}

// Pieces cuts a text into pieces of 4 to 20 bytes.
func Pieces(text string) []string {
	r := rand.New(rand.NewPCG(5, 6))
	var out []string
	for len(text) > 0 {
		n := min(4+r.IntN(17), len(text))
		out = append(out, text[:n])
		text = text[n:]
	}
	return out
}
