package atspi

import "testing"

func TestBusesOfOtherMachinesAreRefused(t *testing.T) {
	for _, address := range []string{"tcp:host=127.0.0.1,port=1", "unixexec:path=/bin/true", "autolaunch:", "", "nonce-tcp:host=h,port=1;tcp:host=h,port=2"} {
		if conn, err := DialBus(t.Context(), address); err == nil {
			_ = conn.Close()
			t.Errorf("%s was dialled", address)
		}
	}
}
