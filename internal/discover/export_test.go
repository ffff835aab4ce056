package discover

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/pertain-dev/pertain/internal/files"
	"github.com/pertain-dev/pertain/rule"
)

// WithoutComments is JSON made of JSON with comments.
func WithoutComments(text string) string { return string(withoutComments([]byte(text))) }

// Table describes every row of the table of tools with all that it says, a line for
// each location.
func Table() string {
	var b strings.Builder
	for _, t := range withFleet(tools()) {
		fmt.Fprintf(&b, "# %s %d, user first %t, documented %t, find %t, review %t\n", t.id, t.priority, t.userFirst, t.documented != nil, t.find != nil, t.review != nil)
		for _, list := range []struct {
			name      string
			locations []location
		}{{"project", t.project}, {"user", t.user}} {
			for _, l := range list.locations {
				fmt.Fprintf(&b, "%s %s\n", list.name, describeLocation(l))
			}
		}
	}
	return b.String()
}

// describeLocation names what is set of a location and of its format.
func describeLocation(l location) string {
	out := l.path
	if l.exts != nil {
		out += fmt.Sprintf(" %q", l.exts)
	}
	v := reflect.ValueOf(l)
	for i := range v.NumField() {
		switch name := v.Type().Field(i).Name; {
		case name == "path" || name == "exts" || name == "format" || v.Field(i).IsZero():
		case name == "imports":
			out += " imports"
		default:
			out += fmt.Sprintf(" %s:%v", name, v.Field(i))
		}
	}
	if l.format == nil {
		return out
	}
	out += "; format"
	v = reflect.ValueOf(*l.format)
	for i := range v.NumField() {
		switch f := v.Field(i); {
		case f.IsZero():
		case f.Kind() == reflect.Func:
			out += " " + v.Type().Field(i).Name
		default:
			out += fmt.Sprintf(" %s:%+v", v.Type().Field(i).Name, f)
		}
	}
	return out
}

// Taken tells how many of some files, each as large as told, are read, and what is said of
// the first that is not.
func Taken(bytes, fields, effort, count int) (taken int, what string) {
	l := &levelSum{}
	for taken < count && l.take(ruleSum{bytes: bytes, fields: fields, files: 1, effort: effort}) {
		taken++
	}
	if taken < count && l.take(ruleSum{}) {
		return -1, "another is taken after all"
	}
	return taken, l.what
}

// SumError words what was not read.
func SumError(what string, more int) string { return (&sumError{what, more}).Error() }

// ExportSources are the files that an exported one was made from, as they are taken.
func ExportSources(tree files.Tree, roots RuleRoots, sources ...string) []string {
	r := &rule.Rule{Export: &rule.Export{Sources: slices.Clone(sources)}}
	newSearch(tree, roots).exportSources(r)
	if r.Export == nil {
		return nil
	}
	return r.Export.Sources
}
