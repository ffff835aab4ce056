package process

import (
	"errors"
	"path/filepath"
	"slices"
	"strings"
	"unsafe"

	"golang.org/x/sys/windows"
)

// Name is the name of a process's program without .exe.
func Name(pid uint32) string {
	path := File(pid)
	if path == "" {
		return ""
	}
	return BareName(path)
}

// File is the file of a process's program; "" if it is not known.
func File(pid uint32) string {
	process, err := windows.OpenProcess(windows.PROCESS_QUERY_LIMITED_INFORMATION, false, pid)
	if err != nil {
		return ""
	}
	defer windows.CloseHandle(process) //nolint:errcheck // it was only asked
	var path [windows.MAX_LONG_PATH]uint16
	size := uint32(len(path))
	if windows.QueryFullProcessImageName(process, 0, &path[0], &size) != nil {
		return ""
	}
	return windows.UTF16ToString(path[:size])
}

// BareName is the name of a program's file without .exe.
func BareName(path string) string {
	name := filepath.Base(path)
	if strings.EqualFold(filepath.Ext(name), ".exe") {
		return name[:len(name)-len(".exe")]
	}
	return name
}

// Higher tells whether a process has more rights than this one, so that Windows
// keeps the two apart. One that does not even say is taken for such.
func Higher(pid uint32) bool {
	own, err := integrity(windows.GetCurrentProcessToken())
	if err != nil {
		return false
	}
	process, err := windows.OpenProcess(windows.PROCESS_QUERY_LIMITED_INFORMATION, false, pid)
	if err != nil {
		return errors.Is(err, windows.ERROR_ACCESS_DENIED)
	}
	defer windows.CloseHandle(process) //nolint:errcheck // it was only asked
	var token windows.Token
	if err := windows.OpenProcessToken(process, windows.TOKEN_QUERY, &token); err != nil {
		return errors.Is(err, windows.ERROR_ACCESS_DENIED)
	}
	defer token.Close() //nolint:errcheck // it was only asked
	theirs, err := integrity(token)
	return err == nil && theirs > own
}

// integrity is the level of a token: 0x2000 for users' programs, 0x3000 for
// those that run as administrator.
func integrity(token windows.Token) (uint32, error) {
	var buffer [256]byte
	var size uint32
	if err := windows.GetTokenInformation(token, windows.TokenIntegrityLevel, &buffer[0], uint32(len(buffer)), &size); err != nil {
		return 0, err
	}
	label := (*windows.Tokenmandatorylabel)(unsafe.Pointer(&buffer[0]))
	sid := label.Label.Sid
	if sid == nil || sid.SubAuthorityCount() == 0 {
		return 0, errors.New("the token has no level")
	}
	return sid.SubAuthority(uint32(sid.SubAuthorityCount()) - 1), nil
}

// Arguments are the command line of a process; nil if it cannot be read.
func Arguments(pid uint32) []string {
	var block windows.RTL_USER_PROCESS_PARAMETERS
	args, err := windows.DecomposeCommandLine(parameter(pid, unsafe.Offsetof(block.CommandLine)))
	if err != nil {
		return nil
	}
	return args
}

// dirOf is the working directory of a process; empty if it cannot be read.
func dirOf(pid uint32) string {
	var block windows.RTL_USER_PROCESS_PARAMETERS
	dir := parameter(pid, unsafe.Offsetof(block.CurrentDirectory)+unsafe.Offsetof(block.CurrentDirectory.DosPath))
	if dir == "" {
		return ""
	}
	return filepath.Clean(dir)
}

// parameter is a text that a process was started with or has set since; empty if
// it cannot be read. Windows has no call for these: they stand in the process's
// own memory, in the block that winternl.h describes (PEB), at an offset in its
// parameters.
func parameter(pid uint32, offset uintptr) string {
	process, err := windows.OpenProcess(windows.PROCESS_QUERY_INFORMATION|windows.PROCESS_VM_READ, false, pid)
	if err != nil {
		return ""
	}
	defer windows.CloseHandle(process) //nolint:errcheck // it was only asked
	var narrow bool
	if windows.IsWow64Process(process, &narrow) != nil || narrow {
		return "" // a 32-bit program keeps them elsewhere
	}
	var basic windows.PROCESS_BASIC_INFORMATION
	if windows.NtQueryInformationProcess(process, windows.ProcessBasicInformation, unsafe.Pointer(&basic), uint32(unsafe.Sizeof(basic)), nil) != nil || basic.PebBaseAddress == nil {
		return ""
	}
	at := uintptr(unsafe.Pointer(basic.PebBaseAddress)) + unsafe.Offsetof(basic.PebBaseAddress.ProcessParameters)
	var parameters uintptr
	if !peek(process, at, unsafe.Pointer(&parameters), unsafe.Sizeof(parameters)) || parameters == 0 {
		return ""
	}
	var text struct { // a windows.NTUnicodeString whose buffer is in the other process
		length, capacity uint16
		buffer           uintptr
	}
	if !peek(process, parameters+offset, unsafe.Pointer(&text), unsafe.Sizeof(text)) || text.length < 2 || text.buffer == 0 {
		return ""
	}
	units := make([]uint16, text.length/2)
	if !peek(process, text.buffer, unsafe.Pointer(&units[0]), uintptr(len(units)*2)) {
		return ""
	}
	return windows.UTF16ToString(units)
}

// peek reads memory of another process.
func peek(process windows.Handle, at uintptr, to unsafe.Pointer, size uintptr) bool {
	var read uintptr
	return windows.ReadProcessMemory(process, at, (*byte)(to), size, &read) == nil && read == size
}

// terminals are programs whose windows show what other programs do.
var terminals = []string{"windowsterminal", "wezterm-gui", "alacritty", "conemu64", "conemu", "mintty", "hyper", "tabby", "kitty"}

// consoleClass is the window of a console without a terminal program. Windows
// says that it belongs to the shell in it.
const consoleClass = "ConsoleWindowClass"

// hidesDir are shells that keep a folder of their own and leave the process's
// directory where it was.
var hidesDir = []string{"powershell", "pwsh"}

// Dir is the folder that the user of a window works in: in a terminal
// that of the program started last in it. Which of several tabs is in front, the system
// does not know: "", unless all are in one folder. owner, program and class are what the window belongs to and is.
func Dir(owner uint32, program, class string) string {
	shell := class == consoleClass
	if !shell && !oneOf(terminals, program) {
		return dirOf(owner)
	}
	if shell {
		return shellDir(owner, program)
	}
	shared := "" // "": the shells are not below this terminal
	for at, child := range children(owner) {
		dir := shellDir(child.pid, child.name)
		if dir == "" || at > 0 && dir != shared {
			return ""
		}
		shared = dir
	}
	return shared
}

// shellDir is the folder of the program started last below a shell, or else of the shell.
func shellDir(shell uint32, called string) string {
	pid, name := latest(shell)
	if name == "" {
		name = called
	}
	if oneOf(hidesDir, name) {
		return ""
	}
	return dirOf(pid)
}

// hosts are programs of the system between a terminal and its shells.
var hosts = []string{"conhost", "openconsole"}

// children are the processes that one has started and that show themselves in it.
func children(pid uint32) []listed {
	since := began(pid)
	return slices.DeleteFunc(processes(), func(p listed) bool {
		return p.parent != pid || p.pid == pid || oneOf(hosts, p.name) || began(p.pid) < since
	})
}

func oneOf(names []string, name string) bool {
	for _, n := range names {
		if strings.EqualFold(n, name) {
			return true
		}
	}
	return false
}

// latest is the process that was started last below another, child by child, and
// its name; the process itself if it has started none.
func latest(pid uint32) (found uint32, name string) {
	all := processes()
	found = pid
	for range len(all) { // the numbers of parents may be those of others by now
		at, since := -1, began(found)
		for i := range all {
			if all[i].parent != found || all[i].pid == found || oneOf(hosts, all[i].name) {
				continue
			}
			if b := began(all[i].pid); b >= since && b > 0 {
				at, since = i, b
			}
		}
		if at < 0 {
			return found, name
		}
		found, name = all[at].pid, all[at].name
	}
	return found, name
}

// listed is one of the system's.
type listed struct {
	pid, parent uint32
	name        string
}

func processes() []listed {
	snapshot, err := windows.CreateToolhelp32Snapshot(windows.TH32CS_SNAPPROCESS, 0)
	if err != nil {
		return nil
	}
	defer windows.CloseHandle(snapshot) //nolint:errcheck // it was only asked
	var all []listed
	entry := windows.ProcessEntry32{Size: uint32(unsafe.Sizeof(windows.ProcessEntry32{}))}
	for err = windows.Process32First(snapshot, &entry); err == nil; err = windows.Process32Next(snapshot, &entry) {
		all = append(all, listed{entry.ProcessID, entry.ParentProcessID, BareName(windows.UTF16ToString(entry.ExeFile[:]))})
	}
	return all
}

// began is when a process was started, in nanoseconds; 0 if it cannot be told.
func began(pid uint32) int64 {
	process, err := windows.OpenProcess(windows.PROCESS_QUERY_LIMITED_INFORMATION, false, pid)
	if err != nil {
		return 0
	}
	defer windows.CloseHandle(process) //nolint:errcheck // it was only asked
	var created, ended, kernel, user windows.Filetime
	if windows.GetProcessTimes(process, &created, &ended, &kernel, &user) != nil {
		return 0
	}
	return created.Nanoseconds()
}
