package facts

import (
	"bytes"
	"encoding/json"
)

// MarshalJSON writes the value as JSON; fields keep their order.
func (v Value) MarshalJSON() ([]byte, error) {
	switch v.Kind() {
	case String:
		return json.Marshal(v.text)
	case Number:
		if v.text != "" {
			return []byte(v.text), nil
		}
		return json.Marshal(v.number)
	case Bool:
		return json.Marshal(v.Bool())
	case Array:
		if v.Items() == nil {
			return []byte("[]"), nil
		}
		return json.Marshal(v.Items())
	case Object:
		var b bytes.Buffer
		b.WriteByte('{')
		for i, f := range v.Fields() {
			if i > 0 {
				b.WriteByte(',')
			}
			name, _ := json.Marshal(f.Name)
			value, err := json.Marshal(f.Value)
			if err != nil {
				return nil, err
			}
			b.Write(name)
			b.WriteByte(':')
			b.Write(value)
		}
		b.WriteByte('}')
		return b.Bytes(), nil
	}
	return []byte("null"), nil
}
