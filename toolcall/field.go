package toolcall

import "strings"

// role is what an argument of a call is.
type role uint8

const (
	ignored     role = iota
	pathRole         // the file
	contentRole      // the new side: what is written or put in
	oldRole          // what is replaced: it never counts
	patchRole        // a patch
	commandRole      // a command, or a list of its words
	textRole         // a text of a tool that is not known
	folderRole       // where a command is run
	queryRole        // what is looked for
	codeRole         // a script that calls other tools
)

// Names of arguments, without case, underscores and dashes.
var (
	pathNames = names("filepath filepaths path paths rename targetfile notebookpath file filename absolutepath relativepath relativeworkspacepath targetpath targetnotebook pathinproject destination destinationpath uri fspath")
	// contentNames are new sides.
	contentNames = names("content contents filetext filecontent newcontent text newstring newstr newtext newsource newcode codeedit code codecontent replacement replace replacewith replacementcontent inserttext insertion body out")
	oldNames     = names("pat oldstring oldstr oldtext oldsource oldcontent oldcode search searchstring searchtext find original originaltext targetcontent before needle")
	patchNames   = names("patch patchtext diff input unifieddiff command cmd patchcontent")
	commandNames = names("command cmd commandline script commands chars input") // the last two are typed
	queryNames   = names("query queries q pattern patterns regex search searchterm searchquery keyword keywords term terms find needle glob url urls uri prompt")
	remarkNames  = names("description explanation instruction instructions reason title summary")
	folderNames  = names("workdir workingdir workingdirectory cwd dirpath directory dir")
)

func names(list string) map[string]bool {
	all := map[string]bool{}
	for _, name := range strings.Fields(list) {
		all[name] = true
	}
	return all
}

// roleOf is what an argument of a tool that does something is. Its name is that of
// the nearest object around it: the words of a command stand in a list.
func roleOf(kind Kind, name string) role {
	name = Plain(name)
	switch {
	case kind == Other:
		return otherRole(name)
	case kind == Shell && commandNames[name]:
		return commandRole
	case kind == Shell && folderNames[name]:
		return folderRole
	case kind == Patch && patchNames[name]:
		return patchRole
	case pathNames[name]:
		return pathRole
	case oldNames[name]:
		return oldRole
	case (kind == Write || kind == Edit || kind == Patch) && contentNames[name]:
		return contentRole
	case kind == Edit && (name == "diff" || name == "patch" || name == "input"):
		return patchRole
	}
	return ignored
}

// servedRole is what an argument of a tool is that a server brings. Its name may be
// that of a tool of an agent's own, which is known; what else it takes is not, so
// that everything counts but what it looks for and what a model remarks.
func servedRole(kind Kind, looks bool, name string) role {
	out, plain := roleOf(kind, name), Plain(name)
	switch {
	case looks && queryNames[plain]:
		return queryRole
	case out == ignored && !remarkNames[plain]:
		return textRole
	}
	return out
}

// otherRole is for tools that are not known: everything counts, but for what says
// of itself that it goes away.
func otherRole(name string) role {
	switch {
	case oldNames[name] && name != "search" && name != "find" && name != "before" && name != "original":
		return oldRole
	case pathNames[name]:
		return pathRole
	}
	return textRole
}
