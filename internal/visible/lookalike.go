package visible

import (
	"strings"
	"sync"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// Skeleton is a form of a name that names share which look alike: compatible
// characters are one (fullwidth, mathematical, ligatures, composed or not), what
// cannot be seen is gone, and letters of other scripts stand for the Latin letters
// that they look like. It is for comparing, not for showing. Case counts.
func Skeleton(name string) string {
	if isASCII(name) {
		return name
	}
	name = norm.NFD.String(norm.NFKC.String(Strip(name)))
	alike := lookalikes()
	return strings.Map(func(r rune) rune {
		switch {
		case ignorable(r):
			return -1
		case r < 0x80:
			return r
		}
		if latin, ok := alike[r]; ok {
			return latin
		}
		return r
	}, name)
}

// MixesScripts tells whether a word of a name mixes Latin letters with letters of
// another script that look like Latin ones.
func MixesScripts(name string) bool {
	if isASCII(name) {
		return false
	}
	known := lookalikes()
	for _, word := range strings.FieldsFunc(name, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsMark(r) }) {
		latin, other := false, false
		for _, r := range word {
			_, alike := known[r]
			latin = latin || unicode.Is(unicode.Latin, r)
			other = other || alike && unicode.In(r, unicode.Cyrillic, unicode.Greek, unicode.Armenian, unicode.Cherokee, unicode.Lisu, unicode.Coptic, unicode.Georgian)
		}
		if latin && other {
			return true
		}
	}
	return false
}

func isASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= 0x80 {
			return false
		}
	}
	return true
}

// lookalikes are characters that most fonts draw like an ASCII one. They are those
// of Unicode's confusables (UTS #39) that a name can hold and that compatibility
// does not already bring together.
var lookalikes = sync.OnceValue(func() map[rune]rune {
	return table(
		// Cyrillic
		"аa", "еe", "оo", "рp", "сc", "уy", "хx", "ѕs", "іi", "јj", "һh", "ԁd", "ԛq", "ԝw", "ӏl", "ҽe", "ѵv", "ѡw", "ԍG", "гr", "пn", "ьb", "кk", "тt", "мm", "вB", "нH",
		"АA", "ВB", "ЕE", "КK", "МM", "НH", "ОO", "РP", "СC", "ТT", "УY", "ХX", "ЅS", "ІI", "ЈJ", "ԌG", "ҺH", "ԚQ", "ԜW", "ѴV", "ЬB", "ӀI", "З3", "ҮY", "үy",
		// Greek
		"αa", "οo", "νv", "ρp", "υu", "ιi", "κk", "τt", "γy", "ηn", "ωw", "χx", "σo", "ϲc", "ϳj", "εe",
		"ΑA", "ΒB", "ΕE", "ΖZ", "ΗH", "ΙI", "ΚK", "ΜM", "ΝN", "ΟO", "ΡP", "ΤT", "ΥY", "ΧX", "ϹC", "ͿJ",
		// Armenian
		"աw", "գq", "զq", "հh", "յj", "ոn", "սu", "օo", "ցg", "քp", "ՏS", "ՍU", "ՕO", "ԼL",
		// Latin of other kinds
		"ıi", "ȷj", "ɑa", "ɡg", "ɩi", "ʋv", "ʏy", "ɪi", "ʟL", "ɴN", "ʀR", "ᴀA", "ᴄc", "ᴅD", "ᴇE", "ᴊJ", "ᴋK", "ᴍM", "ᴏo", "ᴘP", "ᴛT", "ᴜu", "ᴠv", "ᴡw", "ᴢz", "ꜱs", "ƿp", "ǃ!", "ꓲI",
		// Cherokee and Lisu
		"ᎠD", "ᎡR", "ᎢT", "ᎥI", "ᎪA", "ᎫJ", "ᎬE", "ᎳW", "ᎷM", "ᎻH", "ᏀG", "ᏃZ", "ᏎA", "ᏒR", "ᏔW", "ᏙV", "ᏚS", "ᏞL", "ᏟC", "ᏢP", "ᏦK", "ᏴB",
		"ꓐB", "ꓑP", "ꓒd", "ꓓD", "ꓔT", "ꓖG", "ꓗK", "ꓙJ", "ꓚC", "ꓜZ", "ꓝF", "ꓟM", "ꓠN", "ꓡL", "ꓢS", "ꓣR", "ꓦV", "ꓧH", "ꓪW", "ꓫX", "ꓬY", "ꓮA", "ꓰE", "ꓳO", "ꓴU",
		// digits, dashes, dots and slashes
		"٠.", "۰.", "०o", "০o", "੦o", "૦o", "௦o", "౦o", "೦o", "൦o", "๐o", "໐o", "၀o", "՛'", "ⲟo", "ⲞO",
		"‐-", "‑-", "‒-", "–-", "—-", "−-", "﹘-", "⁃-", "˗-", "ー-", "․.", "‧.", "·.", "ꞏ.", "⁄/", "∕/", "╱/", "⧸/", "ꓸ.", "ꓹ,", "＿_", "ˍ_", "ߺ_",
	)
})

// table reads pairs of a character and the one that it looks like.
func table(pairs ...string) map[rune]rune {
	out := make(map[rune]rune, len(pairs))
	for _, pair := range pairs {
		runes := []rune(pair)
		out[runes[0]] = runes[1]
	}
	return out
}
