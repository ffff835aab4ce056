package export

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"

	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/document"
	"github.com/pertain-dev/pertain/internal/files"
)

// Settings are what a project says about exporting its rules, in .pertain/export.yaml. A stranger may have written them.
type Settings struct {
	To   []string // agents
	From []string // providers, agents, and paths in the project
}

// SettingsName is where they lie in a project, with slashes.
const SettingsName = ".pertain/export.yaml"

// maxSettings is how large the file may be, in bytes.
const maxSettings = 1 << 20

// ReadSettings reads the settings of a project; a file that is not there says nothing. The error is one line for people.
func ReadSettings(root string) (Settings, error) {
	tree := files.OS()
	path := filepath.Join(root, filepath.FromSlash(SettingsName))
	data, _, err := files.ReadWithin(tree, path, files.Below(tree, root), maxSettings)
	if errors.Is(err, fs.ErrNotExist) {
		return Settings{}, nil
	}
	if err != nil {
		return Settings{}, fmt.Errorf("%s: %s", SettingsName, reason(err))
	}
	source, list := document.Decode(SettingsName, data)
	if list.HasErrors() {
		return Settings{}, fmt.Errorf("%s: %s", SettingsName, list[0].Message)
	}
	node, problems := document.ParseYAML(source)
	if len(problems) > 0 {
		return Settings{}, fmt.Errorf("%s: line %d: %s", SettingsName, source.Position(problems[0].Span.Start).Line, problems[0].Message)
	}
	return settingsOf(node)
}

func settingsOf(node *document.Node) (Settings, error) {
	var s Settings
	if node == nil || node.Kind == document.Null {
		return s, nil
	}
	if node.Kind != document.Mapping {
		return s, fmt.Errorf("%s: it must be a map with `export`, and `to` and `from` in that", SettingsName)
	}
	for _, e := range node.Entries {
		key, value := e.Key.Text, e.Value
		if key == "export" && value != nil && value.Kind == document.Mapping {
			inner, err := settingsOf(value)
			if err != nil {
				return s, err
			}
			s.To, s.From = append(s.To, inner.To...), append(s.From, inner.From...)
			continue
		}
		var err error
		switch strings.TrimPrefix(key, "export.") {
		case "to":
			s.To, err = words(key, value)
		case "from":
			s.From, err = words(key, value)
		default:
			err = fmt.Errorf("%s: there is no setting `%s`; the settings are `export.to` and `export.from`", SettingsName, diag.Short(key))
		}
		if err != nil {
			return s, err
		}
	}
	return s, nil
}

// words are a text with commas, or a list of texts.
func words(key string, n *document.Node) ([]string, error) {
	if n == nil || n.Kind == document.Null {
		return nil, nil
	}
	items := []*document.Node{n}
	if n.Kind == document.Sequence {
		items = n.Items
	}
	var out []string
	for _, item := range items {
		if item.Kind != document.String {
			return nil, fmt.Errorf("%s: `%s` must be a text or a list of texts", SettingsName, diag.Short(key))
		}
		out = append(out, Words(item.Text)...)
	}
	return out, nil
}

// Words splits what is separated by commas.
func Words(list string) []string {
	var out []string
	for w := range strings.SplitSeq(list, ",") {
		if w = strings.TrimSpace(w); w != "" {
			out = append(out, w)
		}
	}
	return out
}
