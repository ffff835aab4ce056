package clipboard

import (
	"bytes"
	"context"
	"encoding/binary"
	"path/filepath"
	"runtime"
	"slices"
	"time"
	"unsafe"

	"golang.org/x/sys/windows"

	"github.com/pertain-dev/pertain/diag"
	"github.com/pertain-dev/pertain/facts"
)

// Formats of the clipboard.
const (
	formatBitmap  = 2
	formatDIB     = 8
	formatText    = 13 // UTF-16
	formatFiles   = 15
	formatDIBV5   = 17
	maxCopiedText = 16 << 20 // bytes
)

// Read answers needs from the clipboard of Windows.
func Read(ctx context.Context, needs []string) (facts.Part, error) {
	runtime.LockOSThread() // the clipboard belongs to the thread that opened it
	defer runtime.UnlockOSThread()
	if !openClipboard(ctx) {
		return facts.Part{}, &facts.CollectError{Code: diag.ExtraProviderTimeout, Reason: "another program holds the clipboard", Remedy: "try again"}
	}
	defer user32("CloseClipboard")
	var part facts.Part
	for _, need := range needs {
		switch need {
		case "clipboard.hasText":
			part = part.With(need, facts.Flag(hasFormat(formatText)))
		case "clipboard.hasImage":
			part = part.With(need, facts.Flag(slices.ContainsFunc([]uintptr{formatBitmap, formatDIB, formatDIBV5, namedFormat("PNG")}, hasFormat)))
		case "clipboard.text":
			part = part.With(need, copiedText())
		case "clipboard.files":
			part = part.With(need, copiedFiles())
		}
	}
	return part, nil
}

// user32 calls a function of the system's library of windows.
//
//go:uintptrescapes
func user32(name string, args ...uintptr) uintptr {
	got, _, _ := windows.NewLazySystemDLL("user32.dll").NewProc(name).Call(args...)
	return got
}

// openClipboard waits for other programs to let go of it.
func openClipboard(ctx context.Context) bool {
	for {
		if ok := user32("OpenClipboard", 0); ok != 0 {
			return true
		}
		select {
		case <-ctx.Done():
			return false
		case <-time.After(5 * time.Millisecond):
		}
	}
}

func hasFormat(format uintptr) bool {
	ok := user32("IsClipboardFormatAvailable", format)
	return ok != 0
}

// namedFormat is the number of a format that programs agree on by name.
func namedFormat(name string) uintptr {
	text, err := windows.UTF16PtrFromString(name)
	if err != nil {
		return 0
	}
	n := user32("RegisterClipboardFormatW", uintptr(unsafe.Pointer(text)))
	return n
}

// secretFormats are how password managers say that nobody should keep what they
// have copied: by being there, or by a number that is zero.
var secretFormats = []struct {
	name   string
	byZero bool
}{
	{"ExcludeClipboardContentFromMonitorProcessing", false},
	{"Clipboard Viewer Ignore", false},
	{"CanIncludeInClipboardHistory", true},
}

// isSecret tells whether what was copied must not be read.
func isSecret() bool {
	for _, f := range secretFormats {
		format := namedFormat(f.name)
		if format == 0 || !hasFormat(format) {
			continue
		}
		data := copiedBytes(format, 4)
		if !f.byZero || len(data) == 4 && binary.LittleEndian.Uint32(data) == 0 {
			return true
		}
	}
	return false
}

// copiedText is the text; none where there is none, or where it is secret.
func copiedText() facts.Value {
	if !hasFormat(formatText) || isSecret() {
		return facts.Value{}
	}
	data := copiedBytes(formatText, maxCopiedText)
	if data == nil {
		return facts.Value{}
	}
	units := make([]uint16, len(data)/2)
	for i := range units {
		units[i] = binary.LittleEndian.Uint16(data[2*i:])
	}
	return facts.Text(windows.UTF16ToString(units))
}

// copiedBytes is a copy of what the clipboard has in a format, at most limit
// bytes; nil if it has nothing. The clipboard must be open.
func copiedBytes(format, limit uintptr) []byte {
	handle := user32("GetClipboardData", format)
	if handle == 0 {
		return nil
	}
	kernel := windows.NewLazySystemDLL("kernel32.dll")
	size, _, _ := kernel.NewProc("GlobalSize").Call(handle)
	data, _, _ := kernel.NewProc("GlobalLock").Call(handle)
	if data == 0 {
		return nil
	}
	defer kernel.NewProc("GlobalUnlock").Call(handle) //nolint:errcheck // nothing can be done about it
	return bytes.Clone(unsafe.Slice(*(**byte)(unsafe.Pointer(&data)), min(size, limit)))
}

// copiedFiles are the files; the empty list where there are none.
func copiedFiles() facts.Value {
	if !hasFormat(formatFiles) {
		return facts.List()
	}
	handle := user32("GetClipboardData", formatFiles)
	if handle == 0 {
		return facts.List()
	}
	query := windows.NewLazySystemDLL("shell32.dll").NewProc("DragQueryFileW")
	count, _, _ := query.Call(handle, 0xFFFFFFFF, 0, 0)
	var items []facts.Value
	for i := range min(count, 10_000) {
		var path [windows.MAX_LONG_PATH]uint16
		n, _, _ := query.Call(handle, i, uintptr(unsafe.Pointer(&path[0])), uintptr(len(path)))
		if n == 0 {
			continue
		}
		name := windows.UTF16ToString(path[:])
		items = append(items, facts.Fields(
			facts.Field{Name: "path", Value: facts.Text(name)},
			facts.Field{Name: "extension", Value: facts.Text(filepath.Ext(name))},
		))
	}
	return facts.List(items...)
}
