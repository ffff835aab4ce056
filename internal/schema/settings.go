package schema

import (
	"strings"

	"github.com/pertain-dev/pertain/internal/settings"
)

// settingsSchema is the settings file. What is left out, or null, has its default.
func settingsSchema() object {
	root := strict(object{})
	for _, row := range settings.Rows() {
		at := root
		names := strings.Split(row.Key, ".")
		for _, name := range names[:len(names)-1] {
			properties := at["properties"].(object)
			if properties[name] == nil {
				properties[name] = object{"type": []string{"object", "null"}, "properties": object{}, "additionalProperties": false}
			}
			at = properties[name].(object)
		}
		s := settingType(row).describe(row.Description)
		if row.Default != "" {
			s["description"] = row.Description + " Default: " + row.Default + "."
		}
		at["properties"].(object)[names[len(names)-1]] = s
	}
	root["type"] = []string{"object", "null"}
	root["title"] = "Settings of Pertain"
	root["description"] = "$PERTAIN_CONFIG, or pertain/config.yaml in the config home"
	return root
}

func settingType(row settings.Row) object {
	switch row.Kind {
	case settings.Flag:
		return oneOf("boolean", "null")
	case settings.Number:
		return object{"type": []string{"integer", "null"}, "minimum": 0}
	case settings.Duration:
		return object{"type": []string{"string", "null"}, "pattern": durationForm}
	case settings.Texts:
		return object{"type": []string{"array", "null"}, "items": typed("string")}
	case settings.OneOrMore:
		return object{"type": []string{"string", "array", "null"}, "items": typed("string")}
	case settings.Choice:
		choices := make([]any, 0, len(row.Choices)+1)
		for _, c := range row.Choices {
			choices = append(choices, c)
		}
		return object{"enum": append(choices, nil)}
	}
	return oneOf("string", "null")
}
