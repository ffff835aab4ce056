package cli

import (
	"slices"
	"syscall"
)

// pseudoTypes are file systems whose files the kernel makes up when they are read; some of them wait, some never end. The
// numbers are those of linux/magic.h.
var pseudoTypes = []uint32{
	0x9fa0,     // proc
	0x62656572, // sysfs
	0x64626720, // debugfs
	0x74726163, // tracefs
	0x27e0eb,   // cgroup
	0x63677270, // cgroup2
	0xcafe4a11, // bpf
	0x73636673, // securityfs
	0x62656570, // configfs
	0x6165676c, // pstore
	0xde5e81e4, // efivarfs
	0xf97cff8c, // selinuxfs
	0x43415d53, // smackfs
	0x5a3c69f0, // apparmorfs
	0x65735543, // fusectl
	0x19800202, // mqueue
	0x42494e4d, // binfmt_misc
	0x67596969, // rpc_pipefs
	0x6e667364, // nfsd
	0x6e736673, // nsfs
	0x1cd1,     // devpts
	0x958458f6, // hugetlbfs
}

// isPseudo tells whether a folder is in such a file system.
func isPseudo(folder string) bool {
	var st syscall.Statfs_t
	err := untilDone(func() error { return syscall.Statfs(folder, &st) })
	return err == nil && slices.Contains(pseudoTypes, uint32(st.Type))
}
