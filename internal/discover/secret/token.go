package secret

import (
	"bytes"
	"slices"
	"strings"
)

// tokenMark is what tokens of a service begin with, and how many characters follow at least: examples in a text are shorter,
// or have dots in them.
type tokenMark struct {
	begin string
	least int
	of    alphabet
	exact bool // no more than these follow
}

// alphabet is what a token consists of.
type alphabet uint8

const (
	letters alphabet = iota // and digits, `_` and `-`
	hex                     // in small letters
	base32                  // in capital letters
	base64
)

func (a alphabet) has(c byte) bool {
	switch a {
	case hex:
		return '0' <= c && c <= '9' || 'a' <= c && c <= 'f'
	case base32:
		return '2' <= c && c <= '7' || 'A' <= c && c <= 'Z'
	case base64:
		return isLetterOrDigit(c) || c == '+' || c == '/' || c == '='
	}
	return isTokenByte(c)
}

var tokenMarks = []tokenMark{
	{begin: "sk-", least: 20},
	{begin: "sk_live_", least: 16},
	{begin: "rk_live_", least: 16},
	{begin: "ghp_", least: 30},
	{begin: "gho_", least: 30},
	{begin: "ghu_", least: 30},
	{begin: "ghs_", least: 30},
	{begin: "ghr_", least: 30},
	{begin: "github_pat_", least: 30},
	{begin: "glpat-", least: 20},
	{begin: "AKIA", least: 16},
	{begin: "ASIA", least: 16},
	{begin: "AIza", least: 35},
	{begin: "ya29.", least: 20},
	{begin: "GOCSPX-", least: 20},
	{begin: "xoxb-", least: 20},
	{begin: "xoxp-", least: 20},
	{begin: "xoxa-", least: 20},
	{begin: "xoxs-", least: 20},
	{begin: "npm_", least: 36},
	{begin: "pypi-", least: 40},
	{begin: "hf_", least: 30},
	{begin: "dop_v1_", least: 40},
	{begin: "SG.", least: 20},
	{begin: "xai-", least: 40},
	{begin: "gsk_", least: 40},
	{begin: "eyJhbGciOi", least: 20},
	{begin: "hvs.", least: 24}, // Vault
	{begin: "hvb.", least: 24},
	{begin: "dckr_pat_", least: 24},
	{begin: "tskey-auth-", least: 20}, // Tailscale
	{begin: "tskey-api-", least: 20},
	{begin: "tskey-client-", least: 20},
	{begin: "tskey-scim-", least: 20},
	{begin: "tskey-webhook-", least: 20},
	{begin: "shpat_", least: 32, of: hex, exact: true}, // Shopify
	{begin: "shpca_", least: 32, of: hex, exact: true},
	{begin: "shppa_", least: 32, of: hex, exact: true},
	{begin: "shpss_", least: 32, of: hex, exact: true},
	{begin: "dapi", least: 32, of: hex, exact: true},  // Databricks
	{begin: "SU", least: 56, of: base32, exact: true}, // NATS: a user, an account, an operator, a server, a cluster
	{begin: "SA", least: 56, of: base32, exact: true},
	{begin: "SO", least: 56, of: base32, exact: true},
	{begin: "SN", least: 56, of: base32, exact: true},
	{begin: "SC", least: 56, of: base32, exact: true},
	{begin: "RWRTY0Iy", least: 100, of: base64}, // minisign, whatever the comment says: with a password, and without
	{begin: "RWQAAEIy", least: 100, of: base64},
}

// holdsToken tells whether a text has a token in it.
func holdsToken(data []byte) bool {
	return slices.ContainsFunc(tokenMarks, func(m tokenMark) bool { return m.in(data) }) || holdsSlackHook(data) || holdsTelegramToken(data)
}

func (m tokenMark) in(data []byte) bool {
	return has(data, m.begin, func(before, after []byte) bool {
		if endsInWord(before) { // in the middle of a word it is something else
			return false
		}
		token := run(after, m.of.has)
		return len(token) >= m.least && isRandom(token) &&
			(!m.exact || len(token) == m.least && !beginsWithWord(after[len(token):]))
	})
}

// holdsSlackHook finds addresses that whoever has them may post to: hooks.slack.com/services/T…/B…/….
func holdsSlackHook(data []byte) bool {
	return has(data, "hooks.slack.com/services/", func(_, after []byte) bool {
		parts := bytes.Split(run(after, func(c byte) bool { return isLetterOrDigit(c) || c == '/' }), []byte("/"))
		return len(parts) >= 3 && len(parts[0]) > 8 && parts[0][0] == 'T' && len(parts[1]) > 8 && parts[1][0] == 'B' && len(parts[2]) >= 20 && isRandom(parts[2])
	})
}

// holdsTelegramToken finds tokens of bots: the number of an account, a colon, and 35 characters of which the first is A.
func holdsTelegramToken(data []byte) bool {
	return has(data, ":A", func(before, after []byte) bool {
		digits := len(before)
		for digits > 0 && '0' <= before[digits-1] && before[digits-1] <= '9' {
			digits--
		}
		number, token := before[digits:], run(after, isTokenByte)
		// In an address `bot` stands before the number.
		return len(number) >= 8 && len(number) <= 10 && !endsInWord(bytes.TrimSuffix(before[:digits], []byte("bot"))) && len(token) == 34 && isRandom(token)
	})
}

// longest is how many bytes after a mark are looked at: a text that is made of marks must not be walked for each of them.
const longest = 256

// has tells whether a mark is somewhere in a text with the right things before and after it.
func has(data []byte, mark string, right func(before, after []byte) bool) bool {
	for at := 0; ; {
		next := bytes.Index(data[at:], []byte(mark))
		if next < 0 {
			return false
		}
		start := at + next
		if at = start + len(mark); right(data[:start], data[at:min(at+longest, len(data))]) {
			return true
		}
	}
}

// run is the beginning of a text that consists of some characters.
func run(data []byte, of func(byte) bool) []byte {
	for i, c := range data {
		if !of(c) {
			return data[:i]
		}
	}
	return data
}

// isRandom tells a token from words, which have small letters alone, and from what is to be filled in, such as XXXXXXXX and 00000000.
func isRandom(token []byte) bool {
	return hasDifferent(token) && bytes.ContainsFunc(token, func(r rune) bool { return '0' <= r && r <= '9' || 'A' <= r && r <= 'Z' })
}

// hasDifferent tells whether a text is not made of a few characters.
func hasDifferent(text []byte) bool {
	const differentCharacters = 5
	var seen []byte
	for _, c := range text {
		if bytes.IndexByte(seen, c) < 0 {
			seen = append(seen, c)
		}
	}
	return len(seen) >= differentCharacters
}

func endsInWord(data []byte) bool     { return len(data) > 0 && isTokenByte(data[len(data)-1]) }
func beginsWithWord(data []byte) bool { return len(data) > 0 && isLetterOrDigit(data[0]) }

func isTokenByte(c byte) bool { return isLetterOrDigit(c) || strings.IndexByte("_-", c) >= 0 }

func isLetterOrDigit(c byte) bool {
	return '0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
}
