package hotkey

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
)

// kde starts programs by desktop files, and has their keys in one file. It reads both
// when the session begins.
func kde(ctx context.Context, s Session, k Key, command []string, remove bool) ([]Step, error) {
	set, err := s.setting("kwriteconfig6", "kwriteconfig5")
	if err != nil {
		return nil, err
	}
	const file = "pertain-pick.desktop"
	change, err := newChange(filepath.Join(s.Data, "applications", file))
	if err != nil {
		return nil, err
	}
	group := []string{"--file", "kglobalshortcutsrc", "--group", file}
	value := k.qt() + ",none," + ownName
	if set.name == "kwriteconfig6" {
		group, value = []string{"--file", "kglobalshortcutsrc", "--group", "services", "--group", file}, k.qt()
	}
	foreign := change.Before != "" && !ownEntry(change.Before)
	if remove {
		if change.Before == "" || foreign {
			return nil, nil
		}
		change.After, change.Gone = "", true
		return []Step{{Change: change}, set.step(append(group, "--key", "_launch", "--delete")...), set.step(append(group, "--key", "_k_friendly_name", "--delete")...)}, nil
	}
	if foreign {
		return nil, fmt.Errorf("%s is somebody else's; give it another name", change.Path)
	}
	change.After = "[Desktop Entry]\nType=Application\nName=" + ownName + "\nComment=Prompts for what is in front\nNoDisplay=true\nStartupNotify=false\nExec=" +
		execLine(command) + "\nX-KDE-GlobalAccel-CommandShortcut=true\n"
	var steps []Step
	if change.After != change.Before {
		steps = append(steps, Step{Change: change})
	}
	if reader, err := s.setting(strings.Replace(set.name, "kwrite", "kread", 1)); err == nil {
		if now, err := reader.ask(ctx, append(group, "--key", "_launch")...); err == nil && now == value {
			return steps, nil
		}
	}
	return append(steps, set.step(append(group, "--key", "_k_friendly_name", ownName)...), set.step(append(group, "--key", "_launch", value)...)), nil
}

// ownEntry tells a desktop file that was written here, of a Pertain that may have been elsewhere.
func ownEntry(text string) bool {
	for line := range strings.Lines(text) {
		if command, ok := strings.CutPrefix(strings.TrimSpace(line), "Exec="); ok {
			return ownLine(strings.ReplaceAll(command, `"`, "'"))
		}
	}
	return false
}

// execLine quotes words for a desktop file's Exec.
func execLine(words []string) string {
	out := make([]string, len(words))
	for i, word := range words {
		word = strings.ReplaceAll(word, "%", "%%")
		if strings.ContainsAny(word, " \t\n\"'\\><~|&;$*?#()`") {
			word = `"` + strings.NewReplacer(`\`, `\\\\`, `"`, `\\"`, "`", "\\\\`", `$`, `\\$`).Replace(word) + `"`
		}
		out[i] = word
	}
	return strings.Join(out, " ")
}
