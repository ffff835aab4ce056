package identity

import (
	"io/fs"
	"strconv"

	"golang.org/x/sys/windows"
)

// Of tells what is at a path, which may be no link: the volume's serial number, the file's index in it, the owner's
// security identifier, and when it was made.
func Of(path string) (Identity, error) {
	name, err := windows.UTF16PtrFromString(path)
	if err != nil {
		return Identity{}, failed(path, err)
	}
	handle, err := windows.CreateFile(name, windows.READ_CONTROL, windows.FILE_SHARE_READ|windows.FILE_SHARE_WRITE|windows.FILE_SHARE_DELETE, nil,
		windows.OPEN_EXISTING, windows.FILE_FLAG_BACKUP_SEMANTICS|windows.FILE_FLAG_OPEN_REPARSE_POINT, 0)
	if err != nil {
		return Identity{}, failed(path, err)
	}
	defer func() { _ = windows.CloseHandle(handle) }()
	var info windows.ByHandleFileInformation
	if err := windows.GetFileInformationByHandle(handle, &info); err != nil {
		return Identity{}, failed(path, err)
	}
	security, err := windows.GetSecurityInfo(handle, windows.SE_FILE_OBJECT, windows.OWNER_SECURITY_INFORMATION)
	if err != nil {
		return Identity{}, failed(path, err)
	}
	owner, _, err := security.Owner()
	if err != nil {
		return Identity{}, failed(path, err)
	}
	index := uint64(info.FileIndexHigh)<<32 | uint64(info.FileIndexLow)
	id := Identity{Device: strconv.FormatUint(uint64(info.VolumeSerialNumber), 16), Inode: strconv.FormatUint(index, 10), Owner: owner.String()}
	if made := info.CreationTime; made != (windows.Filetime{}) {
		id.Birth = strconv.FormatUint(uint64(made.HighDateTime)<<32|uint64(made.LowDateTime), 10)
	}
	return id, nil
}

// Own tells whether it is this user's, or of a group that this user acts for, as Administrators own what they make.
func (id Identity) Own() bool {
	owner, err := windows.StringToSid(id.Owner)
	if err != nil {
		return false
	}
	member, err := windows.Token(0).IsMember(owner)
	return err == nil && member
}

func failed(path string, err error) error {
	return &fs.PathError{Op: "stat", Path: path, Err: err}
}
