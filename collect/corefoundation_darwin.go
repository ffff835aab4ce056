package collect

import (
	"unicode/utf16"
	"unsafe"

	"github.com/ebitengine/purego"
)

// Numbers of Core Foundation and of the accessibility's values.
const (
	cfUTF8       = 0x08000100 // kCFStringEncodingUTF8
	cfDouble     = 13         // kCFNumberDoubleType
	axValuePoint = 1          // kAXValueCGPointType
	axValueSize  = 2
	axValueRange = 4
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

func (c *coreFoundation) retain(v axRef)      { call(c.retainFn, uintptr(v)) }
func (c *coreFoundation) release(v axRef)     { call(c.releaseFn, uintptr(v)) }
func (c *coreFoundation) hash(v axRef) uint64 { return uint64(call(c.hashFn, uintptr(v))) }
func (c *coreFoundation) equal(a, b axRef) bool {
	return truthOf(call(c.equalFn, uintptr(a), uintptr(b)))
}

// kind knows what is not of the accessibility.
func (c *coreFoundation) kind(v axRef) axKind {
	switch call(c.typeFn, uintptr(v)) {
	case c.stringID, c.urlID:
		return axText
	case c.numberID:
		return axNumber
	case c.booleanID:
		return axFlag
	case c.arrayID:
		return axArray
	}
	return axNone
}

// createString makes a string, which the caller owns; 0: it failed.
func (c *coreFoundation) createString(text string) axRef {
	bytes := []byte(text)
	if len(bytes) == 0 {
		bytes = []byte{0}
	}
	ref, _, _ := purego.SyscallN(c.stringCreate, 0, uintptr(unsafe.Pointer(&bytes[0])), uintptr(len(text)), cfUTF8, 0)
	return axRef(ref)
}

// createStrings makes an array of strings, which the caller owns.
func (c *coreFoundation) createStrings(texts []axAttribute) axRef {
	refs := make([]axRef, 0, len(texts)+1)
	for _, text := range texts {
		refs = append(refs, c.createString(string(text)))
	}
	array, _, _ := purego.SyscallN(c.arrayCreate, 0, uintptr(unsafe.Pointer(unsafe.SliceData(refs))), uintptr(len(refs)), c.arrayCallbacks)
	for _, ref := range refs {
		c.release(ref) // the array owns them
	}
	return axRef(array)
}

// text asks for characters and not for bytes: they need no guess of a length.
func (c *coreFoundation) text(v axRef, units int) string {
	if call(c.typeFn, uintptr(v)) == c.urlID {
		v = axRef(call(c.urlString, uintptr(v))) // the address still owns it
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

func (c *coreFoundation) number(v axRef) float64 {
	var value float64
	purego.SyscallN(c.numberValue, uintptr(v), cfDouble, uintptr(unsafe.Pointer(&value)))
	return value
}

func (c *coreFoundation) flag(v axRef) bool     { return truthOf(call(c.booleanValue, uintptr(v))) }
func (c *coreFoundation) count(array axRef) int { return int(call(c.arrayCount, uintptr(array))) }

func (c *coreFoundation) item(array axRef, index int) axRef {
	return axRef(call(c.arrayItem, uintptr(array), uintptr(index)))
}

// field is a value of a dictionary, which still owns it; 0: none.
func (c *coreFoundation) field(dictionary, key axRef) axRef {
	return axRef(call(c.lookup, uintptr(dictionary), uintptr(key)))
}

// texts copies an array of strings.
func (c *coreFoundation) texts(array axRef, units int) []string {
	if array == 0 || c.kind(array) != axArray {
		return nil
	}
	var all []string
	for i := range c.count(array) {
		if item := c.item(array, i); item != 0 && c.kind(item) == axText {
			all = append(all, c.text(item, units))
		}
	}
	return all
}
