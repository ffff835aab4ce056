package files

import (
	"errors"
	"io/fs"
	"os"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"github.com/pertain-dev/pertain/internal/systemcall"
)

// heldLinux is a descriptor that only names a file (O_PATH): to hold it opens nothing.
type heldLinux struct {
	fd   int
	path string // as it was given
	real string
	info Info
	st   unix.Stat_t

	pseudo bool // what the kernel makes up may be read
}

// maxOpens is how often something that was replaced while it was opened is opened again.
const maxOpens = 64

// openWithin opens a path once and asks the kernel where that led. Whoever changes links meanwhile changes what is opened, but not
// the answer.
func openWithin(path string, bounds Bounds) (Opened, error) {
	h, err := untilStill(path, func() (*heldLinux, error) { return hold(path, bounds.pseudo) })
	if errors.Is(err, errNoProc) {
		return openByRoot(path, bounds)
	}
	return h.within(bounds, err)
}

// untilStill opens something again that was replaced while it was opened.
func untilStill(path string, open func() (*heldLinux, error)) (*heldLinux, error) {
	for range maxOpens {
		if h, err := open(); !errors.Is(err, errReplaced) {
			return h, err
		}
	}
	return nil, pathError("open", path, fs.ErrNotExist)
}

// within refuses what was opened, unless it lies within bounds.
func (h *heldLinux) within(bounds Bounds, err error) (Opened, error) {
	if err != nil {
		return nil, err
	}
	if !bounds.Hold(Unix, h.real) {
		h.Close()
		return nil, &OutsideError{Path: h.path}
	}
	return h, nil
}

var (
	errNoProc   = errors.New("/proc is not there to ask")
	errReplaced = errors.New("it was replaced while it was opened")

	errWouldWait = errors.New("its text is not there yet, and reading it would wait")
)

func hold(path string, pseudo bool) (*heldLinux, error) {
	h := &heldLinux{fd: -1, path: path, pseudo: pseudo}
	if err := checkWay(path); err != nil {
		return nil, err
	}
	isLink, err := h.open(unix.AT_FDCWD, path, unix.O_NOFOLLOW)
	if err == nil && isLink {
		h.Close()
		if err = checkLink(path); err == nil {
			_, err = h.open(unix.AT_FDCWD, path, 0)
		}
	}
	if err != nil {
		return nil, err
	}
	return h.asked()
}

// asked is what was opened once it is known what and where it is; else that is closed.
func (h *heldLinux) asked() (*heldLinux, error) {
	if err := h.ask(); err != nil {
		h.Close()
		return nil, err
	}
	return h, nil
}

// open opens a name from a folder on, and tells whether that is a link.
func (h *heldLinux) open(folder int, name string, flags int) (isLink bool, err error) {
	err = systemcall.Retry(func() (err error) {
		h.fd, err = unix.Openat(folder, name, unix.O_PATH|unix.O_CLOEXEC|flags, 0)
		return err
	})
	if err != nil {
		return false, pathError("open", h.path, err)
	}
	if err := h.look(); err != nil {
		h.Close()
		return false, err
	}
	return h.st.Mode&unix.S_IFMT == unix.S_IFLNK, nil
}

// look finds out how what was opened is now.
func (h *heldLinux) look() error {
	if err := systemcall.Retry(func() error { return unix.Fstat(h.fd, &h.st) }); err != nil {
		return pathError("open", h.path, err)
	}
	return nil
}

// ask finds out what was opened, and where it is. What has lost its name until the kernel tells that is told by another one, with
// " (deleted)" after it; only a look afterwards shows that the name was still its own.
func (h *heldLinux) ask() error {
	real, err := readlink(h.proc())
	switch {
	case errors.Is(err, syscall.ENOENT):
		return errNoProc
	case err != nil: // a path that is too long has no answer: nobody knows where it is
		return pathError("open", h.path, err)
	}
	if err := h.look(); err != nil {
		return err
	}
	st := &h.st
	if st.Nlink == 0 {
		return errReplaced
	}
	if h.real = real; !strings.HasPrefix(real, "/") {
		return &OutsideError{Path: h.path} // not in a file system that this process sees
	}
	h.info = Info{Kind: modeKind(st.Mode), ModTime: time.Unix(st.Mtim.Unix())}
	ownBy(&h.info, st.Uid, st.Gid, st.Mode)
	if h.info.Kind == File {
		h.info.Size = st.Size
		if !h.pseudo && unix.Major(st.Dev) == 0 && isPseudo(h.fd) { // those are on no device
			h.info.Kind = Special
		}
	}
	return nil
}

// readlink is what a link says, of whatever length.
func readlink(path string) (string, error) {
	for size := 256; ; size *= 4 {
		buffer := make([]byte, size)
		var n int
		err := systemcall.Retry(func() (err error) {
			n, err = unix.Readlink(path, buffer)
			return err
		})
		if err != nil || n < size {
			return string(buffer[:max(n, 0)]), err
		}
	}
}

func (h *heldLinux) proc() string { return "/proc/self/fd/" + strconv.Itoa(h.fd) }

func (h *heldLinux) Real() string { return h.real }
func (h *heldLinux) Info() Info   { return h.info }
func (h *heldLinux) Close()       { _ = unix.Close(h.fd) }

func (h *heldLinux) Read(limit int64) (data []byte, err error) {
	if err := checkRegular(h.path, h.info.Kind, h.info.Size, limit); err != nil {
		return nil, err
	}
	err = h.reading(func(read func([]byte) (int, error)) (err error) {
		data, err = readAll(h.path, h.info.Size, limit, read)
		return err
	})
	return data, err
}

func (h *heldLinux) Append(buffer []byte, most int64) (data []byte, err error) {
	if err := checkRegular(h.path, h.info.Kind, 0, 0); err != nil {
		return nil, err
	}
	err = h.reading(func(read func([]byte) (int, error)) (err error) {
		data, err = appendUpTo(h.path, buffer, h.info.Size, most, read)
		return err
	})
	return data, err
}

// reading opens the file for as long as it is read. It speaks to the system directly: an os.File would wait in the poller for
// what comes out of files such as /proc/kmsg.
func (h *heldLinux) reading(do func(read func([]byte) (int, error)) error) error {
	fd := -1
	err := systemcall.Retry(func() (err error) {
		fd, err = unix.Open(h.proc(), unix.O_RDONLY|unix.O_NONBLOCK|unix.O_NOCTTY|unix.O_CLOEXEC, 0)
		return err
	})
	if err != nil {
		return pathError("open", h.path, err)
	}
	defer func() { _ = unix.Close(fd) }()
	return do(func(b []byte) (n int, err error) {
		err = systemcall.Retry(func() (err error) {
			n, err = unix.Read(fd, b)
			return err
		})
		if errors.Is(err, unix.EAGAIN) {
			err = errWouldWait
		}
		return max(n, 0), err
	})
}

func (h *heldLinux) List() ([]Entry, error) {
	if h.info.Kind != Folder {
		return nil, pathError("readdir", h.path, errNotFolder)
	}
	fd := -1
	err := systemcall.Retry(func() (err error) {
		fd, err = unix.Open(h.proc(), unix.O_RDONLY|unix.O_DIRECTORY|unix.O_CLOEXEC, 0)
		return err
	})
	if err != nil {
		return nil, pathError("open", h.path, err)
	}
	f := os.NewFile(uintptr(fd), h.real)
	defer f.Close()
	list, err := f.ReadDir(-1)
	if err != nil {
		return nil, err
	}
	slices.SortFunc(list, func(a, b fs.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
	return entries(list), nil
}

func (h *heldLinux) Link(name string, bounds Bounds) (Opened, error) {
	path := Unix.Join(h.path, name)
	to, err := untilStill(path, func() (*heldLinux, error) { return h.follow(path, name, bounds.pseudo) })
	return to.within(bounds, err)
}

// follow opens what a link in the folder leads to.
func (h *heldLinux) follow(path, name string, pseudo bool) (*heldLinux, error) {
	to := &heldLinux{fd: -1, path: path, pseudo: pseudo}
	isLink, err := to.open(h.fd, name, unix.O_NOFOLLOW)
	if err != nil {
		return nil, err
	}
	to.Close()
	if !isLink {
		return nil, &OutsideError{Path: path}
	}
	if err := checkLink(path); err != nil {
		return nil, err
	}
	if _, err := to.open(h.fd, name, 0); err != nil {
		return nil, err
	}
	return to.asked()
}

func realPath(path string) (string, error) {
	o, err := openWithin(path, Anywhere())
	if err != nil {
		return "", err
	}
	defer o.Close()
	return o.Real(), nil
}

// pseudoTypes are file systems whose files the kernel makes up when they are read; some of them wait, some never end. The
// numbers are those of linux/magic.h.
var pseudoTypes = []uint32{
	unix.PROC_SUPER_MAGIC, unix.SYSFS_MAGIC, unix.DEBUGFS_MAGIC, unix.TRACEFS_MAGIC, unix.CGROUP_SUPER_MAGIC,
	unix.CGROUP2_SUPER_MAGIC, unix.BPF_FS_MAGIC, unix.SECURITYFS_MAGIC, 0x62656570 /* configfs */, unix.PSTOREFS_MAGIC,
	unix.EFIVARFS_MAGIC, unix.SELINUX_MAGIC, unix.SMACK_MAGIC, 0x5a3c69f0 /* apparmorfs */, 0x65735543, /* fusectl */
	0x19800202 /* mqueue */, unix.BINFMTFS_MAGIC, 0x67596969 /* rpc_pipefs */, 0x6e667364 /* nfsd */, unix.NSFS_MAGIC,
	unix.DEVPTS_SUPER_MAGIC, unix.HUGETLBFS_MAGIC,
}

func isPseudo(fd int) bool {
	var st unix.Statfs_t
	err := systemcall.Retry(func() error { return unix.Fstatfs(fd, &st) })
	return err != nil || slices.Contains(pseudoTypes, uint32(st.Type)) //nolint:gosec // a magic number of 32 bits
}

// Pseudo tells whether a folder of the real disk is in a file system whose files the kernel makes up when they are read.
func Pseudo(folder string) bool {
	var st unix.Statfs_t
	err := systemcall.Retry(func() error { return unix.Statfs(folder, &st) })
	return err == nil && slices.Contains(pseudoTypes, uint32(st.Type)) //nolint:gosec // as above
}
