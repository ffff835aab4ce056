package stream_test

import (
	"bytes"
	"encoding/json"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/pertain-dev/pertain/internal/regex"
	"github.com/pertain-dev/pertain/internal/regex/look"
	"github.com/pertain-dev/pertain/internal/regex/syntax"
	"github.com/pertain-dev/pertain/stream"
)

// nodeScript answers for each text whether the expression matches it, and where its
// earliest-ending match ends, by brute force: the expression, followed by a
// look-behind that counts the characters before it. Positions are in UTF-16 units.
// It looks for a continuation that undoes what was taken for decided, among many,
// and says whether the one that is to show that the prefix before is not decided
// does undo it. An expression that is not valid is null.
const nodeScript = `
const cases = JSON.parse(require('fs').readFileSync(0, 'utf8'));
const tails = ['', 'a', 'b', 'c', ' ', '\n', '1', '-', 'é', '_', 'ü', '\u2028', '\r', 'A', 'x',
	'ab', 'ba', 'aa', 'bb', 'bab', 'aba', 'a\n', 'b\n', 'a ', 'b ', 'abab', 'aab', 'a1', '1a', '\na', '\nb', ' a', 'éa', '-a', 'a-', 'b1', 'c1', '_a', 'üa', 'ca', ' 01b 01 '];
let seed = 1;
const random = n => (seed = (seed * 48271) % 2147483647) % n;
for (let i = 0; i < 60; i++) {
	let s = '';
	for (let n = 1 + random(9); n > 0; n--) s += tails[1 + random(14)];
	tails.push(s);
}
globalThis.answer = c => {
	let re;
	try { re = new RegExp(c.pattern, c.flags); } catch (e) { return null; }
	return c.texts.map((t, i) => {
		const claim = c.claims[i], out = {matches: re.test(t), undone: null, undoes: true, first: -1, end: -1};
		if (claim.decided >= 0) {
			const undone = tails.find(x => !re.test(t.slice(0, claim.decided) + x));
			if (undone !== undefined) out.undone = undone;
		}
		if (claim.undoing !== null) out.undoes = !re.test(t.slice(0, claim.before) + claim.undoing);
		else if (claim.before >= 0)
			for (let n = 0; n <= claim.before && out.first < 0; n++)
				if (tails.every(x => re.test(t.slice(0, n) + x))) out.first = n;
		if (c.ends && out.matches)
			for (let n = 0; n <= t.length && out.end < 0; n++)
				if (new RegExp('(?:' + c.pattern + ')(?<=(?<![^])[^]{' + n + '})', c.flags).test(t)) out.end = n;
		return out;
	});
};
const script = new (require('vm').Script)('answer(now)');
process.stdout.write(JSON.stringify(cases.map(c => {
	globalThis.now = c;
	try { return script.runInThisContext({timeout: 400}); } catch (e) { return []; } // too slow in node
})));`

// nodeCase is an expression with texts, and what is claimed of each.
type nodeCase struct {
	Pattern string      `json:"pattern"`
	Flags   string      `json:"flags"`
	Texts   []string    `json:"texts"`
	Ends    bool        `json:"ends"` // ask where the earliest-ending match ends
	Claims  []nodeClaim `json:"claims"`
	firings []stream.Firing
	valid   bool
}

// nodeClaim is what we say of a text, in UTF-16 units; -1 for nothing.
type nodeClaim struct {
	Decided int `json:"decided"` // the match is certain after so much
	Before  int `json:"before"`  // it is not after so much
	// Undoing is what may follow so that there is no match; nil if we do not know.
	Undoing *string `json:"undoing"`
}

type nodeAnswer struct {
	Matches bool
	Undone  *string // a continuation after which a match that was decided is none
	Undoes  bool
	First   int // smallest prefix that no continuation undoes that was tried
	End     int
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

// nodeIsModern says whether node knows modifiers, and names that several groups have:
// they are in ECMAScript since 2025.
func nodeIsModern(t *testing.T) bool {
	t.Helper()
	answers := askNode(t, []nodeCase{{Pattern: `(?i:a)(?:(?<n>a)|(?<n>b))`, Texts: []string{"aa"}, Claims: []nodeClaim{{-1, -1, nil}}}})
	if answers[0] == nil {
		t.Log("node does not know ECMAScript 2025: what is new in it is not compared")
	}
	return answers[0] != nil
}

// modern are expressions with what ECMAScript has since 2025. Random ones with
// modifiers are compared with package regex alone: V8 forgets modifiers now and then,
// as in (?i:x(?i:y)|[ab]), which it does not find in A.
var modern = []struct{ pattern, texts string }{
	{`(?i:todo)\b`, "TODO|Todos|a todo: b|tODO_"},
	{`(?i:\bselect\b)[^;]*\bFROM\b`, "SELECT a FROM b|select a FROM b|select a from b|selects FROM|SELECT;FROM"},
	{`(?m:^import) (?-m:x)$`, "import x|a\nimport x|import x\n|import  x"},
	{`foo(?!(?i:bar))`, "foo|fooBAR|fooBaz|fooBA|fooBARfoo"},
	{`(?<=(?i:password)\s*=\s*)['"]`, "PassWord = 'x'|password='|Passwords = \"|PASSWORD\n=\t\""},
	{`(?s:a.b)|c.d`, "a\nb|c\nd|axb|c d"},
	{`(\w)(?i:\1)!`, "aA!|aa!|Aa!|ab!"},
	{`(?:(?<q>')|(?<q>"))secret\k<q>`, "'secret'|\"secret\"|'secret\"|secret"},
	{`(?<y>\d{4})-\d\d|\d\d/(?<y>\d{4})`, "2024-01|01/2024|1/2024|24-01"},
}

func compared(new2025 bool) []nodeCase {
	var cases []nodeCase
	listed := realistic
	if new2025 {
		listed = slices.Concat(realistic, modern)
	}
	for _, r := range listed {
		for _, flags := range []string{"", "i", "m", "im", "s"} {
			cases = append(cases, nodeCase{Pattern: r.pattern, Flags: flags, Texts: strings.Split(r.texts, "|")})
		}
	}
	w := newWriter(77)
	count := rounds(9000)
	for i := range count {
		w.linear = i%3 == 0
		w.groups = 0
		c := nodeCase{Pattern: w.branches(3), Flags: w.pick("", "", "", "i", "m", "s", "im")}
		for range 6 {
			c.Texts = append(c.Texts, w.text())
		}
		cases = append(cases, c)
	}
	return cases
}

// claim runs the texts of a case, and says why what is not decided is not: for
// expressions without back-references by a text that undoes the match.
func (c *nodeCase) claim(t *testing.T, cache *look.Cache) {
	pattern := flagged(c.Pattern, c.Flags)
	set, problems := stream.Compile([]stream.Trigger{{Patterns: []string{pattern}}}, stream.Options{})
	if c.valid = len(problems) == 0; !c.valid {
		return
	}
	re, _ := regex.Compile(pattern, regex.Options{Dialect: regex.ECMAScript, InlineFlags: true})
	automaton := cache.Add(re.Tree())
	_, c.Ends = re.Search()
	for _, text := range c.Texts {
		claim := nodeClaim{Decided: -1, Before: len(utf16.Encode([]rune(text)))}
		st := set.Stream()
		before := text // the longest prefix on which it is not decided
		found := append([]stream.Firing(nil), st.Feed(text)...)
		if len(found) > 0 || feedsNothing(set) {
			decided := int64(0)
			if len(found) > 0 {
				decided = found[0].Decided
			}
			claim.Decided = len(utf16.Encode([]rune(text[:decided])))
			_, size := utf8.DecodeLastRuneInString(text[:decided])
			before = text[:int(decided)-size]
			claim.Before = len(utf16.Encode([]rune(before)))
			if decided == 0 {
				claim.Before = -1
			}
		}
		found = append(found, st.End()...)
		if len(found) == 0 {
			found = append(found, stream.Firing{Offset: -1, Decided: -1})
		}
		if automaton != nil && claim.Before >= 0 {
			state := automaton.Begin(syntax.NoRune)
			for _, r := range before {
				state, _ = automaton.Next(state, r)
			}
			undoing, ok := automaton.Counterexample(state)
			if !ok {
				t.Errorf("/%s/ on %q: nothing is known that undoes the match after %q", pattern, text, before)
			}
			claim.Undoing = &undoing
		}
		c.Claims = append(c.Claims, claim)
		c.firings = append(c.firings, found[0])
	}
}

// feedsNothing says whether a trigger is decided before there is any text. Feed of
// nothing does not tell.
func feedsNothing(set *stream.Set) bool {
	found := set.Stream().Feed("x")
	return len(found) > 0 && found[0].Decided == 0
}

// TestAgainstNode: whether an expression matches, and the smallest prefix on which
// that is decided, is what a JavaScript engine says. After the prefix on which we
// take it for decided no continuation that node tries undoes the match; and for the
// prefix before it we name one that does, and node agrees.
//
// For expressions with back-references nobody can name one in general: whether all
// texts match such an expression is not decidable. There node is to find one among
// many, and where it does not the match is perhaps decided late.
func TestAgainstNode(t *testing.T) {
	t.Parallel()
	cases := compared(nodeIsModern(t))
	cache := look.NewCache(4 << 20)
	for i := range cases {
		cases[i].claim(t, cache)
	}
	pairs, proved, late, slow, differences := 0, 0, 0, 0, 0
	differ := func(format string, args ...any) {
		if differences++; differences > 20 {
			t.FailNow()
		}
		t.Errorf(format, args...)
	}
	for i, answers := range askNode(t, cases) {
		c := &cases[i]
		if answers != nil && len(answers) == 0 {
			slow++
			continue
		}
		if c.valid != (answers != nil) {
			t.Fatalf("/%s/%s: valid %v, for node %v", c.Pattern, c.Flags, c.valid, answers != nil)
		}
		for j, want := range answers {
			pairs++
			text, claim, f := c.Texts[j], c.Claims[j], c.firings[j]
			if (f.Offset >= 0) != want.Matches {
				differ("/%s/%s on %q: matches %v, node %v", c.Pattern, c.Flags, text, f.Offset >= 0, want.Matches)
			}
			if want.Undone != nil {
				differ("/%s/%s on %q: decided at %d, but node finds that %q undoes it", c.Pattern, c.Flags, text, claim.Decided, *want.Undone)
			}
			if !want.Undoes {
				differ("/%s/%s on %q: not decided at %d, but node finds that %q does not undo it", c.Pattern, c.Flags, text, claim.Before, *claim.Undoing)
			}
			if claim.Undoing != nil {
				proved++
			} else if want.First >= 0 {
				late++
				t.Logf("/%s/%s on %q: decided at %d, perhaps so at %d", c.Pattern, c.Flags, text, claim.Decided, want.First)
			}
			if !c.Ends || f.Offset < 0 {
				continue
			}
			// The end of the earliest-ending match, unless it was decided before.
			if end := len(utf16.Encode([]rune(text[:f.Offset]))); end != want.End && (f.Offset != f.Decided || end > want.End) {
				differ("/%s/%s on %q: ends at %d, node %d", c.Pattern, c.Flags, text, end, want.End)
			}
		}
	}
	t.Logf("%d pairs compared, %d differences; %d smallest prefixes proved, %d with back-references perhaps late; %d expressions too slow for node", pairs, differences, proved, late, slow)
	if late > pairs/10_000 {
		t.Errorf("%d with back-references are perhaps decided late", late)
	}
}
