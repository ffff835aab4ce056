//go:build !linux

package files

// holding are all folders: which of them hold one of the names is to be found out.
func holding(folders []string, _ []string) []string { return folders }
