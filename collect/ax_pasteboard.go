package collect

import (
	"slices"
	"strings"
)

// Types of what is on a pasteboard of macOS.
const (
	axPasteText = "public.utf8-plain-text"
	axPasteFile = "public.file-url"
)

// axPasteSecret are the marks of password managers (nspasteboard.org).
var axPasteSecret = []string{"org.nspasteboard.ConcealedType", "com.agilebits.onepassword"}

// axPasteImages are the types of pictures.
var axPasteImages = []string{"public.png", "public.tiff", "public.jpeg", "public.heic", "com.compuserve.gif", "com.microsoft.bmp", "org.webmproject.webp"}

// axPasted is what the types of a pasteboard say, without reading any of it.
type axPasted struct{ text, image, files, secret bool }

func axPastedOf(types []string) axPasted {
	return axPasted{
		text:  slices.Contains(types, axPasteText),
		files: slices.Contains(types, axPasteFile),
		image: slices.ContainsFunc(types, func(t string) bool { return slices.Contains(axPasteImages, t) }),
		secret: slices.ContainsFunc(types, func(t string) bool {
			return slices.ContainsFunc(axPasteSecret, func(mark string) bool { return t == mark || strings.HasPrefix(t, mark+".") })
		}),
	}
}
