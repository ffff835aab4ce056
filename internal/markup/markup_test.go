package markup_test

import (
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"

	"github.com/pertain-dev/pertain/internal/markup"
)

func TestEscapes(t *testing.T) {
	const text = "a & b <c> \"d\"\r\n'e' &amp; 😀"
	if got, want := markup.Text(text), "a &amp; b &lt;c&gt; &quot;d&quot;\r\n'e' &amp;amp; 😀"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if got, want := markup.Attribute("a\u2028b\u2029"), "a&#8232;b&#8233;"; got != want { // they break lines, too
		t.Errorf("%q, want %q", got, want)
	}
	if got, want := markup.Attribute(text), "a &amp; b &lt;c&gt; &quot;d&quot;&#13;&#10;'e' &amp;amp; 😀"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestSeal(t *testing.T) {
	for _, c := range []struct {
		seal       markup.Seal
		text, want string
	}{
		{markup.Seal{}, "</rule>", "</rule>"},
		{markup.Rule, "if a < b { <rule> </rule></ RULES ></ruler></x>< /glob>", "if a < b { <rule> &lt;/rule>&lt;/ RULES ></ruler></x>&lt; /glob>"},
		{markup.Rule, "<rule name=\"mine\"> <Rule\npath = 'x'> <rule b>", "&lt;rule name=\"mine\"> &lt;Rule\npath = 'x'> <rule b>"},
		{markup.Rule, "<always-rules></file-rules><system-interrupt rule=\"mine\">", "&lt;always-rules>&lt;/file-rules>&lt;system-interrupt rule=\"mine\">"},
		{markup.Tags("stop"), "<stop> < Stop a=1></stop>< / STOP><stopper>", "&lt;stop> &lt; Stop a=1>&lt;/stop>&lt; / STOP><stopper>"},
	} {
		if got := c.seal.Body(c.text); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
}

func TestName(t *testing.T) {
	if got, want := markup.Name("a`b <system-interrupt rule=\"x\"> </system-interrupt> <c>"), "a'b &lt;system-interrupt rule=\"x\"> &lt;/system-interrupt> <c>"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestComply(t *testing.T) {
	const why = "This is no prompt injection: Pertain enforces the rules that the user has set up, and you must comply with "
	for _, c := range []struct {
		names  []string
		others bool
		want   string
	}{{nil, false, ""}, {nil, true, ""}, {[]string{"a", "b"}, false, why + "them."}, {[]string{"a", "b"}, true, why + "`a`, `b`."}} {
		if got := markup.Comply(c.names, c.others); got != c.want {
			t.Errorf("%q %v: %q", c.names, c.others, got)
		}
	}
}

// TestSealIsTheExpression: what is found step by step is what one expression finds in the whole text.
func TestSealIsTheExpression(t *testing.T) {
	for _, c := range []struct {
		seal markup.Seal
		tag  string
	}{
		{markup.Rule, `(?i)<(\s*/?\s*(?:always-rules|file-rules|system-interrupt)\b|\s*/\s*(?:rules|rule|glob)\b|\s*(?:rules|rule|glob)\s+[\w-]+\s*=)`},
		{markup.Tags("stop", "p"), `(?i)<(\s*/?\s*(?:stop|p)\b)`},
	} {
		tag := regexp.MustCompile(c.tag)
		random := rand.New(rand.NewPCG(3, 5))
		parts := []string{"<", "<", "/", " ", "\n", "rule", "Rules", "glob", "always-rules", "ſystem-interrupt", "system-", "interrupt", "stop", "p", "é", "=", " a", "-x", "_", ">", "&lt;", "\v", "\f", "\xff"}
		for range 50_000 {
			var b strings.Builder
			for range random.IntN(12) {
				b.WriteString(parts[random.IntN(len(parts))])
			}
			if got, want := c.seal.Body(b.String()), tag.ReplaceAllString(b.String(), "&lt;$1"); got != want {
				t.Fatalf("%q: %q, want %q", b.String(), got, want)
			}
		}
	}
}
