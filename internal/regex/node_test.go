package regex_test

import (
	"bytes"
	"encoding/json"
	"os/exec"
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
	fixed := []string{
		"", "a", "b", "ab", "aab", "ba", "abab", "zaacbbbcac", "k", "K", "\u212a", "é", "É", "ß", "ſ", "ẞ", "ǆ", "ǅ", "Ω", "ω", "\u2126", "ς", "σ", "Σ",
		"ι", "\u0345", "\u1fbe", "ﬀ", "İ", "ı", "i", "I", "a\nb", "a\rb", "a\u2028b", " a", "aac", "1", "12", "c", "bc", "\x01", "\\c", "8", "9", "-", "uu", "p{L}", "{", "x", "x4", "A", "\x00", "@", "ab1", "aaab", "]", "a]",
	}
	var cases []nodeCase
	for _, flags := range []string{"", "i", "m", "s", "ims"} {
		for _, pattern := range handPicked {
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
