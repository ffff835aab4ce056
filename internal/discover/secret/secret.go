package secret

import (
	"slices"
	"strings"
)

// folders hold what no rule is kept in.
var folders = []string{
	".ssh", ".gnupg", ".aws", ".azure", ".kube", ".docker", ".password-store", ".pki", ".mozilla", ".thunderbird", ".electrum",
	".bitcoin", ".ethereum", "keyrings", "gcloud", "bitwarden", "keepassxc", "1password", "chromium", "google-chrome",
	".git", ".hg", ".svn", ".bzr", ".jj", // where a repository was fetched from, with the token for it
}

// words are in the names of files that hold secrets.
var words = []string{
	"secret", "passwor", "passwd", "passphrase", "credential", "token", "apikey", "api-key", "api_key", "private", "id_rsa", "id_dsa",
	"id_ecdsa", "id_ed25519", "authorized_keys", "netrc", "pgpass", "recovery", "seed", "mnemonic", "wallet", "totp", "2fa", ".env",
	".pem", ".key", ".p12", ".pfx", ".ppk", ".jks", ".gpg", ".kdb", ".ovpn", "history", "cookie",
	"dockerconfig", "dockercfg", "authinfo", "edgerc", "databrickscfg", "s3cfg", "s3curl", "rediscli_auth", "pgservice", "my.cnf", "mylogin", "flaskenv", "vault_pass",
	"ngrok.yml", "sftp.json", "kaggle.json", "htpasswd",
}

// Looks tells by a path, with slashes and without links, whether it is
// likely to hold a secret. Too much rather than too little: a rule that is meant
// can be called something else.
func Looks(real string) bool {
	return HasName(real) || InFolder(real) || isHidden(real) || isSettings(strings.ToLower(real))
}

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
	words := wordsOf(base)
	if len(words) == 0 {
		return false
	}
	last := words[len(words)-1]
	return last == "key" || last == "keys" || len(words) == 1 && last == "env"
}

// wordsOf are the words that a name begins with, before what its end says of its kind.
func wordsOf(base string) []string {
	stem, _, _ := strings.Cut(strings.TrimLeft(base, "."), ".")
	return strings.FieldsFunc(stem, func(r rune) bool { return r == '-' || r == '_' || r == ' ' })
}
