package files

import "strings"

// maxGitFile is how large git's files with one path or name in them may be, in bytes.
const maxGitFile = 64 << 10

// GitLine is the first line of one of git's small files, such as HEAD, a reference or `commondir`, without blanks at its end. It may lie anywhere,
// and what it says is never shown: who reads it checks where it leads.
func GitLine(tree Tree, path string) (string, error) {
	data, _, err := ReadWithin(tree, path, Anywhere(), maxGitFile)
	if err != nil {
		return "", err
	}
	line, _, _ := strings.Cut(string(data), "\n")
	return strings.TrimRight(line, " \t\r"), nil
}

// GitPointer is the absolute path that the first line of one of git's files names, after a word such as `gitdir:`; false if there is none. Relative
// ones begin at base.
func GitPointer(tree Tree, base, file, word string) (path string, ok bool) {
	line, err := GitLine(tree, file)
	if err != nil {
		return "", false
	}
	text, ok := strings.CutPrefix(line, word)
	if text = strings.TrimSpace(text); !ok || text == "" || strings.ContainsRune(text, 0) {
		return "", false
	}
	return tree.Flavor().Abs(base, text), true
}

// IsRepository tells whether a folder's `.git` is what git takes for a repository: a folder with HEAD, objects and references, or
// a file that leads to one or to that of a linked work tree.
func IsRepository(tree Tree, dir string) bool {
	flavor := tree.Flavor()
	folder := flavor.Join(dir, ".git")
	info, err := tree.Stat(folder)
	if err != nil {
		return false
	}
	if info.Kind != Folder {
		target, ok := GitPointer(tree, dir, folder, "gitdir:")
		if !ok {
			return false
		}
		folder = target
	}
	head, err := GitLine(tree, flavor.Join(folder, "HEAD"))
	if err != nil || !isHead(head) {
		return false
	}
	if common, ok := GitPointer(tree, folder, flavor.Join(folder, "commondir"), ""); ok {
		folder = common
	}
	for _, name := range []string{"objects", "refs"} {
		if info, err := tree.Stat(flavor.Join(folder, name)); err != nil || info.Kind != Folder {
			return false
		}
	}
	return true
}

// isHead tells what git takes for a HEAD: a reference, or an object by its name.
func isHead(line string) bool {
	if name, ok := strings.CutPrefix(line, "ref:"); ok {
		return strings.HasPrefix(strings.TrimLeft(name, " \t"), "refs/")
	}
	return len(line) >= 40 && strings.Trim(line[:40], "0123456789abcdefABCDEF") == ""
}
