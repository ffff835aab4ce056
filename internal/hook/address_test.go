package hook_test

import (
	"net/url"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/pertain-dev/pertain"
)

// TestAddress: what a model is told to put after `pertain read` is no more than one word in a shell, whatever a file is called,
// and reads the rule.
func TestAddress(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("files cannot be called so")
	}
	names := []string{"$(touch EVIL)", "a;touch EVIL", "c|sh", "`touch EVIL`", "a\ntouch EVIL", "a'b\"c", "per%41cent", "a b", "größe", "in\u200bvisible", "tag\U000e0041", "a&b>c<d*?[e]{f}!#~\\"}
	w := newWorld(t)
	for _, name := range names {
		w.file(".omp/rules/"+name+".md", "---\nalwaysApply: true\n---\n"+strings.Repeat("h", 30000)+name+"\n") // does not fit
		w.file(".omp/rules/listed "+name+".md", "---\ndescription: D\n---\n"+name+"\n")
	}
	text := w.begin("startup")
	var told []string
	for _, m := range regexp.MustCompile(`- rule://(.*?)\\n|<rule name=\\"(.*?)\\"`).FindAllStringSubmatch(text, -1) {
		told = append(told, m[1]+m[2])
	}
	book, err := pertain.OpenRules(t.Context(), pertain.Environment{Dir: w.dir, Env: func(name string) string { return w.env[name] }}, pertain.RuleOptions{})
	if err != nil {
		t.Fatal(err)
	}
	plain := regexp.MustCompile(`^[\pL\pN._/+,@:%-]+$`)
	var read []string
	for _, address := range told {
		if !plain.MatchString(address) {
			t.Errorf("a shell takes %q for more than a name", address)
		}
		r, err := book.Open("rule://" + address)
		if err != nil {
			t.Errorf("%s: %v", address, err)
			continue
		}
		read = append(read, r.Name)
	}
	for _, name := range names {
		for _, name := range []string{name, "listed " + name} {
			if !slices.Contains(read, name) {
				t.Errorf("%q (%s) is not told", name, url.PathEscape(name))
			}
		}
	}
}
