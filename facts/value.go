package facts

import "slices"

// Kind is what a value is.
type Kind uint8

const (
	Absent Kind = iota
	String
	Number
	Bool
	Array
	Object
)

// String names the kind with its article, as messages want it.
func (k Kind) String() string {
	switch k {
	case String:
		return "a string"
	case Number:
		return "a number"
	case Bool:
		return "a boolean"
	case Array:
		return "an array"
	case Object:
		return "an object"
	default:
		return "nothing"
	}
}

// Value is one immutable value of the context. The zero Value is absent.
//
// It has four words, which is what the compiler keeps in registers: matching hands values on at every predicate.
type Value struct {
	_      [0]func() // arrays and objects are compared by Equal alone
	form   *form     // nil: absent
	number float64   // of a number; of a boolean 0 or 1
	text   string    // of a string; of a number its digits, where they say more than the float64; of what is absent perhaps why
}

// form is the kind of a value, and what arrays and objects hold.
type form struct {
	kind   Kind
	items  []Value
	fields []Field
}

// The forms of values that hold no others; they are never changed.
var (
	stringForm = &form{kind: String}
	numberForm = &form{kind: Number}
	boolForm   = &form{kind: Bool}
)

// Field is one named value of an object.
type Field struct {
	Name  string
	Value Value
}

// Text makes a string value.
func Text(s string) Value { return Value{form: stringForm, text: s} }

// Num makes a number value. There is only one zero: -0 is 0.
func Num(n float64) Value {
	if n == 0 {
		n = 0
	}
	return Value{form: numberForm, number: n}
}

// Flag makes a boolean value.
func Flag(b bool) Value {
	v := Value{form: boolForm}
	if b {
		v.number = 1
	}
	return v
}

// List makes an array value; the items are not copied.
func List(items ...Value) Value { return Value{form: &form{kind: Array, items: items}} }

// Texts makes an array of strings.
func Texts(items ...string) Value {
	values := make([]Value, len(items))
	for i, s := range items {
		values[i] = Text(s)
	}
	return List(values...)
}

// Fields makes an object value; the fields are not copied, their order is kept.
func Fields(fields ...Field) Value { return Value{form: &form{kind: Object, fields: fields}} }

// Kind says what the value is.
func (v Value) Kind() Kind {
	if v.form == nil {
		return Absent
	}
	return v.form.kind
}

// IsAbsent is true for the zero Value.
func (v Value) IsAbsent() bool { return v.form == nil }

// Reason says why a value is absent although one was written, which cannot be
// used; never what was written.
func (v Value) Reason() string {
	if v.form != nil {
		return ""
	}
	return v.text
}

// Text is the text of a string value.
func (v Value) Text() string {
	if v.form != stringForm {
		return ""
	}
	return v.text
}

// Number is the number of a number value, or the float64 next to it.
func (v Value) Number() float64 { return v.number }

// Bool is the truth of a boolean value.
func (v Value) Bool() bool { return v.form == boolForm && v.number != 0 }

// Items are the items of an array value; they must not be changed.
func (v Value) Items() []Value {
	if v.form == nil {
		return nil
	}
	return v.form.items
}

// Fields are the fields of an object value in order; they must not be changed.
func (v Value) Fields() []Field {
	if v.form == nil {
		return nil
	}
	return v.form.fields
}

// Field returns a field of an object value, or the absent Value.
func (v Value) Field(name string) Value {
	for _, f := range v.Fields() {
		if f.Name == name {
			return f.Value
		}
	}
	return Value{}
}

// Equal compares kind and content.
func (v Value) Equal(w Value) bool {
	if v.Kind() != w.Kind() || v.text != w.text || v.number != w.number {
		return false
	}
	return slices.EqualFunc(v.Items(), w.Items(), Value.Equal) &&
		slices.EqualFunc(v.Fields(), w.Fields(), func(a, b Field) bool { return a.Name == b.Name && a.Value.Equal(b.Value) })
}

// with returns the object with one field set, for building nested values.
func (v Value) with(name string, field Value) Value {
	fields := slices.Clone(v.Fields())
	for i := range fields {
		if fields[i].Name == name {
			fields[i].Value = field
			return Fields(fields...)
		}
	}
	return Fields(append(fields, Field{name, field})...)
}
