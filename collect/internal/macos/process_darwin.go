package macos

import (
	"bytes"
	"path/filepath"
	"unsafe"

	"github.com/ebitengine/purego"
	"golang.org/x/sys/unix"

	"github.com/pertain-dev/pertain/collect/internal/process"
)

// What proc_pidinfo gives of a process's folders (sys/proc_info.h).
const (
	vnodePathInfo     = 9    // PROC_PIDVNODEPATHINFO
	vnodePathInfoSize = 2352 // two times the 152 bytes of a vnode_info and a path
	vnodePathOffset   = 152
	maxPath           = 1024
	maxProgramPath    = 4 * maxPath // PROC_PIDPATHINFO_MAXSIZE
)

// Processes is what the kernel tells of programs.
type Processes struct{ infoFn, pathFn uintptr }

// OpenProcesses finds the calls of the kernel; nothing is asked yet.
func OpenProcesses() (*Processes, error) {
	p := &Processes{}
	err := loadSymbols(systemLibrary, []symbol{{"proc_pidinfo", &p.infoFn}, {"proc_pidpath", &p.pathFn}})
	if err != nil {
		return nil, err
	}
	return p, nil
}

// Program is the name of the file that a process runs; "" if it is not known.
func (p *Processes) Program(pid int) string {
	file := p.File(pid)
	if file == "" {
		return ""
	}
	return filepath.Base(file)
}

// File is the file that a process runs; "" if it is not known.
func (p *Processes) File(pid int) string {
	var path [maxProgramPath]byte
	n, _, _ := purego.SyscallN(p.pathFn, uintptr(pid), uintptr(unsafe.Pointer(&path)), maxProgramPath)
	if int32(n) <= 0 || int32(n) > maxProgramPath {
		return ""
	}
	return string(path[:int32(n)])
}

// folder is the working directory of a process; "" if it is not known.
func (p *Processes) folder(pid int) string {
	var info [vnodePathInfoSize]byte
	n, _, _ := purego.SyscallN(p.infoFn, uintptr(pid), vnodePathInfo, 0, uintptr(unsafe.Pointer(&info)), vnodePathInfoSize)
	if int32(n) != vnodePathInfoSize {
		return ""
	}
	path, _, ok := bytes.Cut(info[vnodePathOffset:vnodePathOffset+maxPath], []byte{0})
	if !ok || !filepath.IsAbs(string(path)) {
		return ""
	}
	return string(path)
}

// WorkFolder is the folder that the user of a window works in: of a terminal,
// that of the program in front in the terminal; else the program's own. Of several
// terminals nobody knows here which is in front: "", unless all are in one folder.
func (p *Processes) WorkFolder(pid int) string {
	terminals := process.TerminalsOf(pid, allProcesses())
	if len(terminals) == 0 {
		return p.folder(pid)
	}
	shared := p.folder(terminals[0].Front)
	for _, t := range terminals[1:] {
		if p.folder(t.Front) != shared {
			return ""
		}
	}
	return shared
}

func allProcesses() []process.Listed {
	list, err := unix.SysctlKinfoProcSlice("kern.proc.all")
	if err != nil {
		return nil
	}
	all := make([]process.Listed, 0, len(list))
	for i := range list {
		all = append(all, process.Listed{
			PID:    int(list[i].Proc.P_pid),
			Parent: int(list[i].Eproc.Ppid),
			Group:  int(list[i].Eproc.Pgid),
			TTY:    int(list[i].Eproc.Tdev),
			Front:  int(list[i].Eproc.Tpgid),
		})
	}
	return all
}
