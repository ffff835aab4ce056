// Package journal keeps what rules did: which call a rule denied, which answer it interrupted, what was given to a model, and
// whether that was heeded. It holds names, paths and times, never text of the user, the model or a file.
//
// Start with [At], or with [Kept] where the settings decide whether there is one; [Journal.Add] writes, [Journal.Heed] says later what became of an entry, [Journal.Entries] reads.
//
// A journal is a file of lines that are only ever appended, so that many processes write to it at once, and one that is killed
// leaves at most a part of its own last line, which readers pass over.
package journal
