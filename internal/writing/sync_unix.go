//go:build unix

package writing

import "os"

// syncFolder makes a rename inside the folder survive a power cut.
func syncFolder(folder *os.Root) error {
	f, err := folder.Open(".")
	if err != nil {
		return err
	}
	defer f.Close()
	return f.Sync()
}
