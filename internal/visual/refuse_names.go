package visual

import (
	"strings"

	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/facts"
)

var attributeList = "attributes are @" + strings.Join(attributeNames(), ", @")

// words that people expect to be attributes, with what to write instead; those
// without a hint are fields of one platform.
var strangeAttributes = []struct{ name, hint string }{
	{"bounds", "write `@bounds.x`, `@bounds.y`, `@bounds.width` or `@bounds.height`"},
	{"x", "did you mean `@bounds.x`?"},
	{"y", "did you mean `@bounds.y`?"},
	{"width", "did you mean `@bounds.width`?"},
	{"height", "did you mean `@bounds.height`?"},
	{"type", "the type is the step's name, as in `//Button`"},
	{"title", "did you mean `@name`?"},
	{"label", "did you mean `@name`?"},
	{"value", "did you mean `@text`?"},
	{"content", "did you mean `@text`?"},
	{"enabled", "did you mean `@disabled`, as in `[@disabled=false]`?"},
	{"visible", "did you mean `@offscreen`, as in `[@offscreen=false]`?"},
	{"AutomationId", ""},
	{"ClassName", ""},
	{"ControlType", ""},
	{"LocalizedControlType", ""},
	{"FrameworkId", ""},
	{"RuntimeId", ""},
	{"ProcessId", ""},
	{"NativeWindowHandle", ""},
	{"HelpText", ""},
	{"AcceleratorKey", ""},
	{"AccessKey", ""},
	{"ItemType", ""},
	{"ItemStatus", ""},
	{"Hwnd", ""},
	{"AXRole", ""},
	{"AXSubrole", ""},
	{"AXIdentifier", ""},
	{"AXTitle", ""},
	{"AXValue", ""},
}

func (p *parser) refuseAttribute(where token, name string) {
	for _, s := range strangeAttributes {
		if !strings.EqualFold(s.name, name) {
			continue
		}
		if s.hint == "" {
			p.fail(where, "the platform-specific field "+code("@"+name)+" is not supported", attributeList)
		} else {
			p.fail(where, "unknown attribute "+code("@"+name), s.hint)
		}
		return
	}
	hint := attributeList
	if near := diag.Nearest(name, attributeNames()); near != "" {
		hint = "did you mean " + code("@"+near) + "?"
	}
	p.fail(where, "unknown attribute "+code("@"+name), hint)
}

// otherTypes are what other programs call a type.
var otherTypes = map[string]string{
	"window": "TopLevel", "dialog": "TopLevel", "frame": "TopLevel", "form": "TopLevel",
	"edit": "TextEdit", "textbox": "TextEdit", "textfield": "TextEdit", "textarea": "TextEdit", "input": "TextEdit", "entry": "TextEdit", "editor": "TextEdit",
	"text": "Label", "statictext": "Label", "textblock": "Label", "link": "Hyperlink", "anchor": "Hyperlink",
	"list": "ListView", "listbox": "ListView", "listitem": "ListViewItem", "tree": "TreeView", "treeitem": "TreeViewItem",
	"tab": "TabItem", "tabs": "TabControl", "tablist": "TabControl", "tabpanel": "Panel", "grid": "DataGrid", "dataitem": "DataGridItem", "row": "TableRow",
	"pane": "Panel", "group": "Panel", "div": "Panel", "container": "Panel", "picture": "Image", "img": "Image", "icon": "Image",
	"checkbutton": "CheckBox", "check": "CheckBox", "switch": "CheckBox", "toggle": "CheckBox", "radio": "RadioButton", "dropdown": "ComboBox", "select": "ComboBox",
	"menubar": "Menu", "page": "Document", "progress": "ProgressBar", "separator": "Splitter", "spinbutton": "Spinner", "display": "Screen", "monitor": "Screen", "pushbutton": "Button",
}

func nearestType(name string) string {
	if other := otherTypes[strings.ToLower(name)]; other != "" {
		return "did you mean " + code(other) + "?"
	}
	if hint := diag.DidYouMean(name, facts.ElementTypes()); hint != "" {
		return hint
	}
	return "types are " + strings.Join(facts.ElementTypes(), ", ")
}

// example is a filter on the attribute, for hints.
func (a Attribute) example() string {
	switch a.Kind() {
	case facts.Bool:
		return "@" + a.String() + "=true"
	case facts.Number:
		return "@" + a.String() + "=10"
	default:
		return "@" + a.String() + "='...'"
	}
}
