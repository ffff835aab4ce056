// Package identity tells a folder or file of the real disk from another one that takes its name, as far as the system can: by
// its file system, its number there, its owner and when it was made. Use [Of] first; [Identity.Same] compares.
package identity

// Identity tells a folder or file of the real disk from another one that takes its name. All parts are texts that mean nothing
// but whether they are the same.
type Identity struct {
	Device string `json:"device"` // the file system
	Inode  string `json:"inode"`  // the number in it
	Owner  string `json:"owner"`  // whose it is: a user's number, on Windows a security identifier

	// Birth is when it was made; empty: the system does not tell. Many file systems give the number of what was removed to the
	// next that is made, so the number alone does not tell a folder from one that was removed and made anew.
	Birth string `json:"birth,omitempty"`
}

// Known tells whether there is one: some systems have none.
func (id Identity) Known() bool { return id.Device != "" && id.Inode != "" && id.Owner != "" }

// Same tells whether both are of one folder or file. Where one of them does not tell its birth, the rest decides: it may be
// from a version or a system that did not note it.
func (id Identity) Same(other Identity) bool {
	if id.Birth == "" || other.Birth == "" {
		id.Birth, other.Birth = "", ""
	}
	return id == other
}
