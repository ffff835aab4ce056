package collect

// Private is what is never read: the windows of these applications and the
// windows with these titles, and the dialogs of both. Both are globs, compared without case: `*` is any
// run of characters. While such a window is in front, nothing of it is read,
// and neither is selected text nor the clipboard.
//
// The zero value has Pertain's own list: private windows of the common browsers,
// password managers, key agents, and programs that ask for a password.
type Private struct {
	Applications []string // process names or window classes, such as keepassxc
	Titles       []string // such as *Private Browsing*
	Broken       bool     // what is private could not be read from the settings: everything is
	NoDefaults   bool     // only what is named here is private
}
