package facts

import "unicode/utf8"

// fieldBytes is what a number or a boolean counts as, and what an item or a field counts as beside its value.
const fieldBytes = 8

// Shortened is as much of the value as fits into about so many bytes: a beginning of its text, or its first items or
// fields. took is how many of the bytes it takes, cut whether it is less than the value. No more of the value is looked at
// than what is returned, which shares its texts and, where nothing was cut, its items.
func (v Value) Shortened(room int) (short Value, took int, cut bool) {
	if v.IsAbsent() {
		return v, 0, false
	}
	if room <= 0 {
		return Value{}, 0, true
	}
	switch v.Kind() {
	case String:
		if len(v.text) <= room {
			return v, len(v.text), false
		}
		end := room
		for end > 0 && room-end < utf8.UTFMax && !utf8.RuneStart(v.text[end]) {
			end--
		}
		return Text(v.text[:end] + "…"), end, true
	case Number:
		if len(v.text) <= room {
			return v, max(fieldBytes, len(v.text)), false
		}
		return Num(v.number), fieldBytes, true
	case Array:
		return v.shortenedItems(room)
	case Object:
		return v.shortenedFields(room)
	}
	return v, fieldBytes, false
}

func (v Value) shortenedItems(room int) (short Value, took int, cut bool) {
	for i, item := range v.Items() {
		one, size, less := item.Shortened(room - took - fieldBytes)
		if took += fieldBytes + size; !less && took <= room {
			continue
		}
		items := v.Items()[:i:i]
		if less && !one.IsAbsent() {
			items = append(items, one) // another array: the capacity is used up
		}
		return List(items...), min(took, room), true
	}
	return v, took, false
}

func (v Value) shortenedFields(room int) (short Value, took int, cut bool) {
	for i, field := range v.Fields() {
		one, size, less := field.Value.Shortened(room - took - fieldBytes - len(field.Name))
		if took += fieldBytes + len(field.Name) + size; !less && took <= room {
			continue
		}
		fields := v.Fields()[:i:i]
		if less && !one.IsAbsent() {
			fields = append(fields, Field{field.Name, one})
		}
		return Fields(fields...), min(took, room), true
	}
	return v, took, false
}
