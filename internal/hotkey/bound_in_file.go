package hotkey

import (
	"slices"
	"strings"
)

// boundInI3 is what a key does already by a file of sway's or i3's, "" if nothing. Keys of
// modes count in these alone.
func boundInI3(text string, k Key) string {
	names := variables{}
	inside := false
	for line := range strings.Lines(text) {
		words := strings.Fields(names.in(line))
		switch {
		case len(words) > 2 && words[0] == "set":
			names[words[1]] = strings.Join(words[2:], " ")
		case len(words) > 1 && words[0] == "mode" && words[len(words)-1] == "{":
			inside = true
		case len(words) > 0 && words[0] == "}":
			inside = false
		case len(words) > 2 && words[0] == "bindsym" && !inside:
			for words = words[1:]; len(words) > 1 && strings.HasPrefix(words[0], "--"); {
				words = words[1:]
			}
			if len(words) > 1 && k.isWritten(strings.Split(words[0], "+")) {
				return strings.Join(words[1:], " ")
			}
		}
	}
	return ""
}

// boundInHyprland is the same of Hyprland's file. Keys of submaps count in these alone.
func boundInHyprland(text string, k Key) string {
	names := variables{}
	inside := false
	for line := range strings.Lines(text) {
		name, value, found := strings.Cut(line, "=")
		if name = strings.TrimSpace(name); !found {
			continue
		}
		value = strings.TrimSpace(names.in(value))
		switch {
		case strings.HasPrefix(name, "$"):
			names[name] = value
		case name == "submap":
			inside = value != "reset"
		case strings.HasPrefix(name, "bind") && strings.Trim(name[len("bind"):], "abcdefghijklmnopqrstuvwxyz") == "" && !inside:
			parts := strings.SplitN(value, ",", 3)
			if len(parts) < 3 {
				continue
			}
			keys := strings.FieldsFunc(parts[0], func(r rune) bool { return strings.ContainsRune(" \t+_&", r) })
			if k.isWritten(append(keys, strings.TrimSpace(parts[1]))) {
				return strings.TrimSpace(parts[2])
			}
		}
	}
	return ""
}

// isWritten tells whether modifiers and a key after them are this one.
func (k Key) isWritten(words []string) bool {
	last := len(words) - 1
	if last != len(k.modifiers) || !strings.EqualFold(words[last], k.name) {
		return false
	}
	for _, word := range words[:last] {
		if m, ok := spelled[strings.ToLower(word)]; !ok || !slices.Contains(k.modifiers, m) {
			return false
		}
	}
	return true
}

// variables are those of a file: a name with its dollar sign, and the value.
type variables map[string]string

// in is a line with their values. The longest name counts, as window managers have it.
func (v variables) in(line string) string {
	names := make([]string, 0, len(v))
	for name := range v {
		names = append(names, name)
	}
	slices.SortFunc(names, func(a, b string) int {
		if len(a) != len(b) {
			return len(b) - len(a)
		}
		return strings.Compare(a, b)
	})
	if rest, ok := strings.CutPrefix(strings.TrimLeft(line, " \t"), "set "); ok { // a name that is set anew stays one
		name, value, _ := strings.Cut(strings.TrimLeft(rest, " \t"), " ")
		return "set " + name + " " + v.replaced(value, names)
	}
	return v.replaced(line, names)
}

func (v variables) replaced(text string, names []string) string {
	for _, name := range names {
		text = strings.ReplaceAll(text, name, v[name])
	}
	return text
}
