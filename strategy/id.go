package strategy

import (
	"strings"
	"unicode"

	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/document"
	"github.com/pertain-dev/pertain/internal/glob"
)

// Suffix is the ending of strategy files.
const Suffix = ".strategy.md"

// FolderFile is the name of a strategy file that is called after its folder.
const FolderFile = "STRATEGY.md"

// IsFile tells whether a path is that of a strategy file: NAME.strategy.md, or
// FOLDER/STRATEGY.md.
func IsFile(path string) bool {
	at := strings.LastIndexAny(path, `/\`)
	return at > 0 && path[at+1:] == FolderFile || strings.HasSuffix(strings.ToLower(path), Suffix)
}

// namespaces are the first segments that belong to providers (docs/reference/strategies.md).
var namespaces = []string{"builtin", "user", "workspace", "plugin", "app"}

// Key is the form in which ids are compared: without case.
func Key(id string) string { return glob.Fold(id) }

// maxID is how many bytes an id may have: it is repeated in every answer.
const maxID = 1000

// isID checks the grammar: segments of letters, digits, - and _ joined by dots.
func isID(id string) bool {
	if len(id) > maxID {
		return false
	}
	for segment := range strings.SplitSeq(id, ".") {
		if segment == "" || strings.ContainsFunc(segment, func(r rune) bool { return !isIDRune(r) }) {
			return false
		}
	}
	return true
}

func isIDRune(r rune) bool {
	return r == '-' || r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.Is(unicode.Mn, r)
}

// assignID gives the strategy its id: the written one within the provider's
// namespace, or one derived from the path.
func assignID(node *document.Node, origin Origin, source *diag.Source) (string, diag.List) {
	if node == nil {
		return deriveID(origin, source)
	}
	if node.Kind != document.String {
		d := diag.At(source, node.Span(), diag.StrategyInvalidField, "`id` must be a string, not %s", node.Kind).
			WithHint("put it in quotes")
		return "", diag.List{d}
	}
	id := node.Text
	if !isID(id) {
		if len(id) > maxID {
			d := diag.At(source, node.Span(), diag.StrategyInvalidID, "the id has %d bytes, more than the %d that one may have", len(id), maxID).
				WithHint("write a shorter one")
			return "", diag.List{d}
		}
		d := diag.At(source, node.Span(), diag.StrategyInvalidID, "`%s` is not an id", id).
			WithHint("use letters, digits, `-` and `_` in segments joined by dots, such as `%s.%s`", origin.Provider, suggestID(id))
		return "", diag.List{d}
	}
	if Key(id) == Key(origin.Provider) || within(id, origin.Provider) {
		return id, nil
	}
	first, _, _ := strings.Cut(id, ".")
	for _, ns := range namespaces {
		if Key(first) == ns {
			d := diag.At(source, node.Span(), diag.StrategyReservedID, "ids that begin with `%s.` belong to another provider", first).
				WithHint("write `%s`", origin.Provider+strings.TrimPrefix(id, first))
			return "", diag.List{d}
		}
	}
	return origin.Provider + "." + id, nil
}

// within tells whether an id lies in a namespace.
func within(id, namespace string) bool {
	return strings.HasPrefix(Key(id), Key(namespace)+".")
}

func deriveID(origin Origin, source *diag.Source) (string, diag.List) {
	path := origin.stem()
	id := origin.Provider + "." + strings.Map(func(r rune) rune {
		switch {
		case r == '/', r == '.':
			return '.'
		case isIDRune(r):
			return r
		}
		return '-'
	}, path)
	if !isID(id) {
		d := diag.At(source, diag.Span{}, diag.StrategyInvalidID, "no id can be derived from the path `%s`", path).
			WithHint("add `id: %s.%s`", origin.Provider, suggestID(path))
		return "", diag.List{d}
	}
	return id, nil
}

// stem is the path without the ending of strategy files; of a folder's own file
// that of the folder.
func (o Origin) stem() string {
	if folder, ok := strings.CutSuffix(o.Path, "/"+FolderFile); ok {
		return folder
	}
	if n := len(o.Path) - len(Suffix); n >= 0 && strings.EqualFold(o.Path[n:], Suffix) {
		return o.Path[:n]
	}
	return o.Path
}

// suggestID makes something valid of what was written.
func suggestID(text string) string {
	fields := strings.FieldsFunc(text, func(r rune) bool { return !isIDRune(r) })
	if len(fields) == 0 {
		return "my-strategy"
	}
	return strings.Join(fields, "-")
}
