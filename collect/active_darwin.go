package collect

// programFile is the file that a process runs; "" if it is not known.
func (d *desktop) programFile(pid int) string {
	p, err := d.processes()
	if err != nil {
		return ""
	}
	return p.File(pid)
}
