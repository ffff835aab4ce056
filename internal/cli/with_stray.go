package cli

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"io/fs"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"unicode/utf16"

	"github.com/pertain-dev/pertain/internal/files"
)

// The way from an agent to its gateway is plain HTTP on this machine: whoever an agent's settings put between the two reads the key and
// writes the answers. A project's settings are a stranger's.
var (
	proxyVariables  = []string{"HTTP_PROXY", "http_proxy", "HTTPS_PROXY", "https_proxy", "ALL_PROXY", "all_proxy"}
	directVariables = []string{"NO_PROXY", "no_proxy"}        // what is asked without a proxy
	loadVariables   = []string{"NODE_OPTIONS", "BUN_OPTIONS"} // by which an agent's runtime loads code
	// by which an agent sends headers of its own: one that names the conversation makes all of them one, in which a rule that has fired stays silent
	headerVariables = []string{"ANTHROPIC_CUSTOM_HEADERS", "GEMINI_CLI_CUSTOM_HEADERS"}
)

// direct gives what is asked without a proxy, by directVariables: as it was, and this machine. Programs read the one or the other first, so that
// one that is empty takes what the other has.
func direct(env func(name string) string) map[string]string {
	out := map[string]string{}
	for i, name := range directVariables {
		now := env(name)
		if now == "" {
			now = env(directVariables[1-i])
		}
		switch {
		case now == "":
			now = "127.0.0.1,localhost"
		case !asksDirectly(now):
			now += ",127.0.0.1"
		}
		out[name] = now
	}
	return out
}

// asksDirectly tells whether this machine is among what is asked without a proxy.
func asksDirectly(list string) bool {
	if strings.TrimSpace(list) == "*" {
		return true
	}
	return slices.Contains(strings.FieldsFunc(list, func(r rune) bool { return r == ',' || r == ' ' }), "127.0.0.1")
}

// strays says by what an agent's requests would go past a gateway.
func strays(agent, why, name string) error {
	return usage("%s cannot be led to a gateway, since its requests would go past it: %s; take that out, or have its tool calls watched by hooks: `pertain setup %s`", agent, why, name)
}

// projectObject reads settings from a file of the working directory. Nobody knows where those of a stranger's lead that cannot be read
// here, since the agent may read them; of a project that is trusted they are empty.
func (a *app) projectObject(agent, path string) (map[string]any, error) {
	tree := map[string]any{}
	text, err := files.OS().ReadFile(filepath.Join(a.dir(), filepath.FromSlash(path)), maxProjectFile)
	if missing(err) || err == nil && len(bytes.TrimSpace(text)) == 0 {
		return tree, nil
	}
	if err == nil {
		text, err = standardJSON(text)
	}
	if err == nil {
		err = json.Unmarshal(text, &tree)
	}
	if err != nil && !a.trusts(a.workspace()) {
		return nil, usage("the project's settings for %s cannot be read (%s), so that nobody knows where they lead it; mend the file or take it out, or trust the project (`pertain trust`)", agent, path)
	}
	if err != nil || tree == nil {
		tree = map[string]any{}
	}
	return tree, nil
}

// missing tells whether there is no such file.
func missing(err error) bool {
	return errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR)
}

// plainText is a text without its byte order mark, of which programs of JavaScript take two.
func plainText(text []byte) []byte {
	if rest, ok := bytes.CutPrefix(text, []byte("\xff\xfe")); ok {
		units := make([]uint16, len(rest)/2)
		for i := range units {
			units[i] = binary.LittleEndian.Uint16(rest[2*i:])
		}
		return []byte(string(utf16.Decode(units)))
	}
	return bytes.TrimPrefix(text, []byte("\ufeff"))
}

// variables are those that settings set, as texts: what is none becomes one as in JavaScript.
func variables(tree map[string]any) map[string]string {
	env, _ := tree["env"].(map[string]any)
	out := map[string]string{}
	for name, value := range env {
		out[variableName(name)] = scriptText(value)
	}
	return out
}

// variableName is a name of the lists here as one that a file sets has to be written: systems differ in whether case counts.
func variableName(name string) string {
	if runtime.GOOS != "windows" || slices.Contains(directVariables, name) || slices.Contains(proxyVariables, name) {
		return name
	}
	return strings.ToUpper(name)
}

// scriptText is a value of JSON as JavaScript writes it.
func scriptText(value any) string {
	switch value := value.(type) {
	case string:
		return value
	case bool:
		return strconv.FormatBool(value)
	case float64:
		return strconv.FormatFloat(value, 'f', -1, 64)
	case []any:
		parts := make([]string, len(value))
		for i, item := range value {
			if item != nil {
				parts[i] = scriptText(item)
			}
		}
		return strings.Join(parts, ",")
	case nil:
		return "null"
	}
	return "[object Object]"
}

// keeping gives an agent its own values of variables which a project would set: neither a .env nor `env` in the settings of Gemini CLI
// and Qwen Code replaces a variable that is there, be it empty.
type keeping struct {
	app          *app
	to           *leading
	names        []string // that lead past the gateway
	found, files []string // what a project sets, and where
}

// dotenv looks at files of variables, in all folders of the project. One that cannot be read may set anything.
func (k *keeping) dotenv(paths ...string) {
	for _, dir := range k.app.projectFolders() {
		for _, path := range paths {
			text, err := files.OS().ReadFile(filepath.Join(dir, filepath.FromSlash(path)), maxProjectFile)
			if missing(err) {
				continue
			}
			for _, name := range k.names {
				// Parsers differ, and a variable that is kept for nothing does no harm.
				if err != nil || strings.Contains(variableName(string(text)), variableName(name)) {
					k.keep(name, path, err != nil || setsVariable(text, name))
				}
			}
		}
	}
}

// settings looks at the variables that settings set.
func (k *keeping) settings(path string, tree map[string]any) {
	set := variables(tree)
	for _, name := range k.names {
		if _, ok := set[variableName(name)]; ok {
			k.keep(name, path, true)
		}
	}
}

func (k *keeping) keep(name, path string, tell bool) {
	own := k.app.call.Env(name)
	if _, ok := k.to.env[name]; !ok {
		k.to.env[name] = own
	}
	if !tell || own != "" {
		return
	}
	if !slices.Contains(k.found, name) {
		k.found = append(k.found, name)
	}
	if !slices.Contains(k.files, path) {
		k.files = append(k.files, path)
	}
}

// setsVariable tells whether a file of variables sets one.
func setsVariable(text []byte, name string) bool {
	lines := strings.NewReplacer("\r", "\n", "\u2028", "\n", "\u2029", "\n", "\ufeff", " ").Replace(string(text))
	return regexp.MustCompile(`(?m)^[\s\p{Z}]*(?:export[\s\p{Z}]+)?` + name + `[\s\p{Z}]*[=:]`).MatchString(lines)
}

// tellStray tells of variables of a project that would lead an agent past its gateway; none: nothing is told.
func (a *app) tellStray(agent string, names, files []string) {
	if len(names) > 0 {
		a.tell("the project's settings for " + agent + " set " + strings.Join(names, ", ") + " (" + strings.Join(files, ", ") + "), which could lead its requests past the gateway, or make rules silent; that is not used")
	}
}
