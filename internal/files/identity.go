package files

// Identity tells a folder or file of the real disk from another one that takes its name. All parts are texts that mean nothing
// but whether they are the same.
type Identity struct {
	Device string `json:"device"` // the file system
	Inode  string `json:"inode"`  // the number in it
	Owner  string `json:"owner"`  // whose it is: a user's number, on Windows a security identifier
}

// Known tells whether there is one: some systems have none.
func (id Identity) Known() bool { return id.Device != "" && id.Inode != "" && id.Owner != "" }
