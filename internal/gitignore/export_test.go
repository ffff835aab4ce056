package gitignore

// IgnoredBy tells whether a line of .gitignore names a path of the root, and how many
// steps that took; ok is false if it can name nothing.
func IgnoredBy(line, path string, isFolder bool) (named bool, steps int, ok bool) {
	l, ok := parsePattern(line)
	if !ok {
		return false, 0, false
	}
	keep := l.keep
	l.keep = false
	spent := &effort{}
	all := &list{lines: []pattern{l}, spent: spent}
	return all.names(path, isFolder) != keep, spent.steps, true
}

// Limit says which limit of .gitignore files is exceeded; empty: none.
func Limit(left, steps int) string {
	if err := (&effort{files: left, steps: steps}).exceeded("/w"); err != nil {
		return err.Error()
	}
	return ""
}
