package plan

import (
	"context"
	"slices"
	"strings"

	"github.com/pertain-dev/pertain/facts"
	"github.com/pertain-dev/pertain/internal/visible"
)

// scope is what placeholders are looked up in.
type scope struct {
	snapshot  *facts.Snapshot
	variables facts.Value // nested below preprocess
	input     string
	looks     *int // how many items of arrays may still be looked at, by all templates of a plan
}

// overrun is the part of a template with which it comes to more than a plan may have.
type overrun struct {
	part
	items bool // it is the items that were looked at, else the text
}

// render fills a template. over is nil if it comes to no more than it may. missing is called for each placeholder without
// a value, which is left empty. The error is for cancellation alone.
func (s scope) render(ctx context.Context, t template, missing func(part)) (text string, over *overrun, err error) {
	w := writer{ctx: ctx, left: maxPrompt, looks: s.looks}
	written := map[string][2]int{} // where in the text the value of a path stands: it is looked up and worded once
	for _, p := range t.parts {
		switch span, again := written[p.text]; {
		case !p.holder:
			w.write(p.text, 0)
		case p.text == argument:
			w.write(s.input, 0)
		case again:
			w.write(w.b.String()[span[0]:span[1]], 0)
		case !w.look(s.looksFor(p.text)):
		default:
			v := s.value(p.text)
			if isStrangers(p.text) {
				v = seen(v)
			}
			if v.IsAbsent() {
				missing(p)
			}
			start := w.b.Len()
			w.value(v, 0)
			written[p.text] = [2]int{start, w.b.Len()}
		}
		if err := ctx.Err(); err != nil {
			return "", nil, err
		}
		if w.over {
			return "", &overrun{p, *s.looks < 0}, nil
		}
	}
	return w.b.String(), nil, nil
}

// looksFor is how many items must be looked at to find what a path picks from arrays: all those of which it takes a field.
func (s scope) looksFor(path string) int {
	if !strings.Contains(path, "[") {
		return 0
	}
	items := 0
	ends := facts.Segments(path)
	for _, end := range ends[:len(ends)-1] {
		array := path[:end]
		for strings.HasSuffix(array, "[]") { // each of them, which is no path by itself
			array = strings.TrimSuffix(array, "[]")
		}
		if row, ok := facts.Find(array); ok && strings.Contains(array, "[") { // what is picked from none stands in the snapshot
			items += len(s.snapshot.At(row).Items())
		}
	}
	return items
}

// isStrangers tells a path whose texts whoever made the repository has chosen.
func isStrangers(path string) bool {
	const workspace = "extra.workspace"
	return path == "extra" || path == workspace || strings.HasPrefix(path, workspace+".")
}

// seen is a value without what no reader can see.
func seen(v facts.Value) facts.Value {
	switch v.Kind() {
	case facts.String:
		return facts.Text(visible.Strip(v.Text()))
	case facts.Object:
		fields := slices.Clone(v.Fields())
		for i, f := range fields {
			fields[i].Value = seen(f.Value)
		}
		return facts.Fields(fields...)
	case facts.Array:
		items := slices.Clone(v.Items())
		for i, item := range items {
			items[i] = seen(item)
		}
		return facts.List(items...)
	}
	return v
}

// value finds what a path means; paths that no schema knows have no value, as in
// conditions.
func (s scope) value(path string) facts.Value {
	if rest, ok := strings.CutPrefix(path, variableRoot); ok && (rest == "" || rest[0] == '.') {
		v := s.variables
		for name := range strings.SplitSeq(strings.TrimPrefix(rest, "."), ".") {
			if name != "" {
				v = v.Field(name)
			}
		}
		return v
	}
	row, ok := facts.Find(path)
	if !ok {
		return facts.Value{}
	}
	if v := s.snapshot.At(row); v.Kind() == facts.Object && !row.Stored() {
		return inSchemaOrder(facts.List(v), row.Name, row.ItemFields()).Items()[0]
	}
	return inSchemaOrder(s.snapshot.At(row), row.Name, row.ItemFields())
}

// inSchemaOrder puts the fields of objects, and of the objects in an array, in
// the order of the schema; fields that it does not know are left out.
func inSchemaOrder(v facts.Value, name string, itemFields []string) facts.Value {
	switch v.Kind() {
	case facts.Object:
		var fields []facts.Field
		for _, row := range facts.Paths() {
			below, ok := strings.CutPrefix(row.Name, name+".")
			if !ok || strings.ContainsAny(below, ".[") {
				continue
			}
			if field := v.Field(below); !field.IsAbsent() {
				fields = append(fields, facts.Field{Name: below, Value: inSchemaOrder(field, row.Name, row.ItemFields())})
			}
		}
		if len(fields) == 0 {
			return facts.Value{} // nothing that is known
		}
		return facts.Fields(fields...)
	case facts.Array:
		if len(itemFields) == 0 {
			return v
		}
		items := make([]facts.Value, len(v.Items()))
		for i, item := range v.Items() {
			items[i] = item
			if item.Kind() != facts.Object {
				continue
			}
			var fields []facts.Field
			for _, name := range itemFields {
				if field := item.Field(name); !field.IsAbsent() {
					fields = append(fields, facts.Field{Name: name, Value: field})
				}
			}
			items[i] = facts.Fields(fields...)
		}
		return facts.List(items...)
	}
	return v
}

// nest makes one object of variables; the last value of a name counts. The names
// are below preprocess.
func nest(variables []Variable) facts.Value {
	root := facts.Fields()
	for _, v := range variables {
		root = put(root, strings.Split(strings.TrimPrefix(v.Name, variableRoot+"."), "."), v.Value)
	}
	if len(variables) == 0 {
		return facts.Value{}
	}
	return root
}

func put(object facts.Value, names []string, v facts.Value) facts.Value {
	if len(names) == 0 {
		return v
	}
	fields := slices.Clone(object.Fields())
	at := slices.IndexFunc(fields, func(f facts.Field) bool { return f.Name == names[0] })
	if at < 0 {
		at, fields = len(fields), append(fields, facts.Field{Name: names[0]})
	}
	fields[at].Value = put(fields[at].Value, names[1:], v)
	return facts.Fields(fields...)
}
