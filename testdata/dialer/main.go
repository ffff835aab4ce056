// Dialer asks the kernel for a network connection. It is the positive control of the test that
// proves that Pertain asks for none.
package main

import (
	"fmt"
	"net"
	"time"
)

func main() {
	// Port 9 of the machine itself: whether anybody answers does not matter.
	connection, err := net.DialTimeout("tcp4", "127.0.0.1:9", time.Second)
	fmt.Println("dialed:", err)
	if err == nil {
		connection.Close()
	}
}
