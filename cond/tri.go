package cond

// Tri is a three-valued truth (docs/reference/conditions.md). The zero value is unknown.
type Tri uint8

const (
	Null Tri = iota
	False
	True
)

// triOf makes a settled truth.
func triOf(b bool) Tri {
	if b {
		return True
	}
	return False
}

// String is true, false or null.
func (t Tri) String() string {
	switch t {
	case True:
		return "true"
	case False:
		return "false"
	}
	return "null"
}

// MarshalJSON writes true, false or null.
func (t Tri) MarshalJSON() ([]byte, error) { return []byte(t.String()), nil }

// Not swaps true and false; unknown stays.
func (t Tri) Not() Tri {
	switch t {
	case True:
		return False
	case False:
		return True
	}
	return Null
}

// and and or combine two values; over several, they are the rules of docs/reference/conditions.md.
func (t Tri) and(u Tri) Tri {
	switch {
	case t == False || u == False:
		return False
	case t == True && u == True:
		return True
	}
	return Null
}

func (t Tri) or(u Tri) Tri {
	switch {
	case t == True || u == True:
		return True
	case t == False && u == False:
		return False
	}
	return Null
}
