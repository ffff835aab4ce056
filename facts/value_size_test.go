package facts

import (
	"reflect"
	"testing"
)

// The compiler keeps a struct of up to four words and four fields in registers. A larger Value is copied in memory
// wherever it is handed on, which took a third of the time of a match.
func TestValueStaysInRegisters(t *testing.T) {
	value := reflect.TypeFor[Value]()
	if word := reflect.TypeFor[uintptr]().Size(); value.Size() > 4*word || value.NumField() > 4 {
		t.Errorf("a Value has %d bytes in %d fields, more than four words of %d bytes in four fields", value.Size(), value.NumField(), word)
	}
	if value.Comparable() {
		t.Error("== compiles, and is wrong for arrays and objects")
	}
}
