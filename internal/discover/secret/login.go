package secret

import (
	"bytes"
	"strings"
)

// leastPassword is how many characters a password has at least; shorter ones are for development, or are to be filled in.
const leastPassword = 8

// stand are words that stand for a password in an address.
var stand = strings.NewReplacer(
	"password", "", "passwort", "", "passphrase", "", "passwd", "", "pass", "", "pwd", "", "secret", "", "token", "", "apikey", "", "credential", "", "key", "",
	"changeme", "", "change", "", "example", "", "sample", "", "placeholder", "", "redacted", "", "hidden", "", "dummy", "", "default", "",
	"your", "", "user", "", "name", "", "here", "", "admin", "", "root", "", "test", "", "local", "", "postgres", "", "mysql", "", "mongo", "", "redis", "", "rabbitmq", "", "guest", "",
)

// holdsLogin finds addresses that have a password in them: https://name:password@host.
func holdsLogin(data []byte) bool {
	return has(data, "://", func(_, after []byte) bool {
		login := run(after, isLoginByte)
		if len(login) == len(after) || after[len(login)] != '@' {
			return false
		}
		name, password, ok := strings.Cut(string(login), ":")
		return ok && isPassword(name, password)
	})
}

// isLoginByte tells what may stand before the @ of an address.
func isLoginByte(c byte) bool {
	return c > ' ' && c != 0x7f && !bytes.ContainsRune([]byte("/@\"'`<>|,\\"), rune(c))
}

// isPassword tells a password from what is to be filled in: words, variables, and what every installation has.
func isPassword(name, password string) bool {
	if len(password) < leastPassword || password == name || strings.HasPrefix(password, "$") ||
		strings.HasPrefix(password, "%") && strings.HasSuffix(password, "%") || strings.ContainsAny(password, "{}[]()*") || strings.Contains(password, "..") {
		return false
	}
	return hasDifferent([]byte(stand.Replace(strings.ToLower(password))))
}
