package secret

import (
	"bytes"
	"slices"
	"strings"
)

// folders hold what no rule is kept in.
var folders = []string{
	".ssh", ".gnupg", ".aws", ".azure", ".kube", ".docker", ".password-store", ".pki", ".mozilla", ".thunderbird", ".electrum",
	".bitcoin", ".ethereum", "keyrings", "gcloud", "bitwarden", "keepassxc", "1password", "chromium", "google-chrome",
}

// words are in the names of files that hold secrets.
var words = []string{
	"secret", "passwor", "passwd", "passphrase", "credential", "token", "apikey", "api-key", "api_key", "private", "id_rsa", "id_dsa",
	"id_ecdsa", "id_ed25519", "authorized_keys", "netrc", "pgpass", "recovery", "seed", "mnemonic", "wallet", "totp", "2fa", ".env",
	".pem", ".key", ".p12", ".pfx", ".ppk", ".jks", ".gpg", ".kdb", ".ovpn", "history", "cookie",
}

// Looks tells by a path, with slashes and without links, whether it is
// likely to hold a secret. Too much rather than too little: a rule that is meant
// can be called something else.
func Looks(real string) bool { return HasName(real) || InFolder(real) || isHidden(real) }

// isHidden finds what programs keep for themselves: plain text, which is no Markdown, in hidden folders, and everything in those of states and caches.
func isHidden(real string) bool {
	folder := strings.ToLower(real[:strings.LastIndexByte(real, '/')+1])
	if strings.Contains(folder, "/.local/state/") || strings.Contains(folder, "/.cache/") {
		return true
	}
	return strings.Contains(folder, "/.") && !IsMarkdown(real) && !IsRulesName(real[len(folder):])
}

// HasName tells whether the last name of a path, with slashes, is one of a
// file that holds secrets.
func HasName(path string) bool {
	base := strings.ToLower(path[strings.LastIndexByte(path, '/')+1:])
	return isKeyName(base) || slices.ContainsFunc(words, func(word string) bool { return strings.Contains(base, word) })
}

// InFolder tells whether a path, with slashes, leads through a folder of
// secrets.
func InFolder(path string) bool {
	segments := strings.Split(strings.ToLower(path), "/")
	return slices.ContainsFunc(segments[:len(segments)-1], func(segment string) bool { return slices.Contains(folders, segment) })
}

// isKeyName finds the names of files that are a key or keys, such as key.txt and
// deploy_keys.md, but not keyboard.md and key-bindings.md, and an environment, env.txt.
func isKeyName(base string) bool {
	stem, _, _ := strings.Cut(strings.TrimLeft(base, "."), ".")
	parts := strings.FieldsFunc(stem, func(r rune) bool { return r == '-' || r == '_' || r == ' ' })
	if len(parts) == 0 {
		return false
	}
	last := parts[len(parts)-1]
	return last == "key" || last == "keys" || stem == "env"
}

// keyMarks are what private keys begin with, or the lines around them: PEM, OpenPGP,
// SSH2, PuTTY and age.
var keyMarks = []string{"PRIVATE KEY-----", "PRIVATE KEY BLOCK-----", "PRIVATE KEY ----", "PUTTY-USER-KEY-FILE-", "AGE-SECRET-KEY-"}

// HoldsKey tells whether a text has a private key in it, or a token of a well-known service, whatever its name is. Without
// their zero bytes UTF-16 and UTF-32, with a mark at the start or not, are ASCII where
// a key is. Case does not count, since that of age keys may be either.
func HoldsKey(data []byte) bool {
	if bytes.IndexByte(data, 0) >= 0 {
		data = bytes.ReplaceAll(data, []byte{0}, nil)
	}
	if holdsToken(data) {
		return true
	}
	data = bytes.ToUpper(data)
	for _, mark := range keyMarks {
		if bytes.Contains(data, []byte(mark)) {
			return true
		}
	}
	return false
}

// tokenMark is what tokens of a service begin with, and how many letters and digits follow at least: examples in a text are shorter,
// or have dots in them.
type tokenMark struct {
	begin string
	least int
}

var tokenMarks = []tokenMark{
	{"sk-", 20},
	{"sk_live_", 16},
	{"rk_live_", 16},
	{"ghp_", 30},
	{"gho_", 30},
	{"ghu_", 30},
	{"ghs_", 30},
	{"ghr_", 30},
	{"github_pat_", 30},
	{"glpat-", 20},
	{"AKIA", 16},
	{"ASIA", 16},
	{"AIza", 35},
	{"ya29.", 20},
	{"GOCSPX-", 20},
	{"xoxb-", 20},
	{"xoxp-", 20},
	{"xoxa-", 20},
	{"xoxs-", 20},
	{"npm_", 36},
	{"pypi-", 40},
	{"hf_", 30},
	{"dop_v1_", 40},
	{"SG.", 20},
	{"xai-", 40},
	{"gsk_", 40},
	{"eyJhbGciOi", 20},
}

// holdsToken tells whether a text has a token in it.
func holdsToken(data []byte) bool {
	return slices.ContainsFunc(tokenMarks, func(m tokenMark) bool { return m.in(data) })
}

func (m tokenMark) in(data []byte) bool {
	for at := 0; ; {
		next := bytes.Index(data[at:], []byte(m.begin))
		if next < 0 {
			return false
		}
		start := at + next
		at = start + len(m.begin)
		end, digits := at, 0
		for end < len(data) && isTokenByte(data[end]) {
			if c := data[end]; '0' <= c && c <= '9' || 'A' <= c && c <= 'Z' {
				digits++
			}
			end++
		}
		// In the middle of a word it is something else, and words alone are no token.
		if (start == 0 || !isTokenByte(data[start-1])) && end-at >= m.least && digits > 0 {
			return true
		}
		at = end
	}
}

func isTokenByte(c byte) bool {
	return '0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || c == '_' || c == '-'
}
