package x11

import (
	"encoding/binary"
	"os"

	"github.com/jezek/xgb/xproto"
)

// Numbers of the extension that tells which process a client is (X-Resource 1.2), which the
// library does not know.
const (
	queryClientIDs = 4
	clientPID      = 2 // XRES_CLIENT_ID_PID
)

// process is the process whose connection made an id; 0: the server does not tell.
func (x *Conn) process(id uint32) int {
	const name = "X-Resource"
	extension, err := xproto.QueryExtension(x.conn, uint16(len(name)), name).Reply()
	if err != nil || !extension.Present {
		return 0
	}
	request := make([]byte, 16)
	request[0], request[1] = extension.MajorOpcode, queryClientIDs
	binary.LittleEndian.PutUint16(request[2:], uint16(len(request)/4))
	binary.LittleEndian.PutUint32(request[4:], 1) // one id
	binary.LittleEndian.PutUint32(request[8:], id)
	binary.LittleEndian.PutUint32(request[12:], clientPID)
	cookie := x.conn.NewCookie(true, true)
	x.conn.NewRequest(request, cookie)
	reply, err := cookie.Reply()
	if err != nil {
		return 0
	}
	return processIn(reply)
}

// processIn reads the answer: after a header, of each id the client, what is told of it, the
// length of that, and the number itself.
func processIn(reply []byte) int {
	const header, at = 32, 32 + 12
	if len(reply) < at+4 || binary.LittleEndian.Uint32(reply[8:]) == 0 ||
		binary.LittleEndian.Uint32(reply[header+4:]) != clientPID || binary.LittleEndian.Uint32(reply[header+8:]) != 4 {
		return 0
	}
	return int(int32(binary.LittleEndian.Uint32(reply[at:])))
}

// SameProgram tells whether two ids were made by one program: by one client, or by two
// connections of one process, as Alacritty has one for what is selected.
func (x *Conn) SameProgram(a, b uint32) bool {
	if x.SameClient(a, b) {
		return true
	}
	own := x.process(a)
	return own > 0 && own != os.Getpid() && own == x.process(b)
}
