// Package compositor asks the compositors of KDE Plasma and of GNOME which window is in
// front, under Wayland, over the session bus. Neither has an interface for that which
// programs may simply call:
//
//	KWin         runs a script of ours, which calls us back
//	GNOME Shell  answers those that it is told to trust, and refuses everybody else
//
// Use [Compositors.InFront]. sway and Hyprland are asked by package wayland.
package compositor
