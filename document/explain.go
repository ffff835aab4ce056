package document

import "strings"

// explanations word the library's messages for authors; the first row whose
// parts are found in the message and its context is used.
var explanations = []struct {
	message, context string
	kind             ProblemKind
	say, hint        string
}{
	{"exceeded max depth", "", TooMuchYAML, "the nesting is too deep", "make it simpler"},
	{"expected single document", "", SyntaxError, "a second YAML document begins in the frontmatter", "remove the line `...` or `---`"},
	{"expected <document start>", "", SyntaxError, "something is left over after the YAML value", "check the indentation of this line"},
	{"control characters are not allowed", "", SyntaxError, "control characters are not allowed in YAML", "remove the character"},
	{"mapping values are not allowed", "", SyntaxError, "a `: ` is not allowed here", "put a value that contains `: ` in quotes, or check the indentation of this line"},
	{"alphabetic or numeric character", "alias", SyntaxError, "a value that begins with `*` is read as a YAML alias", "put the value in quotes"},
	{"alphabetic or numeric character", "anchor", SyntaxError, "a value that begins with `&` is read as a YAML anchor", "put the value in quotes"},
	{"unknown anchor", "", SyntaxError, "a value that begins with `*` is read as a YAML alias, and there is no such anchor", "put the value in quotes"},
	{"cannot start any token", "", SyntaxError, "a plain value cannot begin with this character", "put the value in quotes; indent with blanks, not tabs"},
	{"tab character", "", SyntaxError, "a tab is not allowed here", "indent with blanks"},
	{"unexpected end of stream", "quoted", SyntaxError, "the quoted text is never closed", "add the closing quote"},
	{"unexpected document indicator", "quoted", SyntaxError, "the quoted text is never closed", "add the closing quote"},
	{"unknown escape character", "", SyntaxError, "there is no such escape in a double-quoted text", "write the backslash twice, or use single quotes"},
	{"hexadecimal number", "", SyntaxError, "the escape lacks hexadecimal digits", "write the backslash twice, or use single quotes"},
	{"',' or ']'", "", SyntaxError, "the list `[...]` lacks a comma or its closing bracket", "add `,` or `]`; put a value that contains brackets in quotes"},
	{"',' or '}'", "", SyntaxError, "the map `{...}` lacks a comma or its closing brace", "add `,` or `}`; put a value that contains braces in quotes"},
	{"expected '-' indicator", "", SyntaxError, "this line does not belong to the list above", "begin it with `- `, or check its indentation"},
	{"could not find expected ':'", "", SyntaxError, "this line has no `key: value`", "add `: ` and a value, or indent it under the line above"},
	{"expected key", "", SyntaxError, "this line is not a key of the map above", "check its indentation, and that a value in quotes has nothing after the closing quote"},
	{"expected node content", "", SyntaxError, "a value is expected here", "put a value that begins with a special character in quotes"},
	{"tag", "", SyntaxError, "a value that begins with `!` is read as a YAML tag", "put the value in quotes"},
	{"comment or line break", "", SyntaxError, "nothing may follow `|` or `>` on its line", "begin the text on the next line, or put it in quotes"},
	{"directive", "", SyntaxError, "a line that begins with `%` is a YAML directive", "put the value in quotes"},
}

// explain finds our words for what the library said.
func explain(message, context string) (say, hint string, kind ProblemKind) {
	for _, e := range explanations {
		if strings.Contains(message, e.message) && strings.Contains(context, e.context) {
			return e.say, e.hint, e.kind
		}
	}
	return "the YAML cannot be read: " + strings.TrimPrefix(message, "yaml: "), "check the indentation and quotes of this line", SyntaxError
}

// bracketed is the text around a bracket that opens in the middle of it, as in
// `attachments.files[0].path`: YAML takes it for a list where it is inside of braces or brackets. The end is
// 0 where the bracket stands alone.
func bracketed(text string, at int) (start, end int) {
	const around = " \t\r\n,{}\"'`"
	if at == 0 || at >= len(text) || text[at] != '[' || strings.ContainsRune(around+"[]:", rune(text[at-1])) {
		return 0, 0
	}
	start = strings.LastIndexAny(text[:at], around+"[") + 1
	end = at
	for end < len(text) && text[end] == '[' {
		shut := strings.IndexAny(text[end:], "]\n")
		if shut < 0 || text[end+shut] == '\n' {
			return 0, 0
		}
		end += shut + 1
		if more := strings.IndexAny(text[end:], around+"[]:"); more >= 0 {
			end += more
		} else {
			end = len(text)
		}
	}
	return start, end
}
