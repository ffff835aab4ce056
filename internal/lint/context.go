package lint

import (
	"errors"
	"slices"
	"strconv"
	"strings"

	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/document"
	"github.com/pertain-dev/pertain/facts"
)

// IsContext tells whether a file is a context, by its name.
func IsContext(path string) bool {
	name := strings.ToLower(path)
	return strings.HasSuffix(name, ".context.json") || strings.HasSuffix(name, ".context.yaml")
}

// Context is what is wrong with a context file: the first thing that keeps it from being read, else what is odd about it, each
// where it stands.
func Context(path, text string) diag.List {
	snapshot, err := facts.Decode(path, []byte(text))
	source := diag.NewSource(path, strings.TrimPrefix(text, "\ufeff"))
	if err == nil {
		return placed(slices.Concat(snapshot.Diagnostics(), facts.Misfits(path, snapshot.Values())), source)
	}
	var wrong *facts.FormatError
	if !errors.As(err, &wrong) {
		return diag.List{diag.At(source, diag.NoSpan, diag.StrategyInvalidField, "%s", err)}
	}
	if span := whereInContext(source, wrong.Where); span != diag.NoSpan {
		return diag.List{diag.At(source, span, diag.StrategyInvalidYAML, "%s", wrong.Problem)}
	}
	d := diag.At(source, diag.NoSpan, diag.StrategyInvalidField, "%s", wrong.Problem)
	d.Path = wrong.Where
	return placed(diag.List{d}, source)
}

// maxPlaced is how large a context may be for places to be looked up in it.
const maxPlaced = 1 << 20

// placed finds where the paths of diagnostics stand. A context is read without places, which most readers do not need.
func placed(list diag.List, source *diag.Source) diag.List {
	if len(list) == 0 || len(source.Text()) > maxPlaced {
		return list
	}
	root, problems := document.ParseYAML(source) // JSON is YAML
	if len(problems) > 0 {
		root = nil
	}
	out := make(diag.List, 0, len(list))
	for _, d := range list {
		d.Source, d.Span = source, spanOf(root, d.Path)
		out = append(out, d)
	}
	return out
}

// spanOf is where a path such as visual.roots[1].type stands; of something with more lines the first.
func spanOf(n *document.Node, path string) diag.Span {
	if path == "" {
		return diag.NoSpan
	}
	for part := range strings.SplitSeq(path, ".") {
		name, rest, _ := strings.Cut(part, "[")
		n = n.Get(name)
		for rest != "" && n != nil {
			var index string
			index, rest, _ = strings.Cut(rest, "]")
			rest = strings.TrimPrefix(rest, "[")
			at, err := strconv.Atoi(index)
			if err != nil || at < 0 || at >= len(n.Items) {
				return diag.NoSpan
			}
			n = n.Items[at]
		}
		if n == nil {
			return diag.NoSpan
		}
	}
	span := n.Span()
	if line := strings.IndexByte(n.Source().Text()[span.Start:span.End], '\n'); line >= 0 {
		span.End = span.Start + line
	}
	return span
}

// whereInContext is the place that a message names by line and column; else the whole
// file.
func whereInContext(source *diag.Source, where string) diag.Span {
	line, column, _ := strings.Cut(where, ":")
	l, err := strconv.Atoi(line)
	c, err2 := strconv.Atoi(column)
	if err != nil || err2 != nil {
		return diag.NoSpan
	}
	at := source.Offset(diag.Position{Line: l, Column: c})
	return diag.Span{Start: at, End: at}
}
