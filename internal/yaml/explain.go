package yaml

import "strings"

// explanations word the library's messages for authors; the first row whose
// parts are found in the message and its context is used.
var explanations = []struct {
	message, context string
	kind             ProblemKind
	say, hint        string
}{
	{"exceeded max depth", "", Limit, "the nesting is too deep", "make it simpler"},
	{"expected single document", "", Syntax, "a second YAML document begins in the frontmatter", "remove the line `...` or `---`"},
	{"expected <document start>", "", Syntax, "something is left over after the YAML value", "check the indentation of this line"},
	{"control characters are not allowed", "", Syntax, "control characters are not allowed in YAML", "remove the character"},
	{"mapping values are not allowed", "", Syntax, "a `: ` is not allowed here", "put a value that contains `: ` in quotes, or check the indentation of this line"},
	{"alphabetic or numeric character", "alias", Syntax, "a value that begins with `*` is read as a YAML alias", "put the value in quotes"},
	{"alphabetic or numeric character", "anchor", Syntax, "a value that begins with `&` is read as a YAML anchor", "put the value in quotes"},
	{"unknown anchor", "", Syntax, "a value that begins with `*` is read as a YAML alias, and there is no such anchor", "put the value in quotes"},
	{"cannot start any token", "", Syntax, "a plain value cannot begin with this character", "put the value in quotes; indent with blanks, not tabs"},
	{"tab character", "", Syntax, "a tab is not allowed here", "indent with blanks"},
	{"unexpected end of stream", "quoted", Syntax, "the quoted text is never closed", "add the closing quote"},
	{"unexpected document indicator", "quoted", Syntax, "the quoted text is never closed", "add the closing quote"},
	{"unknown escape character", "", Syntax, "there is no such escape in a double-quoted text", "write the backslash twice, or use single quotes"},
	{"hexadecimal number", "", Syntax, "the escape lacks hexadecimal digits", "write the backslash twice, or use single quotes"},
	{"',' or ']'", "", Syntax, "the list `[...]` lacks a comma or its closing bracket", "add `,` or `]`; put a value that contains brackets in quotes"},
	{"',' or '}'", "", Syntax, "the map `{...}` lacks a comma or its closing brace", "add `,` or `}`; put a value that contains braces in quotes"},
	{"expected '-' indicator", "", Syntax, "this line does not belong to the list above", "begin it with `- `, or check its indentation"},
	{"could not find expected ':'", "", Syntax, "this line has no `key: value`", "add `: ` and a value, or indent it under the line above"},
	{"expected key", "", Syntax, "this line is not a key of the map above", "check its indentation, and that a value in quotes has nothing after the closing quote"},
	{"expected node content", "", Syntax, "a value is expected here", "put a value that begins with a special character in quotes"},
	{"tag", "", Syntax, "a value that begins with `!` is read as a YAML tag", "put the value in quotes"},
	{"comment or line break", "", Syntax, "nothing may follow `|` or `>` on its line", "begin the text on the next line, or put it in quotes"},
	{"directive", "", Syntax, "a line that begins with `%` is a YAML directive", "put the value in quotes"},
}

// explain finds our words for what the library said.
func explain(message, context string) (say, hint string, kind ProblemKind) {
	for _, e := range explanations {
		if strings.Contains(message, e.message) && strings.Contains(context, e.context) {
			return e.say, e.hint, e.kind
		}
	}
	return "the YAML cannot be read: " + strings.TrimPrefix(message, "yaml: "), "check the indentation and quotes of this line", Syntax
}
