package collect

import "github.com/pertain-dev/pertain/facts"

// Standard is the table of this machine's collectors, in the order in which
// they are asked: of several that serve one part of the context, the one with
// the surest answer comes first.
//
// It is the one place where collectors are wired. Each is a file of its own,
// named after the system and the program or interface it reads, such as
// linux_atspi.go or windows_explorer.go, and exists on its system alone. The
// table has no row yet, so only what the caller gives is known, and every need
// is answered with extra.provider_unavailable.
func Standard() []facts.Collector {
	return nil
}
