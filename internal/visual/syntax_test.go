package visual_test

import (
	"strings"
	"testing"

	"github.com/pertain-dev/pertain/internal/visual"
)

// Valid queries and their usual spelling.
func TestParse(t *testing.T) {
	for _, c := range []struct{ query, want string }{
		{"//Button", "//Button"},
		{"/TopLevel/Panel/Button", "/TopLevel/Panel/Button"},
		{".", "."},
		{"./Button", "./Button"},
		{"./@name", "./@name"},
		{"./*/@name", "./*/@name"},
		{".//TextEdit[@focused=true]", ".//TextEdit[@focused=true]"},
		{".[@focused=true]", ".[@focused=true]"},
		{".[@focused=true]/@text", ".[@focused=true]/@text"},
		{".[@focused=true]//Label", ".[@focused=true]//Label"},
		{"//TopLevel/@name", "//TopLevel/@name"},
		{"//*", "//*"},
		{"/*", "/*"},
		{"//*[@offscreen=false]/*", "//*[@offscreen=false]/*"},
		{"//ListViewItem[@selected=true]", "//ListViewItem[@selected=true]"},
		{"//Button[contains(@name,'Save')]", "//Button[contains(@name,'Save')]"},
		{"//Document[matches(@text,'error|warning')]", "//Document[matches(@text,'error|warning')]"},
		{"//TopLevel//ListViewItem[@selected=true]", "//TopLevel//ListViewItem[@selected=true]"},
		{`//Button[@name="Save"]`, "//Button[@name='Save']"},
		{`//Button[@name="it's"]`, `//Button[@name="it's"]`},
		{`//Button[@name='say "x"']`, `//Button[@name='say "x"']`},
		{"//Button[@name='']", "//Button[@name='']"},
		{"//Button[@name='a]b|c and d']", "//Button[@name='a]b|c and d']"},
		{"//button/@NAME", "//Button/@name"},
		{"//TOPLEVEL[@Selected=false]", "//TopLevel[@selected=false]"},
		{"//Panel/@bounds.width", "//Panel/@bounds.width"},
		{"//Panel[@bounds.x=-1920][@bounds.y=.5]", "//Panel[@bounds.x=-1920][@bounds.y=0.5]"},
		{"//Panel[@bounds.height=010.50]", "//Panel[@bounds.height=10.5]"},
		{"//Panel[@bounds.height=-0]", "//Panel[@bounds.height=0]"},
		{"//Panel[@bounds.height= - 5]", "//Panel[@bounds.height=-5]"},
		{" // Button [ @ name = 'Save' ] [ contains ( @text , 'x' ) ] / @ name \n", "//Button[@name='Save'][contains(@text,'x')]/@name"},
		{"//Button\n  [@name='a']\n  [@selected=true]", "//Button[@name='a'][@selected=true]"},
		{"//Unknown", "//Unknown"},
	} {
		q, err := visual.Parse(c.query, visual.Options{})
		if err != nil {
			t.Errorf("%s: %d+%d: %s", c.query, err.Offset, err.Length, err.Message)
			continue
		}
		if q.String() != c.want {
			t.Errorf("%s is written %s, want %s", c.query, q, c.want)
		}
	}
}

// wrongQueries are invalid. In place, the caret marks show what the error points
// at; an error at the end of the query has none. Message and hint hold the given
// parts.
func wrongQueries() []struct{ query, at, message, hint string } {
	return []struct{ query, at, message, hint string }{
		// Structure.
		{"", "", "the query is empty", "//Button"},
		{"  ", "", "the query is empty", ""},
		{"/", "^", "a step is missing behind `/`", "Button"},
		{"//", "^^", "a step is missing behind `//`", ""},
		{"//Button/", "        ^", "a step is missing behind `/`", ""},
		{"//Button//", "        ^^", "a step is missing behind `//`", ""},
		{"./", " ^", "a step is missing behind `/`", ""},
		{"///Button", "  ^", "a step is missing before this `/`", "everything below"},
		{"//Button////Label", "          ^^", "a step is missing before this `//`", ""},
		{"Button", "^^^^^^", "a query starts with `//`, `/` or `.`", "`//Button`"},
		{"*", "^", "a query starts with", "`//*`"},
		{"@name", "^", "a query starts with", "`./@name`"},
		{"[@name='x']", "^", "a query starts with", ""},
		{"'x'", "^^^", "a query starts with `//`, `/` or `.`, not with text in quotes", ""},
		{"5", "^", "a query starts with", ""},
		{"#save", "^", "not with `#`", ""},
		{"\x00", "^", `not with "\x00"`, ""},
		{"/.", " ^", "`.` can only stand at the start", ""},
		{"//Button/.", "         ^", "`.` can only stand at the start", ""},
		{".Button", " ^^^^^^", "unexpected `Button` behind the query", ""},
		{"//[@name='x']", "  ^", "a type or `*` is missing", "`//*[...]`"},
		{"//Button x", "         ^", "unexpected `x` behind the query", ""},
		{"//Button]", "        ^", "this `]` closes nothing", ""},
		{"//Button=5", "        ^", "a comparison can only stand in a filter", ""},
		{"//Button,//Label", "        ^", "unexpected `,`", ""},
		{"'x'::Button", "^^^", "not with text in quotes", ""},
		{"'x':Button", "^^^", "not with text in quotes", ""},
		{"'count'(//Button)", "^^^^^^^", "not with text in quotes", ""},
		{"//Button'|'", "        ^^^", "unexpected text in quotes behind the query", ""},
		{"//Button 'or' //Label", "         ^^^^", "unexpected text in quotes behind the query", ""},
		{"//Button#x", "        ^", "unexpected `#`", ""},

		// Attributes.
		{"//Button/@name/x", "              ^", "an attribute ends the query", ""},
		{"//Button/@name//x", "              ^^", "an attribute ends the query", ""},
		{"./@name/Button", "       ^", "an attribute ends the query", ""},
		{"//Button/@name[@selected=true]", "              ^", "a filter cannot follow an attribute", "before it"},
		{"//Button/@name='x'", "              ^", "a comparison can only stand in a filter", "visual.match"},
		{"//Button@name", "        ^", "an attribute needs a `/` before it", "`/@name`"},
		{"/@name", " ^", "there is none before it", "./@name"},
		{"//@name", "  ^", "`//` needs a type or `*`", "//*/@name"},
		{".//@name", "   ^", "`//` needs a type or `*`", "//*/@name"},
		{"//Button/@", "         ^", "the name of an attribute is missing", "@name, @text"},
		{"//Button/@*", "         ^^", "the wildcard attribute `@*`", ""},
		{"//Button[@*='x']", "         ^^", "the wildcard attribute `@*`", ""},
		{"//Button/@nmae", "         ^^^^^", "unknown attribute `@nmae`", "did you mean `@name`?"},
		{"//Button[@seleced=true]", "         ^^^^^^^^", "unknown attribute `@seleced`", "did you mean `@selected`?"},
		{"//Button/@colour", "         ^^^^^^^", "unknown attribute `@colour`", "attributes are @name, @text"},
		{"//Button/@bounds", "         ^^^^^^^", "unknown attribute `@bounds`", "`@bounds.x`"},
		{"//Button/@width", "         ^^^^^^", "unknown attribute `@width`", "`@bounds.width`"},
		{"//Button/@enabled", "         ^^^^^^^^", "unknown attribute `@enabled`", "[@disabled=false]"},

		// Types.
		{"//Buton", "  ^^^^^", "unknown element type `Buton`", "did you mean `Button`?"},
		{"/TopLevel/Pannel/Button", "          ^^^^^^", "unknown element type `Pannel`", "did you mean `Panel`?"},
		{"//Window//Button", "  ^^^^^^", "unknown element type `Window`", "did you mean `TopLevel`?"},
		{"//Edit", "  ^^^^", "unknown element type `Edit`", "did you mean `TextEdit`?"},
		{"//link", "  ^^^^", "unknown element type `link`", "did you mean `Hyperlink`?"},
		{"//List", "  ^^^^", "unknown element type `List`", "did you mean `ListView`?"},
		{"//Tree", "  ^^^^", "unknown element type `Tree`", "did you mean `TreeView`?"},
		{"//Tab", "  ^^^", "unknown element type `Tab`", "did you mean `TabItem`?"},
		{"//Xyzzyplugh", "  ^^^^^^^^^^", "unknown element type `Xyzzyplugh`", "types are Unknown, Label"},
		{"//Schaltfläche", "  ^^^^^^^^^^^^^", "unknown element type `Schaltfläche`", ""},
		{"//Schaltfla\u0308che", "  ^^^^^^^^^^^^^^", "unknown element type `Schaltfla\u0308che`", ""}, // a letter and its mark
		{"//" + strings.Repeat("x", 80), "  " + strings.Repeat("^", 80), "unknown element type `" + strings.Repeat("x", 80) + "`", ""},
		{"//" + strings.Repeat("x", 81), "  " + strings.Repeat("^", 81), "unknown element type `" + strings.Repeat("x", 80) + "…`", ""},

		// Quotes and brackets.
		{"//Button[@name='Save]", "               ^", "this quote is never closed", "`'`"},
		{`//Button[contains(@name,"Save)]`, "                        ^", "this quote is never closed", "`\"`"},
		{"//Button[@name='Save'", "        ^", "this `[` is never closed", ""},
		{"//Button[@name=", "        ^", "this `[` is never closed", ""},
		{"//Button[@name", "        ^", "this `[` is never closed", ""},
		{"//Button[", "        ^", "this `[` is never closed", ""},
		{"//Button[contains(@name,'x'", "                 ^", "this `(` is never closed", ""},
		{"//Button[contains(@name", "                 ^", "this `(` is never closed", ""},
		{"//Button[contains(", "                 ^", "this `(` is never closed", ""},
		{"//Button[contains(@name,'x')", "        ^", "this `[` is never closed", ""},
		{"//Button[contains(@name,'x']", "                           ^", "unexpected `]` in contains()", "`)`"},
		{"//Button[@name='it's']", "                  ^", "the text ends at this quote", "a text that holds ' stands in \""},
		{"//Button[@name='it''s']", "                  ^", "the text ends at this quote", ""},
		{"//Button[contains(@name,'it''s')]", "                           ^", "the text ends at this quote", ""},
		{"//Button[@name=‘Save’]", "               ^^^", "unexpected \"‘\"", "straight quotes"},
		{"//Button[@name='Save']]", "                      ^", "this `]` closes nothing", ""},
		{"//Button[@name='Save')]", "                     ^", "unexpected `)` where `]` belongs", ""},

		// Filters.
		{"//Button[]", "         ^", "the filter is empty", ""},
		{"//Button[@selected]", "         ^^^^^^^^^", "a filter compares `@selected` with something", "`[@selected=true]`"},
		{"//Button[@name]", "         ^^^^^", "a filter compares `@name`", "[@name='...']"},
		{"//Button[@bounds.x]", "         ^^^^^^^^^", "a filter compares `@bounds.x`", "[@bounds.x=10]"},
		{"//Button[name='x']", "         ^^^^", "an attribute is written with `@`", "`@name`"},
		{"//Button['x'=@name]", "         ^^^", "a filter starts with an attribute", "left"},
		{"//Button[5=@bounds.x]", "         ^", "a filter starts with an attribute", ""},
		{"//Button[true=@selected]", "         ^^^^", "a filter starts with an attribute", ""},
		{"//Panel[Button]", "        ^^^^^^", "a path inside a filter", ""},
		{"//Panel[.//Button]", "        ^", "a path inside a filter", ""},
		{"//Panel[/Button]", "        ^", "a path inside a filter", ""},
		{"//Panel[*]", "        ^", "a path inside a filter", ""},
		{"//Panel[*::Button]", "        ^", "a path inside a filter", ""},
		{"//Panel[*:Button]", "        ^", "a path inside a filter", ""},
		{"//Panel['contains'(@name,'x')]", "        ^^^^^^^^^^", "a filter starts with an attribute", ""},
		{"//Button[<5]", "         ^", "unexpected `<` in a filter", ""},
		{"//Button[@name 'and']", "               ^^^^^", "unexpected text in quotes where `=` belongs", "[@name='...']"},
		{"//Button[contains(@name,'x') 'or']", "                             ^^^^", "unexpected text in quotes where `]` belongs", ""},
		{"//Button[@name=.('x')]", "               ^", "unexpected `.` where a value belongs", "[@name='...']"},
		{"//Button[(@name='x')]", "         ^", "grouping with parentheses", ""},
		{"//Button[@name 'x']", "               ^^^", "where `=` belongs", ""},
		{"//Button[@name=]", "               ^", "where a value belongs", "[@name='...']"},
		{"//Button[@name='a'='b']", "                  ^", "a filter holds one comparison", ""},
		{"//Button[contains(@name,'x')=true]", "                            ^", "a filter holds one comparison", ""},
		{"//Button[@name=Save]", "               ^^^^", "a text stands in quotes", "[@name='Save']"},
		{"//Button[@name=@text]", "               ^", "an attribute can only be compared with a value", ""},

		// Kinds.
		{"//Button[@name=5]", "               ^", "`@name` is a string, not a number", "[@name='5']"},
		{"//Button[@name=-5]", "               ^^", "`@name` is a string, not a number", "[@name='-5']"},
		{"//Button[@name=true]", "               ^^^^", "`@name` is a string, not a boolean", "[@name='true']"},
		{"//Button[@selected='x']", "                   ^^^", "`@selected` is a boolean, not a string", "[@selected=true]"},
		{"//Button[@selected='False']", "                   ^^^^^^^", "`@selected` is a boolean, not a string", "[@selected=false]"},
		{"//Button[@selected=1]", "                   ^", "`@selected` is a boolean, not a number", "[@selected=true]"},
		{"//Button[@bounds.x='10']", "                   ^^^^", "`@bounds.x` is a number, not a string", "[@bounds.x=10]"},
		{"//Button[@bounds.x='wide']", "                   ^^^^^^", "`@bounds.x` is a number, not a string", "[@bounds.x=10]"},
		{"//Button[@bounds.x=true]", "                   ^^^^", "`@bounds.x` is a number, not a boolean", ""},
		{"//Button[@selected=True]", "                   ^^^^", "unknown value `True`", "did you mean `true`?"},
		{"//Button[@selected=FALSE]", "                   ^^^^^", "unknown value `FALSE`", "did you mean `false`?"},
		{"//Button[@selected=yes]", "                   ^^^", "where a value belongs", "[@selected=true]"},
		{"//Button[@bounds.x=10px]", "                     ^^", "unexpected `px`", ""},
		{"//Button[@bounds.x=1" + strings.Repeat("0", 310) + "]", "                   " + strings.Repeat("^", 311), "this number is too large", ""},
		{"//Button[contains(@selected,'x')]", "                  ^^^^^^^^^", "contains() is for strings, and `@selected` is a boolean", "[@selected=true]"},
		{"//Button[matches(@bounds.x,'1')]", "                 ^^^^^^^^^", "matches() is for strings, and `@bounds.x` is a number", ""},
		{"//Button[contains(@name,5)]", "                        ^", "a text in quotes", ""},
		{"//Button[contains(@name,@text)]", "                        ^", "a text in quotes", ""},
		{"//Button[contains(@name)]", "                       ^", "takes an attribute and a text", "contains(@name,'...')"},
		{"//Button[contains()]", "                  ^", "the first argument of contains() is an attribute", ""},
		{"//Button[contains('x',@name)]", "                  ^^^", "the first argument of contains() is an attribute", ""},
		{"//Button[contains(name,'x')]", "                  ^^^^", "an attribute is written with `@`", "`@name`"},
		{"//Button[contains(.,'x')]", "                  ^", "the first argument of contains() is an attribute", "`@text`"},
		{"//Button[contains(.(),'x')]", "                  ^", "the first argument of contains() is an attribute", "`@text`"},
		{"//Button[contains('name','x')]", "                  ^^^^^^", "the first argument of contains() is an attribute", "`contains(@name,'...')`"},
		{"//Button[matches(@name,'x','i')]", "                          ^", "matches() takes two arguments", "caseSensitive"},
		{"//Button[matches(@name,'a(b')]", "                         ^", "the regular expression is not valid", ""},
		{"//Button[matches(@name,'[')]", "                        ^", "the regular expression is not valid", ""},

		// What the first version does not have.
		{"//Button/ancestor::Panel", "         ^^^^^^^^^^", "the axis `ancestor::` is not supported", "//TopLevel//Button"},
		{"/child::Panel", " ^^^^^^^", "the axis `child::`", "`/Type`"},
		{"parent::Panel", "^^^^^^^^", "the axis `parent::`", ""},
		{"//Button/following-sibling :: *", "         ^^^^^^^^^^^^^^^^^^^^", "the axis `following-sibling::`", ""},
		{"//Button[ancestor::Panel]", "         ^^^^^^^^^^", "the axis `ancestor::`", ""},
		{"//Button/attribute::name", "         ^^^^^^^^^^^", "the axis `attribute::`", "`@name`"},
		{"//Button/..", "         ^^", "the parent axis `..`", ""},
		{"..", "^^", "the parent axis `..`", ""},
		{"../Panel", "^^", "the parent axis `..`", ""},
		{"//Button[../@name='x']", "         ^^", "the parent axis `..`", ""},
		{"//ns:Button", "  ^^", "the namespace prefix `ns:`", ""},
		{"//*:Button", "  ^", "the namespace prefix `*:`", ""},
		{"ns:Button", "^^", "the namespace prefix `ns:`", ""},
		{"//Button/@ns:name", "          ^^", "the namespace prefix `ns:`", ""},
		{"//Button[ns:name='x']", "         ^^", "the namespace prefix `ns:`", ""},
		{"//Button[starts-with(@name,'x')]", "         ^^^^^^^^^^^", "the function `starts-with()`", "matches(@name,'^...')"},
		{"//Button[ends-with(@name,'x')]", "         ^^^^^^^^^", "the function `ends-with()`", "$"},
		{"//Button[contain(@name,'x')]", "         ^^^^^^^", "the function `contain()`", "did you mean `contains`?"},
		{"//Button[Contains(@name,'x')]", "         ^^^^^^^^", "the function `Contains()`", "did you mean `contains`?"},
		{"//Button[text()='x']", "         ^^^^", "the function `text()`", "`@text`"},
		{"//Button/text()", "         ^^^^", "the function `text()`", "`@text`"},
		{"//Button[contains(text(),'x')]", "                  ^^^^", "the function `text()`", "`@text`"},
		{"//Button[@name=concat('a','b')]", "               ^^^^^^", "the function `concat()`", ""},
		{"//Button[@selected=true()]", "                   ^^^^", "the function `true()`", "without parentheses"},
		{"count(//Button)", "^^^^^", "the function `count()`", "visual.count"},
		{"contains(//Button/@name,'x')", "^^^^^^^^", "can only stand alone in a filter", ""},
		{"//node()", "  ^^^^", "the function `node()`", "`*`"},
		{"//Button[not(@selected=true)]", "         ^^^", "the function `not()`", "write `[@selected=false]`"},
		{"//Button[not(@selected=false)]", "         ^^^", "the function `not()`", "write `[@selected=true]`"},
		{"//Button[not(@selected)]", "         ^^^", "the function `not()`", "write `[@selected=false]`"},
		{"//Button[not(contains(@name,'x'))]", "         ^^^", "the function `not()`", "`//Button/@name` with `not: { contains: … }`; for no such element put the whole condition under `not:`"},
		{"//Button[not(matches(@text,'x'))]", "         ^^^", "the function `not()`", "`//Button/@text` with `not: { regex: … }`"},
		{"//Button[not(@name='x')]", "         ^^^", "the function `not()`", "`//Button/@name` with `not: { equals: … }`"},
		{"//Button[@name='[']/not(x)", "                    ^^^", "the function `not()`", "put the whole condition under `not:`"},
		{"//Button[not(@name='false')]", "         ^^^", "the function `not()`", "`//Button/@name` with `not: { equals: … }`"},
		{"not(//Button)", "^^^", "the function `not()`", "put the whole condition under `not:`"},
		{"not(//Button[@selected=true])", "^^^", "the function `not()`", "put the whole condition under `not:`"},
		{"//Button[not @selected]", "         ^^^", "`not` is not supported", "write `[@selected=false]`"},
		{"//Button[@bounds.x=5+5]", "                    ^", "arithmetic with `+`", ""},
		{"//Button[@bounds.x=5 - 5]", "                     ^", "arithmetic with `-`", ""},
		{"//Button[@bounds.x=5*5]", "                    ^", "arithmetic with `*`", ""},
		{"//Button[@bounds.x=10 div 2]", "                      ^^^", "arithmetic with `div`", ""},
		{"//Button[@bounds.x=10 mod 2]", "                      ^^^", "arithmetic with `mod`", ""},
		{"//Button[@bounds.x+1=10]", "                  ^", "arithmetic with `+`", ""},
		{"//Button[@bounds.x-1=10]", "                  ^", "arithmetic with `-`", ""},
		{"//Button[@bounds.x mod 2=0]", "                   ^^^", "arithmetic with `mod`", ""},
		{"//Button[1+1]", "          ^", "arithmetic with `+`", ""},
		{"//Button/@bounds.x-5", "                  ^", "arithmetic with `-`", ""},
		{"//Button[3]", "         ^", "index selectors such as `[3]`", "positions change"},
		{"//Button[position()=1]", "         ^^^^^^^^", "index selectors such as `position()`", ""},
		{"//Button[last()]", "         ^^^^", "index selectors such as `last()`", ""},
		{"(//Button)[1]", "^", "grouping with parentheses", ""},
		{"//Button[@AutomationId='x']", "         ^^^^^^^^^^^^^", "the platform-specific field `@AutomationId`", "attributes are"},
		{"//Button/@ClassName", "         ^^^^^^^^^^", "the platform-specific field `@ClassName`", ""},
		{"//Button[@name='a' and @text='b']", "                   ^^^", "`and` is not supported", "[...][...]"},
		{"//Button[@name='a' or @name='b']", "                   ^^", "`or` is not supported", "any:"},
		{"//Button[contains(@name,'a') or @name='b']", "                             ^^", "`or` is not supported", ""},
		{"//Button or //Label", "         ^^", "`or` is not supported", ""},
		{"//Button[@name!='x']", "              ^^", "the operator `!=`", "`//Button/@name` with `not: { equals: … }`; for no such element put the whole condition under `not:`"},
		{"//Button[@selected!=true]", "                  ^^", "the operator `!=`", "[@selected=false]"},
		{"//Button[@bounds.x<5]", "                  ^", "the operator `<`", "max"},
		{"//Button[@bounds.x<=5]", "                  ^^", "the operator `<=`", ""},
		{"//Button[@bounds.x>5]", "                  ^", "the operator `>`", ""},
		{"//Button[@bounds.x>=5]", "                  ^^", "the operator `>=`", ""},
		{"//Button[@name=='x']", "              ^^", "`==` is not supported", "`=`"},
		{"//Button|//Label", "        ^", "unions with `|`", "any:"},
		{"//Button/@name|//Label/@name", "              ^", "unions with `|`", ""},
		{"//Button[@name=$x]", "               ^", "variables such as `$x`", ""},
		{"$x", "^", "variables such as `$x`", ""},
	}
}

func TestSyntaxErrors(t *testing.T) {
	for _, c := range wrongQueries() {
		_, err := visual.Parse(c.query, visual.Options{})
		if err == nil {
			t.Errorf("%s is accepted", c.query)
			continue
		}
		at := strings.Repeat(" ", err.Offset) + strings.Repeat("^", err.Length)
		if strings.TrimRight(at, " ") != c.at || !strings.Contains(err.Message, c.message) || !strings.Contains(err.Hint, c.hint) {
			t.Errorf("got  %s\n     %s\n     %s\n     %s\nwant %s\n     %s\n     %s", c.query, at, err.Message, err.Hint, c.at, c.message, c.hint)
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, s := range []string{
		"//Button[@name='Save']", "/TopLevel/Panel/Button/@name", ".//TextEdit[@focused=true]", ".[@bounds.x=-1.5]//*",
		"//Document[matches(@text,'error|warning')][contains(@name,\"x\")]", "//Button[3]", "//a:b", "//..", "//Button[@name='", "//Button[@x+", "‘",
	} {
		f.Add(s, true)
	}
	for _, c := range wrongQueries() {
		f.Add(c.query, false)
	}
	f.Fuzz(func(t *testing.T, text string, caseSensitive bool) {
		options := visual.Options{CaseSensitive: caseSensitive}
		q, err := visual.Parse(text, options)
		if err != nil {
			if err.Offset < 0 || err.Length < 0 || err.Offset+err.Length > len(text) || err.Message == "" {
				t.Fatalf("%q: the error is at %d+%d: %q", text, err.Offset, err.Length, err.Message)
			}
			return
		}
		again, err := visual.Parse(q.String(), options)
		if err != nil {
			t.Fatalf("%q is written %q: %s", text, q, err.Message)
		}
		if again.String() != q.String() || again.Key() != q.Key() {
			t.Fatalf("%q is written %q, then %q", text, q, again)
		}
	})
}
