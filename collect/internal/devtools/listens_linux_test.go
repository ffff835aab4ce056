package devtools

import (
	"net"
	"os"
	"testing"
)

func TestListens(t *testing.T) {
	for _, address := range []string{"127.0.0.1:0", "0.0.0.0:0"} {
		l, err := new(net.ListenConfig).Listen(t.Context(), "tcp", address)
		if err != nil {
			t.Fatal(err)
		}
		port := l.Addr().(*net.TCPAddr).Port
		if !Listens(os.Getpid(), port) {
			t.Errorf("%s: this process listens there", address)
		}
		if Listens(os.Getppid(), port) {
			t.Errorf("%s: another process does not", address)
		}
		_ = l.Close()
		if Listens(os.Getpid(), port) {
			t.Errorf("%s: nobody listens any more", address)
		}
	}
}

func TestListener(t *testing.T) {
	const rest = " 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 4711 1 0000000000000000 100 0 0 10 0"
	for _, tt := range []struct {
		line string
		want bool
	}{
		{"   0: 0100007F:2513" + rest, true},
		{"   0: 00000000:2513" + rest, true},
		{"   0: 00000000000000000000000000000000:2513" + rest, true},
		{"   0: 0000000000000000FFFF00000100007F:2513" + rest, true},
		{"   0: 0100007F:2514" + rest, false},
		{"   0: 0201A8C0:2513" + rest, false}, // another address of the machine
		{"   0: 0100007F:2513 0100007F:C000 01 00000000:00000000 00:00000000 00000000     0        0 4711 1", false},
		{"  sl  local_address rem_address   st", false},
		{"", false},
	} {
		if inode, ok := listener(tt.line, 9491); ok != tt.want || ok && inode != "4711" {
			t.Errorf("%s: %q %v", tt.line, inode, ok)
		}
	}
}
