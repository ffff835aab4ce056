package secret

import "github.com/pertain-dev/pertain/internal/files"

// inGitFolder tells whether a file, by its path without links, lies in a folder of git, whatever that is called: .bare beside its
// worktrees, or what --separate-git-dir named. It is looked for as far up as the ground reaches.
func (g Ground) inGitFolder(real string) bool {
	return g.isInGit(g.Tree.Flavor().Dir(real))
}

// isInGit tells whether a folder, or one around it on the ground, is git's.
func (g Ground) isInGit(dir string) bool {
	return files.Recall(g.Tree, "git\x00"+g.Folder+"\x00"+dir, func() bool {
		flavor := g.Tree.Flavor()
		for ; ; dir = flavor.Dir(dir) {
			if files.Recall(g.Tree, "gitfolder\x00"+dir, func() bool { return isGitFolder(g.Tree, dir) }) {
				return true
			}
			if dir == flavor.Dir(dir) || g.Folder != "" && flavor.Key(dir) == flavor.Key(g.Folder) {
				return false
			}
		}
	})
}

// isGitFolder knows git's folder by what every one has in it, and that of a linked worktree. HEAD may be a link to what is not there.
func isGitFolder(tree files.Tree, dir string) bool {
	has := func(name string, kind files.Kind) bool {
		info, err := tree.Stat(tree.Flavor().Join(dir, name))
		return err == nil && info.Kind == kind
	}
	if has("objects", files.Folder) && has("refs", files.Folder) {
		return has("HEAD", files.File) || has("config", files.File)
	}
	return has("commondir", files.File) && has("HEAD", files.File)
}
