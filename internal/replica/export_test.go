package replica

// Running tells whether somebody carries.
func Running(v *Values) bool { return v.running.Load() }
