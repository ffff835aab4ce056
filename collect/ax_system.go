package collect

import "time"

// The files named ax are the accessibility of macOS without macOS: what is made
// of roles, attributes and trees, over the few calls of [axSystem]. They are
// built everywhere, so that they are tested where no Mac is.

// axRef is an object of the system's own memory, which counts its owners; 0 is
// none. Who gets one from a call named copy or create owns it and releases it.
type axRef uintptr

// axSystem is the calls of the system that everything else is made of. They
// must be safe for concurrent use.
//
// limit is how long the other application may take to answer; what takes longer
// fails with axCannotComplete.
type axSystem interface {
	// createApplication makes the element that stands for a process.
	createApplication(pid int) axRef

	// copyAttributes reads the attributes of a list with one message and gives an
	// array with a value at each place: null, or an error, where there is none.
	copyAttributes(element axRef, list axList, limit time.Duration) (axRef, axStatus)

	// copyElements gives an array of at most count values of one attribute that
	// is an array.
	copyElements(element axRef, attribute axAttribute, count int, limit time.Duration) (axRef, axStatus)

	// copyText gives the first length UTF-16 units of an element's text.
	copyText(element axRef, length int, limit time.Duration) (axRef, axStatus)

	// settable tells whether an attribute may be changed by assistive programs.
	settable(element axRef, attribute axAttribute, limit time.Duration) bool

	kind(value axRef) axKind
	text(value axRef, units int) string // at most so many UTF-16 units of a text, or of an address
	number(value axRef) float64         // of a number
	flag(value axRef) bool              // of a truth value
	pair(value axRef) (a, b float64)    // x and y of a point, width and height of a size, start and length of a range
	count(array axRef) int              // of an array
	item(array axRef, index int) axRef  // of an array, which still owns it
	hash(element axRef) uint64          // the same for equal elements
	equal(a, b axRef) bool              // whether two elements are the same
	retain(value axRef)                 // one owner more
	release(value axRef)                // one owner less
}

// axKind is what a value is.
type axKind uint8

const (
	axNone axKind = iota // nothing, an error, or what is of no use here
	axText
	axNumber
	axFlag
	axPoint
	axSize
	axRange
	axArray
	axElementKind
)

// axStatus is how a call ended (AXError.h).
type axStatus int32

const (
	axSuccess        axStatus = 0
	axInvalidElement axStatus = -25202 // it has gone
	axCannotComplete axStatus = -25204 // the application does not answer, or has gone
	axUnsupported    axStatus = -25205
	axNotImplemented axStatus = -25208 // the application has no accessibility
	axDisabled       axStatus = -25211 // the user has not allowed it
	axNoValue        axStatus = -25212
)

// axAttribute is the name of an attribute (AXAttributeConstants.h).
type axAttribute string

const (
	axRole            axAttribute = "AXRole"
	axSubrole         axAttribute = "AXSubrole"
	axTitle           axAttribute = "AXTitle"
	axDescription     axAttribute = "AXDescription"
	axPlaceholder     axAttribute = "AXPlaceholderValue"
	axPosition        axAttribute = "AXPosition"
	axExtent          axAttribute = "AXSize"
	axEnabled         axAttribute = "AXEnabled"
	axFocused         axAttribute = "AXFocused"
	axSelected        axAttribute = "AXSelected"
	axProtected       axAttribute = "AXContainsProtectedContent"
	axChildren        axAttribute = "AXChildren"
	axVisibleChildren axAttribute = "AXVisibleChildren"
	axVisibleRows     axAttribute = "AXVisibleRows"
	axHeader          axAttribute = "AXHeader"
	axParent          axAttribute = "AXParent"
	axValueOf         axAttribute = "AXValue"
	axCharacters      axAttribute = "AXNumberOfCharacters"
	axSelectedText    axAttribute = "AXSelectedText"
	axSelectedRange   axAttribute = "AXSelectedTextRange"
	axSelectedRows    axAttribute = "AXSelectedRows"
	axFocusedApp      axAttribute = "AXFocusedApplication"
	axFocusedWindow   axAttribute = "AXFocusedWindow"
	axMainWindow      axAttribute = "AXMainWindow"
	axFocusedElement  axAttribute = "AXFocusedUIElement"
	axAddress         axAttribute = "AXURL"
)

// axList is a fixed list of attributes that are read together.
type axList int

const (
	axOfApplication axList = iota
	axOfWindow             // that is in front
	axOfElement            // with its children
	axOfContent            // of an element that scrolls, which may have very many children
	axOfTable
	axOfFocus
	axOfValue
	axOfCharacters
	axOfSelection
	axOfAncestor
	axOfPage
	axLists // their number
)

// attributes is the list itself; its order is that of the answers.
func (l axList) attributes() []axAttribute {
	switch l {
	case axOfApplication:
		return []axAttribute{axFocusedWindow, axMainWindow, axFocusedElement}
	case axOfWindow:
		return []axAttribute{axRole, axTitle}
	case axOfElement:
		return append(axOfContent.attributes(), axChildren)
	case axOfContent:
		return []axAttribute{
			axRole, axSubrole, axTitle, axDescription, axPlaceholder, axPosition, axExtent, axEnabled, axFocused, axSelected, axProtected,
		}
	case axOfTable:
		return []axAttribute{axHeader, axVisibleRows}
	case axOfFocus:
		return []axAttribute{axRole, axSubrole, axProtected, axSelectedRange, axCharacters, axSelectedRows}
	case axOfValue:
		return []axAttribute{axValueOf}
	case axOfCharacters:
		return []axAttribute{axCharacters}
	case axOfSelection:
		return []axAttribute{axSelectedText}
	case axOfAncestor:
		return []axAttribute{axParent}
	case axOfPage:
		return []axAttribute{axAddress, axTitle, axDescription}
	}
	return nil
}
