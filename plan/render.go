package plan

import (
	"strings"

	"github.com/pertain-dev/pertain/facts"
)

// scope is what placeholders are looked up in.
type scope struct {
	snapshot  *facts.Snapshot
	variables facts.Value // nested below preprocess
	input     string
}

// render fills a template. missing is called for each placeholder without a
// value, which is left empty.
func (s scope) render(t template, missing func(part)) string {
	var b strings.Builder
	for _, p := range t.parts {
		switch {
		case !p.holder:
			b.WriteString(p.text)
		case p.text == argument:
			b.WriteString(s.input)
		default:
			v := s.value(p.text)
			if v.IsAbsent() {
				missing(p)
			}
			b.WriteString(Format(v))
		}
	}
	return b.String()
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
	row, ok := facts.Lookup(path)
	if !ok {
		return facts.Value{}
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

// Format writes a value as a prompt shows it, the same every time: a string as
// it is, numbers and booleans plainly, an array as one `- ` item after the
// other, an object as `key: value` lines. What is absent is empty.
func Format(v facts.Value) string {
	switch v.Kind() {
	case facts.String:
		return v.Text()
	case facts.Number:
		return v.Decimal()
	case facts.Bool:
		if v.Bool() {
			return "true"
		}
		return "false"
	case facts.Array:
		var lines []string
		for _, item := range v.Items() {
			switch text := indented(Format(item)); {
			case item.IsAbsent():
			case text == "":
				lines = append(lines, "-")
			default:
				lines = append(lines, "- "+text)
			}
		}
		return strings.Join(lines, "\n")
	case facts.Object:
		var lines []string
		for _, field := range v.Fields() {
			text := indented(Format(field.Value))
			switch {
			case field.Value.IsAbsent():
				continue
			case text == "":
				lines = append(lines, field.Name+":")
			case field.Value.Kind() == facts.Array || field.Value.Kind() == facts.Object:
				lines = append(lines, field.Name+":\n  "+text)
			default:
				lines = append(lines, field.Name+": "+text)
			}
		}
		return strings.Join(lines, "\n")
	}
	return ""
}

// indented moves all lines but the first by two blanks, so that what follows on
// them still belongs to its item.
func indented(text string) string {
	first, rest, more := strings.Cut(text, "\n")
	if !more {
		return text
	}
	var b strings.Builder
	b.WriteString(first)
	for line := range strings.SplitSeq(rest, "\n") {
		b.WriteByte('\n')
		if line != "" {
			b.WriteString("  " + line)
		}
	}
	return b.String()
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
	fields := make([]facts.Field, 0, len(object.Fields())+1)
	found := false
	for _, f := range object.Fields() {
		if f.Name == names[0] {
			f.Value, found = put(f.Value, names[1:], v), true
		}
		fields = append(fields, f)
	}
	if !found {
		fields = append(fields, facts.Field{Name: names[0], Value: put(facts.Value{}, names[1:], v)})
	}
	return facts.Fields(fields...)
}
