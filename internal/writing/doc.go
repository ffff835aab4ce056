// Package writing is the only place that writes to the real disk, and leaves nothing half written there.
//
// Start with a [Target]: [OwnTarget] for what is the user's own, [NamedTarget] for what was named on a command line. [LockOwn] is for
// files that several processes change, [JSONFile] for those of them that are JSON and [Target.Append] for logs; [PutFolder] makes a
// whole folder, [Scratch] one for this process alone.
package writing
