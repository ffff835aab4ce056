package settings

import (
	"regexp"
	"strings"
	"unicode/utf8"

	"github.com/pertain-dev/pertain/diag"
)

// secretForms find what a settings file holds by mistake, or for want of a better place, and nobody may read who is sent the output
// of a command: the first group. They are made when a file has a mistake, which few have.
func secretForms() []*regexp.Regexp {
	return []*regexp.Regexp{
		regexp.MustCompile(`://([^\n]+)@`),                  // a name and a password; both may hold anything but a line break
		regexp.MustCompile(`[^\s:"'\[{,]:([^\s/:][^\n]*)@`), // the same in an address without a scheme
		regexp.MustCompile(`://[^\s"'?]*\?([^\s"']+)`),      // what follows a question mark
		regexp.MustCompile(`(?im)(?:^|[\s{,.-])["']?[\w-]*(?:password|passwd|secret|token|key|credentials|keyvariable)["']?[ \t]*:[ \t]+([^\s,}#][^\n,}]*)`), // of a setting with such a name
	}
}

// minSecret is how many bytes of a secret are looked for in messages: fewer occur anywhere.
const minSecret = 4

// withoutSecrets gives diagnostics about a settings file that hold none of its secrets, neither in what they say nor in the lines
// that are shown with them. Places stay as they are.
func withoutSecrets(source *diag.Source, list diag.List) diag.List {
	if len(list) == 0 {
		return list
	}
	text := source.Text()
	hidden := []byte(text)
	var secrets []string
	for _, form := range secretForms() {
		for _, at := range form.FindAllStringSubmatchIndex(text, -1) {
			mask(hidden[at[2]:at[3]])
			if secret := strings.Trim(text[at[2]:at[3]], " \t\r\"'"); len(secret) >= minSecret {
				secrets = append(secrets, secret, "…")
			}
		}
	}
	if string(hidden) == text {
		return list
	}
	shown, words := diag.NewSource(source.Name(), string(hidden)), strings.NewReplacer(secrets...)
	for i, d := range list {
		if d.Source == source {
			d.Source = shown
		}
		d.Message, d.Hint = words.Replace(d.Message), words.Replace(d.Hint)
		for k, related := range d.Related {
			if related.Source == source {
				d.Related[k].Source = shown
			}
		}
		list[i] = d
	}
	return list
}

// mask writes over a text. It keeps as many bytes and as many characters, so that places in it stay.
func mask(text []byte) {
	for len(text) > 0 {
		_, size := utf8.DecodeRune(text)
		copy(text, [...]string{1: "*", 2: "·", 3: "•", 4: "𝟎"}[size])
		text = text[size:]
	}
}
