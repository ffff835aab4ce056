package files

// ByRoot is the tree of the machine as it is opened on systems that do not tell where a descriptor led.
func ByRoot() Tree { return byRoot{} }

type byRoot struct{ disk }

func (byRoot) Open(path string, bounds Bounds) (Opened, error) { return openByRoot(path, bounds) }
