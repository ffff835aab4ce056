package stream

import (
	"fmt"
	"math/rand/v2"
	"strings"

	"github.com/pertain-dev/pertain/internal/regex/regextest"
)

// services are words that services are named after and that programs are full of, too.
var services = strings.Fields(`box slack linear square close front signal float notion segment stripe buffer request form frame beam user text mesh monday
	table event token ship pipe route host cloud data mail message image audio video voice code build test deploy agent prod file sheet page
	rest graph query cache memory record master verify secure guardian account customer ticket planview price currency exchange market weather location
	browser scrape proxy detect language translate summary calendar meeting survey report status uptime ping alert metric monitor header parse`)

// secrets are what tokens look like.
var secrets = []struct{ pattern, sample string }{
	{`\b([a-zA-Z0-9]{32})\b`, "0a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P"},
	{`\b([0-9a-f]{40})\b`, "0123456789abcdef0123456789abcdef01234567"},
	{`\b([a-z0-9]{24})\b`, "abcdefghijkl0123456789ab"},
	{`\b([a-zA-Z0-9_-]{20,50})\b`, "abcDEF_ghi-JKL0123456789"},
	{`\b([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})\b`, "01234567-89ab-cdef-0123-456789abcdef"},
	{`\b([A-Z0-9]{16})\b`, "ABCDEFGH01234567"},
	{`\b(key-[a-z0-9]{32})\b`, "key-abcdefghijklmnopqrstuvwxyz012345"},
	{`\b([a-zA-Z0-9]{43}=)`, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQ="},
	{`\b(sk_live_[a-zA-Z0-9]{24,34})\b`, "sk_live_abcdefghijklmnopqrstuvwx01"},
	{`\b([0-9]{10}:[a-zA-Z0-9_-]{35})\b`, "0123456789:abcdefghijklmnopqrstuvwxyz_-0123456"},
	{`\b([a-zA-Z0-9]{12}\.[a-zA-Z0-9]{22})\b`, "abcdefGHIJ01.abcdefghijklmnopqrstuv"},
	{`\b([a-zA-Z0-9+/]{64})`, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789+/"},
}

// trufflehog gives n expressions of the shape that trufflehog's detectors have: the name
// of a service without case, at most forty characters, and a token. One in seven services
// is named after a word that programs have, too.
func trufflehog(n int) *Corpus {
	r := rand.New(rand.NewPCG(7, 8))
	c := &Corpus{&regextest.Corpus{}}
	for i := range n {
		var names []string
		for range 1 + r.IntN(3) {
			names = append(names, strings.ToLower(regextest.Name(r)))
		}
		if i%7 == 0 {
			names[0] = services[i/7%len(services)]
		}
		secret := secrets[r.IntN(len(secrets))]
		c.Patterns = append(c.Patterns, `(?i:`+strings.Join(names, "|")+`)(?:.|[\n\r]){0,40}?`+secret.pattern)
		if i%5 == 0 {
			c.Control = append(c.Control, regextest.Planted{Trigger: i, Text: fmt.Sprintf("some words, %s = \"%s\" and after", strings.ToUpper(names[len(names)-1]), secret.sample)})
		}
	}
	return c
}
