package collect

import "testing"

// TestRuntimeDir holds that sockets of the session are never looked for in the
// working directory.
func TestRuntimeDir(t *testing.T) {
	for _, dir := range []string{"", ".", "run"} {
		d := &desktop{options: Options{Env: func(name string) string {
			return map[string]string{"WAYLAND_DISPLAY": "wayland-0", "XDG_RUNTIME_DIR": dir, "HOME": dir}[name]
		}}}
		if got := d.waylandSocket(); got != "" {
			t.Errorf("%q: the compositor is looked for at %s", dir, got)
		}
		if got := d.sessionAddress(); got != "" {
			t.Errorf("%q: the bus is looked for at %s", dir, got)
		}
	}
	d := &desktop{options: Options{Env: func(name string) string {
		return map[string]string{"WAYLAND_DISPLAY": "wayland-0", "XDG_RUNTIME_DIR": "/run/user/1"}[name]
	}}}
	if got := d.waylandSocket(); got != "/run/user/1/wayland-0" {
		t.Errorf("got %s", got)
	}
}
