package settings_test

import (
	"strings"
	"testing"

	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/internal/settings"
)

// TestSecretsAreNotShown: what is told of a settings file shows no password and no key that is in it, and the same places as ever.
func TestSecretsAreNotShown(t *testing.T) {
	for _, text := range []string{
		"fleet:\n  url: \"nats://me:PASSWORD1@10.0.0.1:4222\"\n",
		"fleet: {url: [nats://a:PASSWORD1@h, 'tls://ü:PASSWORD1@h']}\n",
		"fleet:\n  url: nats://me:PASSWORD1/@PASSWORD1 \"PASSWORD1@10.0.0.1\n",
		"fleet:\n  url: me:PASSWORD1@10.0.0.1:4222\n",
		"fleet:\n  url: nats://PASSWORD1@10.0.0.1:4222\n",
		"fleet:\n  url: nats://h:4222/?token=PASSWORD1\n",
		"gateway: {anthropic: [https://me:PASSWORD1@proxy.example]}\n",
		"gateway:\n  anthropic: @https://me:PASSWORD1@proxy.example\n",
		"ask:\n  apiKey: PASSWORD1\n",
		"ask: {\"key\": \"PASSWORD1\", model: m}\n",
		"ask:\n  keyVariable: [PASSWORD1]\n",
		"ask:\n  api-token: *PASSWORD1\n",
		"fleet: {signingKey: {x: PASSWORD1}}\n",
		"fleet.token: PASSWORD1\n\xff\n",
	} {
		source := diag.NewSource("config.yaml", text)
		_, list := settings.Parse(source)
		if len(list) == 0 {
			t.Errorf("%q: nothing is told", text)
		}
		var b strings.Builder
		if err := diag.Text(&b, list, diag.TextOptions{}); err != nil {
			t.Fatal(err)
		}
		if strings.Contains(b.String(), "PASSWORD1") {
			t.Errorf("%q:\n%s", text, b.String())
		}
		for _, d := range list {
			got, ok := d.Position()
			want := source.Position(d.Span.Start)
			if ok && got != want {
				t.Errorf("%q: %v, want %v", text, got, want)
			}
		}
	}
	source := diag.NewSource("config.yaml", "gateway: {anthropic: [https://proxy.example]}\nask: {maxTokens: many}\nprivate: {titles: ['*@x*', 5]}\n")
	_, list := settings.Parse(source)
	for _, d := range list {
		if d.Source != source {
			t.Errorf("%s: another text than that of the file, in which nothing is secret", d.Message)
		}
	}
}
