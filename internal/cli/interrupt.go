package cli

import (
	"os"
	"os/signal"
	"sync/atomic"
	"syscall"
	"time"
)

// grace is how long a command that was interrupted may take to end by itself,
// unless it has asked for more.
const grace = 300 * time.Millisecond

// ending ends the process on Ctrl-C, SIGTERM, and SIGHUP, unless that is ignored
// (nohup), so that a terminal is left as it was: first by cancelling what runs,
// then, if that waits for something that never comes, by force. A second signal
// kills at once.
type ending struct {
	cancel func()
	done   chan struct{}
	signal atomic.Int32 // number of the signal that came; 0: none
	grace  atomic.Int64 // nanoseconds; 0: the usual
	hear   atomic.Pointer[func(os.Signal)]
}

// hand lets another, such as a program that has the terminal, hear the signals, and
// this one none; nil: as ever.
func (e *ending) hand(to func(os.Signal)) {
	if to == nil {
		e.hear.Store(nil)
		return
	}
	e.hear.Store(&to)
}

// grant lets the command have more time to end, such as a server for the
// requests under way.
func (e *ending) grant(d time.Duration) { e.grace.Store(max(int64(d), e.grace.Load())) }

// listen begins to watch for signals.
func (e *ending) listen() {
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	if !signal.Ignored(syscall.SIGHUP) {
		signal.Notify(signals, syscall.SIGHUP)
	}
	go e.watch(signals)
}

func (e *ending) watch(signals chan os.Signal) {
	for ended := false; !ended; {
		select {
		case <-e.done:
			return
		case s := <-signals:
			if to := e.hear.Load(); to != nil {
				(*to)(s)
				continue
			}
			signal.Stop(signals)
			number, _ := s.(syscall.Signal)
			e.signal.Store(int32(number))
			e.cancel()
			ended = true
		}
	}
	began := time.Now()
	for {
		left := e.allowed() - time.Since(began) // more may have been granted meanwhile
		if left <= 0 {
			os.Exit(128 + int(e.signal.Load()))
		}
		select {
		case <-e.done:
			return
		case <-time.After(left):
		}
	}
}

// allowed is how long ending may take.
func (e *ending) allowed() time.Duration {
	if asked := time.Duration(e.grace.Load()); asked > 0 {
		return asked
	}
	return grace
}

// code is the exit code of the process: that of the call, or of the signal that
// cut it short.
func (e *ending) code(call int) int {
	close(e.done)
	if number := e.signal.Load(); number != 0 && call == exitInterrupted {
		return 128 + int(number)
	}
	return call
}
