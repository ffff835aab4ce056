// Package clipboard makes the object clipboard of what the user has copied.
//
//	Linux    x11.Exchange, wayland.Control → Source → Read
//	Windows  the system's clipboard → Read
//	macOS    the pasteboard's types → [PasteboardOf]; macos reads the rest
//
// What a password manager has marked as secret is never read.
package clipboard
