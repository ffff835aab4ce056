package stream_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os/exec"
	"testing"
	"unicode/utf16"

	"github.com/pertain-dev/pertain/internal/regex"
	"github.com/pertain-dev/pertain/stream"
)

// scanScript finds by brute force what [stream.Scanner.Scan] says that it finds, with
// node's own expressions: for each place in turn, whether a match ends there, and of
// those the one that it is to be; for expressions with look-around what exec finds. An
// expression that is not valid is null. Positions are in UTF-16 units.
const scanScript = `
const cases = JSON.parse(require('fs').readFileSync(0, 'utf8'));
const lastLine = (t, e) => e < 2 ? 0 : t.lastIndexOf('\n', e - 2) + 1;
const lineEnd = (t, s) => { const i = t.indexOf('\n', s); return i < 0 ? t.length : i; };
const starts = (c, t, e) => {
	const out = [], re = new RegExp('(?:' + c.pattern + ')(?=[^]{' + (t.length - e) + '}(?![^]))', c.flags + 'y');
	for (let s = 0; s <= e; s++) {
		re.lastIndex = s;
		if (re.test(t)) out.push(s);
	}
	return out;
};
const first = (c, t, known, from) => {
	for (let e = from; e <= t.length; e++) {
		const all = (known[e] = known[e] || starts(c, t, e)).filter(s => s >= from);
		if (all.length > 0) return [all.find(s => s >= lastLine(t, e)) ?? all[0], e, all[0]];
	}
};
const exec = (re, t, from) => {
	re.lastIndex = from;
	const m = re.exec(t);
	if (!m) return;
	const e = re.lastIndex, near = lastLine(t, e);
	let s = m.index;
	if (near > s) {
		re.lastIndex = near;
		const again = re.exec(t);
		if (again && re.lastIndex === e) s = again.index;
	}
	return [s, e, m.index];
};
globalThis.answer = c => {
	let re;
	try { re = new RegExp(c.pattern, c.flags + 'g'); } catch (e) { return null; }
	return c.texts.map(t => {
		const out = [], known = {};
		let until = -1;
		for (let from = 0; from <= t.length;) {
			const m = c.linear ? first(c, t, known, from) : exec(re, t, from);
			if (!m) break;
			if (m[0] > until) {
				out.push([m[0], m[1]]);
				until = lineEnd(t, m[0]);
			}
			from = c.linear && m[0] < m[1] || m[2] < m[1] ? m[1] : m[1] + 1;
		}
		return out;
	});
};
const script = new (require('vm').Script)('answer(now)');
process.stdout.write(JSON.stringify(cases.map(c => {
	globalThis.now = c;
	try { return script.runInThisContext({timeout: 400}); } catch (e) { return []; } // too slow in node
})));`

type scanCase struct {
	Pattern string   `json:"pattern"`
	Flags   string   `json:"flags"`
	Linear  bool     `json:"linear"`
	Texts   []string `json:"texts"`
	found   []string // as node writes it
	valid   bool
}

// scanCases are hand-picked ones, and random ones with many line feeds.
func scanCases(new2025 bool) []scanCase {
	var cases []scanCase
	lines := []string{
		"", "\n", "\n\n", "foo", "foo\n", "\nfoo\n\nfoo foo\n", "fn a() { // TODO\n}\n\nfn b() { // TODO\n}\nfn c() {\n  // TODO: x\n}\n// TODO\n",
		"\r\na\n a", "a b\n \nb A", "a\nb\nb\na b\nab\n", "\"a\" \"b\n\" \"c\"\n x \"d\"\n", "/* a */ /* b\n c */\n/* d */ */", "x\n\n   print(\n", "{\n}\n{ }\n{\n\n}",
		"aab\nabc\nbc\n", "a\u2028b\rfoo\n\u2028\n", "foo\n\n\nbar foo\nbar", "b a\n b\na b",
	}
	for _, pattern := range []string{
		`TODO\W`, `foo\s`, `foo\n`, `[^x]\n`, `\W`, `\s`, `\s+`, `\s*foo`, `\n`, `\n+`, `[^]`, `[^]*`, `.*`, `[^\n]*`, `x*`, `^`, `$`, `\b`, `\B`, `^$`, `^\s*print\(`, `foo\s*$`, `\s*$`,
		`a[^]*b`, `a[^]*?b`, `(?:a\s*)+b`, `"[^"]*"`, `\/\*[^]*?\*\/`, `\{\s*\}`, `abc|b`, `a.*b|ab`, `bc|abc|c`, `foo[^]*bar|foo`, `\r?\n`, `\n\n|b`, `(?:^|\n)a`, `a|\n`,
		`a.{0,100}b`, `a[^]{0,80}b\s*`, `\s{0,70}foo`, `foo\s{1,70}`, `.{0,70}\n`, `"[^"]{0,90}"`, `\b\w{1,70}\b`, `^(?:.{0,40}|\n{2,40})b`, `a{0,99}b?\n{1,99}$`,
		`foo(?!b)\s`, `(?<!a)\s`, `(?<=\n)\s*\S`, `\s*foo(?! )`, `(?=a)[^]*b`, `(a|\n)\1`, `(["'])[^]*?\1`, `(?!\n)$`, `(?=\n)`, `foo(?=[^]*bar)`, `(?<!")"(?!")[^]`, `(\s)\1`,
	} {
		for _, flags := range []string{"", "m"} {
			cases = append(cases, scanCase{Pattern: pattern, Flags: flags, Texts: lines})
		}
	}
	w := newWriter(91)
	w.duplicates = new2025
	for i := range rounds(2_500) {
		w.linear, w.groups = i%2 == 0, 0
		c := scanCase{Pattern: w.branches(3), Flags: w.pick("", "", "", "i", "m", "s", "im")}
		for range 4 {
			c.Texts = append(c.Texts, w.text()+w.pick("\n", "\n\n", "\r\n", "")+w.text()+w.pick("\n", "")+w.text())
		}
		cases = append(cases, c)
	}
	return cases
}

// TestScanAgainstNode: what a scan finds are matches, and those that it is said to find;
// for expressions with look-around by the backtracking machine and by reading the text.
func TestScanAgainstNode(t *testing.T) {
	t.Parallel()
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip("node is not installed: nothing to compare matches with")
	}
	cases := scanCases(nodeIsModern(t))
	for i := range cases {
		c := &cases[i]
		pattern := flagged(c.Pattern, c.Flags)
		set, problems := stream.Compile([]stream.Trigger{{Patterns: []string{pattern}}}, stream.Options{})
		if c.valid = len(problems) == 0; !c.valid {
			continue
		}
		re, _ := regex.Parse(pattern, regex.Options{Dialect: regex.ECMAScript, InlineFlags: true})
		_, c.Linear = re.Search()
		scanner := set.Scanner()
		for _, text := range c.Texts {
			found := [][2]int{}
			for _, m := range scanner.Scan(text) {
				found = append(found, [2]int{units(text[:m.Start]), units(text[:m.End])})
			}
			c.found = append(c.found, fmt.Sprint(found))
		}
		if again := stream.ScanLinear(set.Scanner()); !c.Linear {
			for j, text := range c.Texts {
				found := [][2]int{}
				for _, m := range again.Scan(text) {
					found = append(found, [2]int{units(text[:m.Start]), units(text[:m.End])})
				}
				if got := fmt.Sprint(found); got != c.found[j] {
					t.Errorf("/%s/%s on %q: found %s, read %s", c.Pattern, c.Flags, text, c.found[j], got)
				}
			}
		}
	}
	input, err := json.Marshal(cases)
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(node, "-e", scanScript)
	cmd.Stdin = bytes.NewReader(input)
	output, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	var answers [][][][2]int
	if err := json.Unmarshal(output, &answers); err != nil {
		t.Fatal(err)
	}
	pairs, matches, slow, differences := 0, 0, 0, 0
	for i, answer := range answers {
		c := &cases[i]
		if answer != nil && len(answer) == 0 {
			slow++
			continue
		}
		if c.valid != (answer != nil) {
			t.Fatalf("/%s/%s: valid %v, for node %v", c.Pattern, c.Flags, c.valid, answer != nil)
		}
		for j, want := range answer {
			pairs++
			matches += len(want)
			if got := c.found[j]; got != fmt.Sprint(want) {
				if differences++; differences > 20 {
					t.FailNow()
				}
				t.Errorf("/%s/%s on %q: found %s, node %v", c.Pattern, c.Flags, c.Texts[j], got, want)
			}
		}
	}
	t.Logf("%d pairs with %d matches compared, %d differences; %d expressions too slow for node", pairs, matches, differences, slow)
}

func units(s string) int { return len(utf16.Encode([]rune(s))) }
