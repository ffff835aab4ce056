package regex_test

import (
	"bytes"
	"encoding/json"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/pertain-dev/pertain/internal/regex"
	"github.com/pertain-dev/pertain/internal/regex/regextest"
)

// nodeScript answers, for each expression, null if it is invalid, else for each
// text where the first match is: [start, end] in UTF-16 units, or null.
const nodeScript = `
const cases = JSON.parse(require('fs').readFileSync(0, 'utf8'));
process.stdout.write(JSON.stringify(cases.map(c => {
	let re;
	try { re = new RegExp(c.pattern, c.flags); } catch (e) { return null; }
	return c.texts.map(t => { const m = re.exec(t); return m && [m.index, m.index + m[0].length]; });
})));`

type nodeCase struct {
	Pattern string   `json:"pattern"`
	Flags   string   `json:"flags"`
	Texts   []string `json:"texts"`
}

// askNode runs all cases in one process. It skips the test where there is no node.
func askNode(t *testing.T, cases []nodeCase) [][]*[2]int {
	t.Helper()
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip("node is not installed: nothing to compare ECMAScript expressions with")
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
	var answers [][]*[2]int
	if err := json.Unmarshal(output, &answers); err != nil {
		t.Fatal(err)
	}
	return answers
}

// nodeIsModern says whether node knows what ECMAScript has since 2025.
func nodeIsModern(t *testing.T) bool {
	t.Helper()
	return askNode(t, []nodeCase{{Pattern: `(?i:a)(?:(?<n>a)|(?<n>b))`, Texts: []string{""}}})[0] != nil
}

// since2025 says whether an expression may be one that only newer engines read.
func since2025(pattern string) bool {
	return modifiers.MatchString(pattern) || strings.Count(pattern, "(?<n>") > 1 || strings.Count(pattern, "(?<a>") > 1
}

var modifiers = regexp.MustCompile(`\(\?[ims-]+:`)

// modern are expressions with what is new in ECMAScript 2025.
var modern = []string{
	`(?i:a)b`, `(?i:a)A`, `(?-i:a)`, `(?-i:K)k`, `(?i-:a)`, `(?-:a)`, `(?ii:a)`, `(?i-i:a)`, `(?x:a)`, `(?ims:a)`, `(?imsi:a)`, `(?i`, `(?i:`, `(?i-`, `(?:-i:a)`, `(?m:^b)`, `(?m:a$)`, `(?-m:^b)`,
	`(?s:.)`, `(?-s:.)`, `(?s-i:a.b)`, `(?s-i:A.b)`, `(?i:[a-b])B`, `(?i:[^k])`, `(?-i:[^K])`, `(a)(?i:\1)`, `(?i:(a))\1`, `(?i:(a))(?-i:\1)`, `(?i:(?-i:a)b)`, `(?i:a|b)c`, `(?i:a)*`, `(?i:a){2}`, `(?=(?i:a))A`,
	`(?<=(?i:a))b`, `(?i:(?<=a)b)`, `(?i:\w)`, `(?i:\b)`, `(?i:\u212a)`, `(?i:ß)`, `(?i:É)`, `(?I:a)`, `(?i :a)`, `(?i:)`, `(?i:))`, `(?<n>a)(?i:\k<n>)`, `a(?i)b`,
	`(?<n>a)|(?<n>b)`, `(?:(?<n>a)|(?<n>b))\k<n>`, `(?:(?<n>a)|(?<n>b)|c)\k<n>`, `(?<n>a)(?<n>b)`, `(?<n>(?<n>a))`, `(?<n>(?<n>a)|b)`, `(?:(?<n>a)|(?<n>b))(?<n>c)`, `(?<n>c)(?:a|(?<n>b))`, `(?:a|(?<n>b))|(?<n>c)`,
	`(?:(?:(?<n>a)|(?<n>b))\k<n>)+c`, `(?:(?<n>a)|(?<n>b))*\k<n>`, `(?<=(?:(?<n>a)|(?<n>b))\k<n>)c`, `(?<=\k<n>(?:(?<n>a)|(?<n>b)))c`, `\k<n>(?:(?<n>a)|(?<n>b))`, `(?<n>a)\k<n>|(?<n>b)\k<n>`, `(?!(?<n>a)|(?<n>b))\k<n>`,
	`(?=(?<n>a))|(?<n>b)`, `(?<n>a)|(?<n>b)(?<n>c)`, `(?<n>a|(?<m>b))|(?<m>c)(?<n>a)`, `(?<n>a)|(?<m>b)|(?<n>c)|(?<m>a)\k<n>\k<m>`, `(?:(?<n>a)|b)(?:(?<n>a)|b)`, `(?:(?:(?<n>a)|(?<n>b))|(?<n>c))\k<n>`,
}

// handPicked are expressions on which engines are known to differ.
var handPicked = []string{
	``, `a**`, `[\k](?<a>x)`, `\k(?<a>x)`, `(?<a>x)\k<b>`, `(?<a>x)(?<a>y)`, `^*`, `(?=a)*`, `(?=a)?b`, `(?<=a)*`,
	`{1}`, `{`, `a{`, `{a`, `a{2,1}`, `[b-a]`, `(?a)`, `(`, `)`, `\`, `[`, `]`, `}`, `x{1}{2}`, `(?<1a>x)`, `(?<a`, `[\c_]`, `(?i:a)`,
	`(?i)a`, `[\d-z]`, `[a-\d]`, `[\d-\w]`, `\u{2}`, `(?<\u0061b>.)\k<ab>`, `(?<$>a)`, `(?`, `(?<>a)`, `a{1`, `a{99999999999999999999}`,
	`(z)((a+)?(b+)?(c))*`, `(?:(a)|b)*\1`, `(a*)*`, `(a*)+b`, `(?:a?)*?b`, `(|a)*b`, `(|a)+b`, `(?:|a){3}b`, `()\1`, `(\1a)`, `\1(a)`, `(?:\1(a))*b`,
	`(?=(a+))a*b\1`, `(?=(a+))\1b`, `(.*?)a(?!(a+)b\2c)\2(.*)`, `(?<=(\d+)(\d+))$`, `(?<=\1(a))b`, `(?<!a|b)c`, `(?<=^|\s)a`, `(?!)`, `(?=)`,
	`[^]`, `[]`, `[^\n]`, `.`, `^.$`, `\s`, `\S`, `\w+`, `\W`, `\bk`, `\B`, `$`, `^`, `a$`, `^a`, `a|`, `|a`, `(?:)`, `\0`, `\00`, `\01`, `\08`, `\8`, `\9`,
	`\1`, `\10`, `\400`, `\377`, `\x`, `\x4`, `\x41`, `\u`, `\u004`, `\u0041`, `\c`, `\cA`, `\c1`, `[\c]`, `[\c1]`, `[\x]`, `\p{L}`, `\-`, `\_`, `\a`, `\e`, `\z`, `\A`,
	`[\B]`, `[\b]`, `[\1]`, `[\8]`, `[--a]`, `[a--]`, `[a-a-c]`, `[^-]`, `[]]`, `[^]]`, `((((((((((a))))))))))\10`, `\2(a)(b)`, `(?<n>a)|\k<n>b`, `(?:a{0})b`, `(a){0}\1b`,
	`a{0,0}b`, `a{2}`, `(?:a{2}){2}`, `(?:ab){1,2}?b`, `(a|ab)(c|bcd)(d*)`, `(?:(?=(a))b?)*\1`, `(?:(?!b)a|b)*c`, `(?<!(^|[ab])c)1`, `(?<=a{2,3})b`, `(?<=(?:ab)*)c`,
	`(?<=a(?=b))b`, `(?=(?<=a)b)b`, `(?<=(a|b)\1)c`, `(?=a)(?=b)`, `\b\b`, `(?:^a)+`, `(?:a$)+`, `[\w-a]`, `[+--]`, `[\s\S]`, `\cé`, `[\cé]`, `\k<a>`, `\k`, `\kx`,
	"\u2028", `[\u2028-\u2029]`, `[^\u2028]`, `é`, `É`, `[à-ý]`, `ß`, `ſ`, `\u212a`, `[k-l]`, `[K-L]`, `[^k]`, `[^\W]`, `ǆ`, `ǅ`, `Ω`, `ω`, `\u2126`, `ς`, `σ`, `[Σ]`, `ͅ`, `ι`, `ﬀ`, `İ`, `ı`, `i`, `I`,
}

func TestECMAScriptAgainstNode(t *testing.T) {
	w := regextest.NewWriter(7, regex.ECMAScript)
	w.Modern = nodeIsModern(t)
	listed := slices.Concat(handPicked, modern)
	if !w.Modern {
		t.Log("node does not know ECMAScript 2025: modifiers and names that several groups have are not compared")
	}
	fixed := []string{
		"", "a", "b", "ab", "aab", "ba", "abab", "zaacbbbcac", "k", "K", "\u212a", "é", "É", "ß", "ſ", "ẞ", "ǆ", "ǅ", "Ω", "ω", "\u2126", "ς", "σ", "Σ",
		"ι", "\u0345", "\u1fbe", "ﬀ", "İ", "ı", "i", "I", "a\nb", "a\rb", "a\u2028b", " a", "aac", "1", "12", "c", "bc", "\x01", "\\c", "8", "9", "-", "uu", "p{L}", "{", "x", "x4", "A", "\x00", "@", "ab1", "aaab", "]", "a]",
	}
	var cases []nodeCase
	for _, flags := range []string{"", "i", "m", "s", "ims"} {
		for _, pattern := range listed {
			cases = append(cases, nodeCase{pattern, flags, fixed})
		}
	}
	count := rounds(6000)
	for range count {
		c := nodeCase{Pattern: w.Expression(3), Flags: w.Pick("", "", "", "i", "m", "s", "im", "ims")}
		for range 8 {
			c.Texts = append(c.Texts, w.Text())
		}
		cases = append(cases, c)
	}
	compared, differences := 0, 0
	for i, answer := range askNode(t, cases) {
		c := cases[i]
		re, bad := compileWithFlags(c.Pattern, c.Flags)
		if !w.Modern && since2025(c.Pattern) {
			continue
		}
		if bad != nil && answer != nil && strings.Contains(bad.Message, "same name") {
			// V8 takes (?<n>a)(?:b|(?<n>c)), where both groups may take part in a match; the
			// standard makes it an early error.
			continue
		}
		if (bad == nil) != (answer != nil) {
			differences++
			t.Errorf("/%s/%s: valid for us %v, for node %v (%+v)", c.Pattern, c.Flags, bad == nil, answer != nil, bad)
			continue
		}
		if bad != nil {
			continue
		}
		required := re.Required()
		for j, text := range c.Texts {
			compared++
			want := answer[j]
			matched, outcome := re.MatchString(text, regex.Limit{})
			if outcome != regex.Ok || matched != (want != nil) {
				differences++
				t.Errorf("/%s/%s on %q: match %v %v, node %v", c.Pattern, c.Flags, text, matched, outcome, want)
				continue
			}
			start, end, _ := re.Find(text, regex.Limit{})
			if want != nil && (units(text[:start]) != want[0] || units(text[:end]) != want[1]) {
				differences++
				t.Errorf("/%s/%s on %q: found %d-%d, node %v", c.Pattern, c.Flags, text, start, end, *want)
			}
			if matched && !required.In(text) {
				t.Errorf("/%s/%s matches %q without its literals %+v", c.Pattern, c.Flags, text, required)
			}
		}
		if differences > 30 {
			t.FailNow()
		}
	}
	t.Logf("%d pairs compared, %d differences", compared, differences)
}

// compileWithFlags hands flags over as a leading group, the way an author does.
func compileWithFlags(pattern, flags string) (*regex.Regexp, *regex.SyntaxError) {
	if flags == "" {
		return regex.Compile(pattern, regex.Options{Dialect: regex.ECMAScript})
	}
	return regex.Compile("(?"+flags+")"+pattern, regex.Options{Dialect: regex.ECMAScript, InlineFlags: true})
}

func units(s string) int { return len(utf16.Encode([]rune(s))) }
