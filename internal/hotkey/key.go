package hotkey

import (
	"fmt"
	"strings"
)

// DefaultKey is bound where the user names none.
const DefaultKey = "Super+Shift+P"

// Key is a key with modifiers.
type Key struct {
	modifiers []modifier
	name      string // of X's key symbols: a letter in lower case, space, F5
}

type modifier uint8

const (
	super modifier = iota
	control
	alt
	shift
)

// spelled are the names of modifiers that people write.
var spelled = map[string]modifier{
	"super": super, "meta": super, "win": super, "windows": super, "mod4": super, "cmd": super,
	"ctrl": control, "control": control, "alt": alt, "mod1": alt, "option": alt, "shift": shift,
}

// keyNames are keys that are no letters, digits or function keys.
var keyNames = map[string]string{
	"space": "space", "return": "Return", "enter": "Return", "tab": "Tab", "escape": "Escape", "esc": "Escape", "insert": "Insert", "delete": "Delete",
	"home": "Home", "end": "End", "pageup": "Prior", "pagedown": "Next", "up": "Up", "down": "Down", "left": "Left", "right": "Right",
	"comma": "comma", "period": "period", "slash": "slash", "minus": "minus", "semicolon": "semicolon", "grave": "grave", "backslash": "backslash",
	"print": "Print", "pause": "Pause", "menu": "Menu",
}

// ParseKey reads a key as people write it: `Super+Shift+P`, `ctrl+alt+space`, `F9`.
func ParseKey(text string) (Key, error) {
	parts := strings.Split(text, "+")
	var k Key
	for i, part := range parts {
		part = strings.ToLower(strings.TrimSpace(part))
		if i < len(parts)-1 {
			m, ok := spelled[part]
			if !ok {
				return Key{}, fmt.Errorf("`%s` is no modifier; there are Super, Ctrl, Alt and Shift", clean(part))
			}
			for _, before := range k.modifiers {
				if before == m {
					return Key{}, fmt.Errorf("`%s` stands there twice", clean(part))
				}
			}
			k.modifiers = append(k.modifiers, m)
			continue
		}
		name, ok := keyName(part)
		if !ok {
			return Key{}, fmt.Errorf("`%s` is no key; write a letter, a digit, F1 to F24, or a name such as space", clean(part))
		}
		k.name = name
	}
	if len(k.modifiers) == 0 && !strings.HasPrefix(k.name, "F") || len(k.modifiers) == 1 && k.modifiers[0] == shift && len(k.name) == 1 {
		return Key{}, fmt.Errorf("`%s` is needed for typing; add Super, Ctrl or Alt", clean(text))
	}
	return k, nil
}

func keyName(part string) (string, bool) {
	if len(part) == 1 && (part[0] >= 'a' && part[0] <= 'z' || part[0] >= '0' && part[0] <= '9') {
		return part, true
	}
	var n int
	if _, err := fmt.Sscanf(part, "f%d", &n); err == nil && n >= 1 && n <= 24 && part == fmt.Sprintf("f%d", n) {
		return strings.ToUpper(part), true
	}
	name, ok := keyNames[part]
	return name, ok
}

// clean keeps what somebody wrote short and on one line.
func clean(text string) string {
	text = strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f || r == '`' {
			return -1
		}
		return r
	}, text)
	if runes := []rune(text); len(runes) > 40 {
		return string(runes[:40]) + "…"
	}
	return text
}

// String is the key as [ParseKey] reads it.
func (k Key) String() string {
	return k.joined([4]string{"Super", "Ctrl", "Alt", "Shift"}, "+", upper)
}

// joined writes modifiers and key with a sign between them.
func (k Key) joined(names [4]string, between string, last func(string) string) string {
	var parts []string
	for _, m := range k.modifiers {
		parts = append(parts, names[m])
	}
	return strings.Join(append(parts, last(k.name)), between)
}

func upper(name string) string {
	if len(name) == 1 {
		return strings.ToUpper(name)
	}
	return strings.ToUpper(name[:1]) + name[1:]
}

func same(name string) string { return name }

// i3 is the form of sway and i3: Mod4+Shift+p.
func (k Key) i3() string { return k.joined([4]string{"Mod4", "Ctrl", "Mod1", "Shift"}, "+", same) }

// hyprland is two parts: SUPER SHIFT, p.
func (k Key) hyprland() string {
	names, rest := [4]string{"SUPER", "CTRL", "ALT", "SHIFT"}, []string{}
	for _, m := range k.modifiers {
		rest = append(rest, names[m])
	}
	return strings.Join(rest, " ") + ", " + k.name
}

// gtk is the form of GNOME, MATE, Cinnamon and Xfce: <Super><Shift>p.
func (k Key) gtk() string {
	return k.joined([4]string{"<Super>", "<Control>", "<Alt>", "<Shift>"}, "", same)
}

// xfce is the same with Xfce's name of the control key.
func (k Key) xfce() string {
	return k.joined([4]string{"<Super>", "<Primary>", "<Alt>", "<Shift>"}, "", same)
}

// qt is KDE's: Meta+Shift+P.
func (k Key) qt() string {
	return k.joined([4]string{"Meta", "Ctrl", "Alt", "Shift"}, "+", func(name string) string {
		if other, ok := map[string]string{"Prior": "PgUp", "Next": "PgDown", "Escape": "Esc", "comma": ",", "period": ".", "slash": "/", "minus": "-", "semicolon": ";", "grave": "`", "backslash": "\\", "Delete": "Del", "Insert": "Ins"}[name]; ok {
			return other
		}
		return upper(name)
	})
}
