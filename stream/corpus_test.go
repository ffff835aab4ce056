package stream_test

import (
	"fmt"
	"math/rand/v2"
	"strings"

	"github.com/pertain-dev/pertain/stream"
)

// shapes are what authors of rules write, each with a place for a name.
var shapes = []string{
	`\.%s\(\)`, `%s\.log\(`, `import .* from ['"]%s`, `TODO\(%s\)\b`, `%s\s*=\s*['"]`, `\b%s\b`, `\bnew %s\(`, `(?i)%s[_-]?key\s*[:=]`,
	`\.%s\(.*\)\.catch\(`, `(?m)^\s*from %s import`, `#include\s*<%s\.h>`, `@%s\b`, `%s::(new|default)\(\)`, `fmt\.%s(ln|f)?\(`, `<%s(\s[^>]*)?>`,
	`:\s*%s\b`, `\bvar %s\b`, `require\(['"]%s['"]\)`, `%s\.\w+\.unsafe`, `https?://%s\.[a-z]+/`, `except %s:`, `SELECT \* FROM %s`, `\bas %s;`,
	`%s<[^>]+>\(`, `catch \(%s \w+\) \{\s*\}`, `%s\[['"]\w+['"]\]`, `panic\("%s`, `std::%s\b`, `process\.env\.%s`, `\$\{%s\}`,
}

var syllables = strings.Fields(`ba be bo ca co da de do fa fi fo ga go ha he ja jo ka ki la le lo ma me mi mo na ne no pa pe po ra re ri ro sa se si so ta te ti to va ve vi wa we xa ya ze zo
	al an ar as el en er es il in ir is ol on or os un ur us tion ment ing ness able logy graph scope port form ward`)

func name(r *rand.Rand) string {
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

// corpus gives n triggers of the kinds that rules have.
func corpus(n int) []stream.Trigger {
	r := rand.New(rand.NewPCG(1, 2))
	var out []stream.Trigger
	for i := range n {
		out = append(out, stream.Trigger{Name: fmt.Sprintf("rule-%d", i), Patterns: []string{fmt.Sprintf(shapes[i%len(shapes)], name(r))}})
	}
	return out
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

// output gives size bytes of what a model says: prose, and code.
func output(size int) string {
	r := rand.New(rand.NewPCG(3, 4))
	var b strings.Builder
	for b.Len() < size {
		if r.IntN(3) == 0 {
			for range 3 + r.IntN(10) {
				b.WriteString(lines[r.IntN(len(lines))])
				if r.IntN(3) == 0 {
					fmt.Fprintf(&b, "\t%s.%s(%s, %d)\n", name(r), name(r), name(r), r.IntN(1000))
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

// tokens cuts a text into pieces of 4 to 20 bytes.
func tokens(text string) []string {
	r := rand.New(rand.NewPCG(5, 6))
	var out []string
	for len(text) > 0 {
		n := min(4+r.IntN(17), len(text))
		out = append(out, text[:n])
		text = text[n:]
	}
	return out
}
