package stream_test

import (
	"bytes"
	"encoding/json"
	"os/exec"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/pertain-dev/pertain/stream"
)

// nodeScript answers for each case where the earliest-ending match ends, by brute
// force: the expression, followed by a look-behind that counts the characters
// before it. Positions are in UTF-16 units; -1 for no match, null for an expression
// that is not valid. For expressions with look-around it answers instead for each
// prefix whether the expression matches it, alone and with every continuation of a
// few: that tells a prefix on which a match is certain from one on which it is not.
const nodeScript = `
const cases = JSON.parse(require('fs').readFileSync(0, 'utf8'));
const tails = ['', 'a', 'b', 'c', ' ', '\n', '1', '-', 'é', '_', 'ü', '\u2028', '\r', 'A', 'x',
	'ab', 'ba', 'aa', 'bb', 'bab', 'aba', 'a\n', 'b\n', 'a ', 'b ', 'abab', 'aab', 'a1', '1a', '\na', '\nb', ' a', 'éa', '-a', 'a-', 'b1', 'c1', '_a', 'üa', 'ca'];
globalThis.answer = c => {
	let re;
	try { re = new RegExp(c.pattern, c.flags); } catch (e) { return null; }
	return c.texts.map(t => {
		if (c.look) {
			const certain = [];
			for (let n = 0; n <= t.length; n++) certain.push(tails.every(x => re.test(t.slice(0, n) + x)));
			return {matches: re.test(t), certain};
		}
		if (!re.test(t)) return {end: -1};
		for (let n = 0; n <= t.length; n++)
			if (new RegExp('(?:' + c.pattern + ')(?<=(?<![^])[^]{' + n + '})', c.flags).test(t)) return {end: n};
		return {end: -2};
	});
};
const script = new (require('vm').Script)('answer(now)');
process.stdout.write(JSON.stringify(cases.map(c => {
	globalThis.now = c;
	try { return script.runInThisContext({timeout: 200}); } catch (e) { return []; } // too slow in node
})));`

type nodeCase struct {
	Pattern string   `json:"pattern"`
	Flags   string   `json:"flags"`
	Texts   []string `json:"texts"`
	Look    bool     `json:"look"`
}

type nodeAnswer struct {
	End     int
	Matches bool
	Certain []bool
}

func askNode(t *testing.T, cases []nodeCase) [][]nodeAnswer {
	t.Helper()
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip("node is not installed: nothing to compare triggers with")
	}
	input, err := json.Marshal(cases)
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(node, "-e", nodeScript)
	cmd.Stdin = bytes.NewReader(input)
	output, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	var answers [][]nodeAnswer
	if err := json.Unmarshal(output, &answers); err != nil {
		t.Fatal(err)
	}
	return answers
}

// realistic are expressions as people write them, with texts of which some match.
var realistic = []struct{ pattern, texts string }{
	{`\.unwrap\(\)`, "x.unwrap()|x.unwrap ()|y.unwrap()?|.unwrap("},
	{`console\.(log|error)\(`, "console.log('x')|console.warn(|a console.error(b)|consoleXlog("},
	{`import .* from ['"]lodash`, "import _ from 'lodash'|import {a} from \"lodash/x\"|import\nx from 'lodash|import a from 'b'; import c from 'lodash'"},
	{`TODO\b`, "TODO|TODOS|a TODO: b|TODO_|xTODO "},
	{`password\s*=\s*['"]`, "password = 'x'|password='|password  =  x|passwords = \"|password\n=\t\""},
	{`\bvar\s+\w+`, "var x|avar x|var  y1|var\n\nz|var "},
	{`:\s*any\b`, "a: any|a: anything|a:any, b|x : any[]|:  any"},
	{`^\s*print\(`, "print(|  print(x)|a print(|\n\nprint(|\tprint ("},
	{`except\s*:`, "except:|except  :|except E:|try except :|excepts:"},
	{`[A-Za-z0-9_]{8,}['"]`, "abcdefgh'|abc'|x = \"AbCdEf123\"|abcdefg h'|_________\""},
	{`(\w+)\s*=\s*\1;`, "x = x;|ab = b;|foo=foo;|xy = xyz;|a b=b;"},
	{`(?<!\.)\beval\(`, "eval(|a.eval(|x eval(y)|medieval(|.eval( eval("},
	{`catch \(\w+\) \{\s*\}`, "catch (e) {}|catch (e) { }|catch (e) { x }|catch (err) {\n\n}|catch () {}"},
	{`(?!.*test).*\.skip\(`, "it.skip(|test.skip(|a\ntest.skip(|describe.skip( // test|x.skip"},
	{`foo(?!bar)`, "foo|foobar|foobaz|foo bar|fooba|foobarfoo|foofoobar"},
	{`https?:\/\/(?!localhost)[^\s]+`, "http://a|https://localhost|http://local|http://localhos |see https://x.y z"},
	{`\d{1,3}(\.\d{1,3}){3}`, "1.2.3.4|300.1.2.3|1.2.3|a10.0.0.255b|1.2.3.|1..2.3.4"},
	{`$`, "|a|ab\n"},
	{`\b`, "|a| a|--|- a"},
	{`x*`, "|x|ax"},
	{`é\b|\bü`, "é|éa|aü|ü|éé a"},
}

func flagged(pattern, flags string) string {
	if flags == "" {
		return pattern
	}
	return "(?" + flags + ")" + pattern
}

func compared(t *testing.T) []nodeCase {
	var cases []nodeCase
	for _, r := range realistic {
		look := strings.Contains(r.pattern, "(?!") || strings.Contains(r.pattern, "(?<") || strings.Contains(r.pattern, `\1`)
		for _, flags := range []string{"", "i", "m", "im", "s"} {
			cases = append(cases, nodeCase{r.pattern, flags, strings.Split(r.texts, "|"), look})
		}
	}
	w := newWriter(77)
	count := 8000
	if testing.Short() {
		count = 500
	}
	for i := range count {
		w.linear = i%3 > 0
		pattern := w.branches(3)
		look := strings.Contains(pattern, "(?=") || strings.Contains(pattern, "(?!") || strings.Contains(pattern, "(?<") || strings.Contains(pattern, `\1`) || strings.Contains(pattern, `\2`)
		c := nodeCase{Pattern: pattern, Flags: w.pick("", "", "", "i", "m", "s", "im"), Look: look}
		for range 6 {
			c.Texts = append(c.Texts, w.text())
		}
		cases = append(cases, c)
	}
	return cases
}

// TestAgainstNode: whether an expression matches, and where that is decided, is
// what a JavaScript engine says. For expressions with look-around a prefix that we
// take for decided must be so for every continuation that node tries, and what
// matches at the end must be found.
func TestAgainstNode(t *testing.T) {
	cases := compared(t)
	pairs, late, slow, differences := 0, 0, 0, 0
	for i, answers := range askNode(t, cases) {
		c := cases[i]
		set, problems := stream.Compile([]stream.Trigger{{Patterns: []string{flagged(c.Pattern, c.Flags)}}}, stream.Options{})
		if answers != nil && len(answers) == 0 {
			slow++
			continue
		}
		if (len(problems) == 0) != (answers != nil) {
			t.Fatalf("/%s/%s: %v, valid for node %v", c.Pattern, c.Flags, problems, answers != nil)
		}
		for j, want := range answers {
			pairs++
			text := c.Texts[j]
			units := len(utf16.Encode([]rune(text)))
			end, decided := -1, -1
			st := set.Stream()
			found := append(append([]stream.Firing(nil), st.Feed(text)...), st.End()...)
			atEnd := len(found) > 0 && int(found[0].Decided) == len(text)
			if len(found) > 0 {
				end = len(utf16.Encode([]rune(text[:found[0].Offset])))
				decided = len(utf16.Encode([]rune(text[:found[0].Decided])))
			}
			if !c.Look {
				if end != want.End {
					differences++
					t.Errorf("/%s/%s on %q: ends at %d, node %d", c.Pattern, c.Flags, text, end, want.End)
				}
				continue
			}
			switch {
			case (end >= 0) != want.Matches:
				differences++
				t.Errorf("/%s/%s on %q: matches %v, node %v", c.Pattern, c.Flags, text, end >= 0, want.Matches)
			case end >= 0 && !atEnd && !want.Certain[decided]:
				differences++
				t.Errorf("/%s/%s on %q: decided at %d of %d, but node finds a text that undoes it", c.Pattern, c.Flags, text, decided, units)
			case end > 0 && decided > 0 && want.Certain[decided-1]:
				// Certain for every continuation that was tried. It is late only
				// if no other continuation could undo it, so this is counted, not
				// a difference.
				late++
			}
		}
		if differences > 20 {
			t.FailNow()
		}
	}
	t.Logf("%d pairs compared, %d differences; %d perhaps decided late, %d expressions too slow for node", pairs, differences, late, slow)
}
