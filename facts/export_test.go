package facts

// DecodeAtMost is [Decode] of JSON with another limit on the number of elements.
func DecodeAtMost(most int, data string) *Snapshot {
	root, _ := scanJSON([]byte(data))
	parts := Parts{Values: root}
	decodeElements("x", root.Field("visual"), most, &parts)
	return NewSnapshot(parts)
}
