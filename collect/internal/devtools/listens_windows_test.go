package devtools

import (
	"encoding/binary"
	"net"
	"os"
	"testing"
)

// TestListens: the system's table names who listens at a port. Wine does not
// know who: there it is process 0.
func TestListens(t *testing.T) {
	l, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	port, pid := l.Addr().(*net.TCPAddr).Port, uint32(os.Getpid())
	if !Listens(pid, port) && !Listens(0, port) {
		t.Error("this process listens there")
	}
	if Listens(pid+1, port) {
		t.Error("another process does not")
	}
}

func TestSoleListener(t *testing.T) {
	row := func(address uint32, port uint16, pid uint32) []byte {
		b := binary.LittleEndian.AppendUint32(nil, 2) // listening
		b = binary.BigEndian.AppendUint32(b, address)
		b = append(binary.BigEndian.AppendUint16(b, port), 0, 0)
		return binary.LittleEndian.AppendUint32(append(b, make([]byte, 8)...), pid)
	}
	const own, any, other = 0x7F000001, 0, 0xC0A80102
	for name, tt := range map[string]struct {
		rows [][]byte
		want bool
	}{
		"its own":               {[][]byte{row(own, 1, 8), row(own, 9222, 7)}, true},
		"any address":           {[][]byte{row(any, 9222, 7)}, true},
		"another's":             {[][]byte{row(own, 9222, 8)}, false},
		"both":                  {[][]byte{row(any, 9222, 7), row(own, 9222, 8)}, false},
		"at another address":    {[][]byte{row(other, 9222, 7)}, false},
		"another's elsewhere":   {[][]byte{row(other, 9222, 8), row(own, 9222, 7)}, true},
		"nobody":                {nil, false},
		"a table that is short": {[][]byte{{1, 2, 3}}, false},
	} {
		table := binary.LittleEndian.AppendUint32(nil, uint32(len(tt.rows)))
		for _, r := range tt.rows {
			table = append(table, r...)
		}
		if got := soleListener(table, 7, 9222); got != tt.want {
			t.Errorf("%s: %v", name, got)
		}
	}
	if soleListener(nil, 7, 9222) {
		t.Error("no table")
	}
}
