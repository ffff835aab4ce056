package devtools

import (
	"encoding/binary"
	"unsafe"

	"golang.org/x/sys/windows"
)

// Listens tells whether a program, and nobody else, takes what is sent to a
// port of this machine's own address.
func Listens(pid uint32, port int) bool { return soleListener(listenerTable(), pid, port) }

// listenerTable is the system's table of who listens where; nil if it cannot be
// had.
func listenerTable() []byte {
	const addressFamily, listeners = windows.AF_INET, 3 // TCP_TABLE_OWNER_PID_LISTENER
	read := windows.NewLazySystemDLL("iphlpapi.dll").NewProc("GetExtendedTcpTable")
	if read.Find() != nil {
		return nil
	}
	size := uint32(16 << 10)
	for range 4 { // it may grow while it is read
		buffer := make([]byte, size)
		code, _, _ := read.Call(uintptr(unsafe.Pointer(&buffer[0])), uintptr(unsafe.Pointer(&size)), 0, addressFamily, listeners, 0)
		switch {
		case code == 0:
			return buffer
		case code != uintptr(windows.ERROR_INSUFFICIENT_BUFFER):
			return nil
		}
	}
	return nil
}

// soleListener reads a table of rows: state, local address and port, those of
// the other side, and the process.
func soleListener(table []byte, pid uint32, port int) bool {
	const row = 24
	word := binary.LittleEndian.Uint32
	if len(table) < 4 {
		return false
	}
	found := false
	rows := table[4:]
	for range word(table) {
		if len(rows) < row {
			return false
		}
		address, at, owner := rows[4:8], int(binary.BigEndian.Uint16(rows[8:])), word(rows[20:])
		reached := word(address) == 0 || address[0] == 127 && address[1] == 0 && address[2] == 0 && address[3] == 1
		if at == port && reached {
			if owner != pid {
				return false
			}
			found = true
		}
		rows = rows[row:]
	}
	return found
}
