package macos

import (
	"unicode/utf16"
	"unsafe"

	"github.com/ebitengine/purego"

	"github.com/pertain-dev/pertain/collect/internal/ax"
)

// Numbers of Core Foundation and of the accessibility's values.
const (
	cfUTF8     = 0x08000100 // kCFStringEncodingUTF8
	cfDouble   = 13         // kCFNumberDoubleType
	ValuePoint = 1          // kAXValueCGPointType
	ValueSize  = 2
	ValueRange = 4
)

// coreFoundation is the system's strings, numbers and arrays. AppKit's are the
// same objects.
type coreFoundation struct {
	retainFn, releaseFn, hashFn, equalFn, typeFn               uintptr
	stringType, numberType, booleanType, arrayType             uintptr
	stringCreate, stringLength, stringCharacters               uintptr
	urlType, urlString                                         uintptr
	numberValue, booleanValue                                  uintptr
	arrayCreate, arrayCount, arrayItem, arrayCallbacks, lookup uintptr

	stringID, numberID, booleanID, arrayID, urlID uintptr
}

func (c *coreFoundation) load() error {
	err := loadSymbols(coreFoundationLibrary, []symbol{
		{"CFRetain", &c.retainFn},
		{"CFRelease", &c.releaseFn},
		{"CFHash", &c.hashFn},
		{"CFEqual", &c.equalFn},
		{"CFGetTypeID", &c.typeFn},
		{"CFStringGetTypeID", &c.stringType},
		{"CFNumberGetTypeID", &c.numberType},
		{"CFBooleanGetTypeID", &c.booleanType},
		{"CFArrayGetTypeID", &c.arrayType},
		{"CFURLGetTypeID", &c.urlType},
		{"CFURLGetString", &c.urlString},
		{"CFStringCreateWithBytes", &c.stringCreate},
		{"CFStringGetLength", &c.stringLength},
		{"CFStringGetCharacters", &c.stringCharacters},
		{"CFNumberGetValue", &c.numberValue},
		{"CFBooleanGetValue", &c.booleanValue},
		{"CFArrayCreate", &c.arrayCreate},
		{"CFArrayGetCount", &c.arrayCount},
		{"CFArrayGetValueAtIndex", &c.arrayItem},
		{"CFDictionaryGetValue", &c.lookup},
		{"kCFTypeArrayCallBacks", &c.arrayCallbacks},
	})
	if err != nil {
		return err
	}
	c.stringID, c.numberID = call(c.stringType), call(c.numberType)
	c.booleanID, c.arrayID, c.urlID = call(c.booleanType), call(c.arrayType), call(c.urlType)
	return nil
}

func (c *coreFoundation) Retain(v ax.Ref)      { call(c.retainFn, uintptr(v)) }
func (c *coreFoundation) Release(v ax.Ref)     { call(c.releaseFn, uintptr(v)) }
func (c *coreFoundation) Hash(v ax.Ref) uint64 { return uint64(call(c.hashFn, uintptr(v))) }
func (c *coreFoundation) Equal(a, b ax.Ref) bool {
	return truthOf(call(c.equalFn, uintptr(a), uintptr(b)))
}

// Kind knows what is not of the accessibility.
func (c *coreFoundation) Kind(v ax.Ref) ax.Kind {
	switch call(c.typeFn, uintptr(v)) {
	case c.stringID, c.urlID:
		return ax.KindText
	case c.numberID:
		return ax.KindNumber
	case c.booleanID:
		return ax.KindFlag
	case c.arrayID:
		return ax.KindArray
	}
	return ax.KindNone
}

// createString makes a string, which the caller owns; 0: it failed.
func (c *coreFoundation) createString(text string) ax.Ref {
	bytes := []byte(text)
	if len(bytes) == 0 {
		bytes = []byte{0}
	}
	ref, _, _ := purego.SyscallN(c.stringCreate, 0, uintptr(unsafe.Pointer(&bytes[0])), uintptr(len(text)), cfUTF8, 0)
	return ax.Ref(ref)
}

// createStrings makes an array of strings, which the caller owns.
func (c *coreFoundation) createStrings(texts []ax.Attribute) ax.Ref {
	refs := make([]ax.Ref, 0, len(texts)+1)
	for _, text := range texts {
		refs = append(refs, c.createString(string(text)))
	}
	array, _, _ := purego.SyscallN(c.arrayCreate, 0, uintptr(unsafe.Pointer(unsafe.SliceData(refs))), uintptr(len(refs)), c.arrayCallbacks)
	for _, ref := range refs {
		c.Release(ref) // the array owns them
	}
	return ax.Ref(array)
}

// Text asks for characters and not for bytes: they need no guess of a length.
func (c *coreFoundation) Text(v ax.Ref, units int) string {
	if call(c.typeFn, uintptr(v)) == c.urlID {
		v = ax.Ref(call(c.urlString, uintptr(v))) // the address still owns it
		if v == 0 {
			return ""
		}
	}
	n := min(int(call(c.stringLength, uintptr(v))), units)
	if n <= 0 {
		return ""
	}
	characters := make([]uint16, n)
	purego.SyscallN(c.stringCharacters, uintptr(v), 0, uintptr(n), uintptr(unsafe.Pointer(&characters[0])))
	return string(utf16.Decode(characters))
}

func (c *coreFoundation) Number(v ax.Ref) float64 {
	var value float64
	purego.SyscallN(c.numberValue, uintptr(v), cfDouble, uintptr(unsafe.Pointer(&value)))
	return value
}

func (c *coreFoundation) Flag(v ax.Ref) bool     { return truthOf(call(c.booleanValue, uintptr(v))) }
func (c *coreFoundation) Count(array ax.Ref) int { return int(call(c.arrayCount, uintptr(array))) }

func (c *coreFoundation) Item(array ax.Ref, index int) ax.Ref {
	return ax.Ref(call(c.arrayItem, uintptr(array), uintptr(index)))
}

// field is a value of a dictionary, which still owns it; 0: none.
func (c *coreFoundation) field(dictionary, key ax.Ref) ax.Ref {
	return ax.Ref(call(c.lookup, uintptr(dictionary), uintptr(key)))
}

// texts copies an array of strings.
func (c *coreFoundation) texts(array ax.Ref, units int) []string {
	if array == 0 || c.Kind(array) != ax.KindArray {
		return nil
	}
	var all []string
	for i := range c.Count(array) {
		if item := c.Item(array, i); item != 0 && c.Kind(item) == ax.KindText {
			all = append(all, c.Text(item, units))
		}
	}
	return all
}
