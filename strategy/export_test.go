package strategy

// DefaultIcon is shown where there is no such icon as a strategy names.
const DefaultIcon = defaultIcon

// Icon is an icon by its name, however that is written.
func Icon(name string) (string, bool) { return icon(name) }

// Unreadable is the strategy of a file that cannot be read.
func Unreadable(name, problem string, origin Origin) *Strategy {
	return unreadable(name, problem, origin)
}
