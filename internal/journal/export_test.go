package journal

// SetSize makes a journal smaller, in bytes, for tests of a full one.
func SetSize(j *Journal, size int64) { j.size = size / 2 }
