package clipboard

import (
	"slices"
	"strings"
)

// Types of what is on a pasteboard of macOS.
const (
	TextType = "public.utf8-plain-text"
	FileType = "public.file-url"
)

// secretTypes are the marks of password managers (nspasteboard.org).
var secretTypes = []string{"org.nspasteboard.ConcealedType", "com.agilebits.onepassword"}

// imageTypes are the types of pictures.
var imageTypes = []string{"public.png", "public.tiff", "public.jpeg", "public.heic", "com.compuserve.gif", "com.microsoft.bmp", "org.webmproject.webp"}

// Pasteboard is what the types of a pasteboard say, without reading any of it.
type Pasteboard struct{ Text, Image, Files, Secret bool }

// PasteboardOf reads the list of types.
func PasteboardOf(types []string) Pasteboard {
	return Pasteboard{
		Text:  slices.Contains(types, TextType),
		Files: slices.Contains(types, FileType),
		Image: slices.ContainsFunc(types, func(t string) bool { return slices.Contains(imageTypes, t) }),
		Secret: slices.ContainsFunc(types, func(t string) bool {
			return slices.ContainsFunc(secretTypes, func(mark string) bool { return t == mark || strings.HasPrefix(t, mark+".") })
		}),
	}
}
