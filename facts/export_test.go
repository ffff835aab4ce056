package facts

// DecodeAtMost is [Decode] of JSON with another limit on the number of elements.
func DecodeAtMost(most int, data string) *Snapshot {
	root, _ := scanJSON([]byte(data))
	parts := Parts{Values: root}
	decodeElements("x", root.Field("visual"), most, &parts)
	return NewSnapshot(parts)
}

// NeedOf is the name under which a path is collected.
func NeedOf(path string) string { return needOf(path) }

// PermissionOf is the sentence that tells a user what a need reads.
func PermissionOf(need string) string { return permission(need) }
