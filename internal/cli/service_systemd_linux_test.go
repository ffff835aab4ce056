package cli_test

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// systemdScript starts a user manager of systemd for the folders of the environment, in a
// world in which it believes that systemd has started the machine, and tells what becomes
// of the service in it. PROGRAM is the program.
const systemdScript = `
mount -t tmpfs tmpfs /run && mkdir -p /run/systemd/system || exit 77
export SYSTEMD_IGNORE_CHROOT=1 SYSTEMD_LOG_LEVEL=err
"$SYSTEMD" --user --log-target=null >/dev/null 2>&1 &
manager=$!
trap 'kill $manager; wait $manager' EXIT
waits() { # waits WHAT COMMAND...: until it is so
  what=$1; shift
  for i in $(seq 300); do
    if "$@" >/dev/null 2>&1; then return; fi
    kill -0 $manager 2>/dev/null || exit 77
    sleep 0.1
  done
  echo "never: $what"
  exit 1
}
process() { systemctl --user show -p MainPID --value pertain.service; }
another() { now=$(process); [ "$now" != 0 ] && [ "$now" != "$1" ] && "$PROGRAM" service status; }
waits "the manager" systemctl --user show-environment
"$PROGRAM" service install 2>/dev/null || exit 1
waits "the service" "$PROGRAM" service status
echo "installed $(systemctl --user is-active pertain.service) $(systemctl --user is-enabled pertain.service)"
first=$(process)
kill -9 "$first"
waits "the service after it was killed" another "$first"
echo "killed $(systemctl --user is-active pertain.service)"
second=$(process)
cp "$PROGRAM" "$PROGRAM.new" && printf x >>"$PROGRAM.new" && mv "$PROGRAM.new" "$PROGRAM"
DISPLAY=:4711 "$PROGRAM" match --json >/dev/null
waits "the new program" another "$second"
echo "replaced $(systemctl --user is-active pertain.service)"
"$PROGRAM" service remove 2>/dev/null || exit 1
echo "removed $(systemctl --user is-active pertain.service) $("$PROGRAM" service status >/dev/null; echo $?) $(ls "$HOME/.config/systemd/user")"
`

// TestServiceSystemd: a real user manager of systemd starts the service, starts it again
// when it was killed and when its program was replaced, and ends it.
func TestServiceSystemd(t *testing.T) {
	const manager = "/lib/systemd/systemd"
	if _, err := os.Stat(manager); err != nil || os.Geteuid() != 0 || testing.Short() {
		t.Skip("it needs systemd, and root, who may give it a /run of its own")
	}
	for _, name := range []string{"unshare", "systemctl", "dbus-daemon"} {
		if _, err := exec.LookPath(name); err != nil {
			t.Skipf("%s is not installed", name)
		}
	}
	w := newServiceWorld(t)
	data, err := os.ReadFile(w.program)
	if err != nil {
		t.Fatal(err)
	}
	w.write(w.home, "bin/program", string(data))
	own := filepath.Join(w.home, "bin/program") // its name decides that the test binary is the program
	if err := os.Chmod(own, 0o700); err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), "unshare", "-m", "sh", "-c", systemdScript)
	cmd.Dir = w.work
	cmd.Env = []string{
		"HOME=" + w.home, "XDG_RUNTIME_DIR=" + w.runtime, "PATH=" + os.Getenv("PATH"), "PROGRAM=" + own, "SYSTEMD=" + manager, "LANG=C.UTF-8", "GORACE=atexit_sleep_ms=0",
	}
	out, err := cmd.CombinedOutput()
	var ended *exec.ExitError
	if errors.As(err, &ended) && ended.ExitCode() == 77 {
		t.Skipf("no user manager runs here: %s", out)
	}
	const want = "installed active enabled\nkilled active\nreplaced active\nremoved inactive 1 \n"
	if err != nil || strings.TrimSpace(string(out)) != strings.TrimSpace(want) {
		t.Errorf("%v: %s", err, out)
	}
}
