// Package menu shows a list over whatever window is in front, by the menu
// programs that people have bound to keys (rofi, wofi, fuzzel, dmenu and others),
// asks for a line of text, types into a window, and tells on the desktop that
// something is done.
//
// Use [Find] for the menu that the user names, or for the best of this session,
// then [Menu.Choose] and [Menu.Ask]. What differs between programs is in one
// table; nothing here knows what is chosen.
package menu
