// Package filemanager reads the folder and the selected files of the file manager
// in front.
//
//	Linux    atspi.Window → Read: the folder (folder_linux.go, location_linux.go)
//	         and the selection (selection_linux.go; elements_linux.go for Qt and GTK 4)
//	         of Thunar, PCManFM, Nemo, Caja, Nautilus and Dolphin → Answer → Part
//	Windows  the shell's COM objects → Explorer
//	macOS    the Finder's scripting → Finder
//
// Which file managers are known, and how each shows its folder, is the table in
// filemanager_linux.go. What files are described by is in item.go.
package filemanager
