package stream_test

import (
	"bytes"
	"encoding/json"
	"os/exec"
	"testing"
)

// beyond are expressions that JavaScript reads otherwise, since a character outside
// the basic plane is two units for it without the u flag: the list of the package's
// comment. With the u flag it says what we say, but where it refuses the expression.
var beyond = []struct {
	what, pattern, text string
	ours, node, unicode string // yes, no, or invalid
}{
	{"a dot takes one whole", `^.$`, "😀", "yes", "no", "yes"},
	{"a class takes one whole", `^[^a]$`, "😀", "yes", "no", "yes"},
	{"so does a shorthand", `^\W$`, "😀", "yes", "no", "yes"},
	{"one counts once", `^.{2}$`, "😀", "no", "yes", "no"},
	{"a look-behind goes over one", `(?<=^.)x`, "😀x", "yes", "no", "yes"},
	{"a quantifier is for one", `^😀{2}$`, "😀😀", "yes", "no", "yes"},
	{"as a whole", `^😀?$`, "", "yes", "no", "yes"},
	{"a class holds one", `^[😀]$`, "😀", "yes", "no", "yes"},
	{"and not its halves", `[😀]`, "😁", "no", "yes", "no"},
	{"a range goes from one to another", `^[😀-😎]$`, "😃", "yes", "invalid", "yes"},
	{"a back-reference is to one", `^(.)\1$`, "😀😀", "yes", "no", "yes"},
	{"half of one is nowhere", `\ud83d`, "😀", "no", "yes", "no"},
	{"nor the other half", `[\ude00-\ude0f]`, "😀", "no", "yes", "no"},
	{"two halves are one", `^\ud83d\ude00{2}$`, "😀😀", "yes", "no", "yes"},
	{"two halves are a range's end", `^[\ud83d\ude00-\ud83d\ude0e]$`, "😃", "yes", "invalid", "yes"},

	// What does not differ.
	{"a text is itself", `a😀b`, "xa😀b", "yes", "yes", "yes"},
	{"any text", `a.*b`, "a😀b", "yes", "yes", "yes"},
	{"two halves are one, alone", `\ud83d\ude00`, "😀", "yes", "yes", "yes"},
	{"a boundary", `\b`, "😀", "no", "no", "no"},
	{"case is not ignored there", `(?i)𐐀`, "𐐨", "no", "no", "yes"},
}

// TestOutsideTheBasicPlane: the list is what we do, and what JavaScript does.
func TestOutsideTheBasicPlane(t *testing.T) {
	type question struct {
		Pattern string `json:"p"`
		Flags   string `json:"f"`
		Text    string `json:"t"`
	}
	var asked []question
	for _, c := range beyond {
		ours := "no"
		if len(feed(compile(t, c.pattern), c.text)) > 0 {
			ours = "yes"
		}
		if ours != c.ours {
			t.Errorf("%s: /%s/ on %q: %s, want %s", c.what, c.pattern, c.text, ours, c.ours)
		}
		pattern, flags := c.pattern, ""
		if pattern[:2] == "(?" && pattern[2] == 'i' {
			pattern, flags = pattern[4:], "i"
		}
		asked = append(asked, question{pattern, flags, c.text}, question{pattern, flags + "u", c.text})
	}
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip("node is not installed: nothing to compare triggers with")
	}
	input, err := json.Marshal(asked)
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(node, "-e", `
const answer = q => { try { return new RegExp(q.p, q.f).test(q.t) ? 'yes' : 'no'; } catch (e) { return 'invalid'; } };
process.stdout.write(JSON.stringify(JSON.parse(require('fs').readFileSync(0, 'utf8')).map(answer)));`)
	cmd.Stdin = bytes.NewReader(input)
	output, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	var answers []string
	if err := json.Unmarshal(output, &answers); err != nil {
		t.Fatal(err)
	}
	for i, c := range beyond {
		if answers[2*i] != c.node || answers[2*i+1] != c.unicode {
			t.Errorf("%s: /%s/ on %q: node %s, with the u flag %s; want %s and %s", c.what, c.pattern, c.text, answers[2*i], answers[2*i+1], c.node, c.unicode)
		}
	}
}

// TestBrokenText: each byte that is not UTF-8 is one U+FFFD, as it is in a text that
// JavaScript has decoded, for back-references too.
func TestBrokenText(t *testing.T) {
	for _, c := range []struct {
		pattern, text string
		want          bool
	}{
		{"^\ufffd$", "\xff", true},
		{"^\ufffd{2}$", "\xe2\x80", true},
		{`^.$`, "\xe2\x80", false},
		{`^(.)\1$`, "\xff\xfe", true},
		{`^(.)\1$`, "\xff\xef\xbf\xbd", true}, // and the character itself
		{`^(.)\1$`, "\xef\xbf\xbd\xff", true},
		{`^(.)\1$`, "\xe2\x80", true},
		{`^(.)-\1`, "\xe2-\xe2\x80\x99", false}, // that is one whole character
		{`^(.)-\1`, "\xe2-\xe2\x80", true},
		{`(?i)^(.)\1$`, "\xff\xfe", true},
		{`^(?<=^(.)\1).`, "\xff\xfe", false},
		{`(?<=^\1(.))x`, "\xff\xfex", true},
		{`(?<=^\1(..))x`, "a\xffa\xfex", true},
		{`^(é)\1$`, "éé", true},
		{`^(é.)\1$`, "é\xffé\xfe", true},
		{`\b`, "\xff", false},
	} {
		set := compile(t, c.pattern)
		for cut := range len(c.text) + 1 {
			if got := len(feed(set, c.text[:cut], c.text[cut:])) > 0; got != c.want {
				t.Errorf("/%s/ on %q cut at %d: %v, want %v", c.pattern, c.text, cut, got, c.want)
			}
		}
	}
}
