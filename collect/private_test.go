package collect

import "testing"

func TestPrivate(t *testing.T) {
	p := Private{Applications: []string{"KeePassXC", "*bank*", "[x"}, Titles: []string{"*private browsing*"}}
	for _, tt := range []struct {
		title, process, class string
		want                  bool
	}{
		{"Notes", "mousepad", "Mousepad", false},
		{"Database", "keepassxc", "", true},
		{"Database", "", "keepassxc", true},
		{"x", "my-BANK-app", "", true},
		{"Page - Firefox (Private Browsing)", "firefox", "", true},
		{"x", "[X", "", true}, // a pattern that cannot be read means itself
		{"", "", "", false},
	} {
		if got := p.hides(tt.title, tt.process, tt.class); got != tt.want {
			t.Errorf("%+v: %v", tt, got)
		}
	}
}

// TestBrokenPrivate: where nobody knows what is private, everything is.
func TestBrokenPrivate(t *testing.T) {
	p := Private{Broken: true}
	if !p.hides("Notes", "mousepad") || !p.asked() || p.refusal().Error() == errPrivate().Error() {
		t.Errorf("%v %v %v", p.hides("Notes"), p.asked(), p.refusal())
	}
}
