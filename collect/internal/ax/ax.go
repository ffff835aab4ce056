// Package ax is the accessibility of macOS without macOS: what is made of roles,
// attributes and trees, over the few calls of [System]. It is built everywhere, so
// that it is tested where no Mac is.
//
//	System (package macos) → FrontOf → Front ─┬ Tree         visible elements
//	                                          ├ SelectionOf  selected text
//	                                          └ PageOf       a browser's page
//	Follow → what users change, by looking at it
//
// Use [FrontOf] first.
package ax

import "time"

// Ref is an object of the system's own memory, which counts its owners; 0 is
// none. Who gets one from a call named copy or create owns it and releases it.
type Ref uintptr

// System is the calls of the system that everything else is made of. They
// must be safe for concurrent use.
//
// limit is how long the other application may take to answer; what takes longer
// fails with StatusCannotComplete.
type System interface {
	// createApplication makes the element that stands for a process.
	CreateApplication(pid int) Ref

	// copyAttributes reads the attributes of a list with one message and gives an
	// array with a value for each: null, or an error, where there is none.
	CopyAttributes(element Ref, list List, limit time.Duration) (Ref, Status)

	// copyElements gives an array of at most count values of one attribute that
	// is an array.
	CopyElements(element Ref, attribute Attribute, count int, limit time.Duration) (Ref, Status)

	// copyText gives the first length UTF-16 units of an element's text.
	CopyText(element Ref, length int, limit time.Duration) (Ref, Status)

	// settable tells whether an attribute may be changed by assistive programs.
	Settable(element Ref, attribute Attribute, limit time.Duration) bool

	Kind(value Ref) Kind
	Text(value Ref, units int) string // at most so many UTF-16 units of a text, or of an address
	Number(value Ref) float64         // of a number
	Flag(value Ref) bool              // of a truth value
	Pair(value Ref) (a, b float64)    // x and y of a point, width and height of a size, start and length of a range
	Count(array Ref) int              // of an array
	Item(array Ref, index int) Ref    // of an array, which still owns it
	Hash(element Ref) uint64          // the same for equal elements
	Equal(a, b Ref) bool              // whether two elements are the same
	Retain(value Ref)                 // one owner more
	Release(value Ref)                // one owner less
}

// Kind is what a value is.
type Kind uint8

const (
	KindNone Kind = iota // nothing, an error, or what is of no use here
	KindText
	KindNumber
	KindFlag
	KindPoint
	KindSize
	KindRange
	KindArray
	KindElement
)

// Status is how a call ended (AXError.h).
type Status int32

const (
	StatusSuccess        Status = 0
	StatusInvalidElement Status = -25202 // it has gone
	StatusCannotComplete Status = -25204 // the application does not answer, or has gone
	StatusUnsupported    Status = -25205
	StatusNotImplemented Status = -25208 // the application has no accessibility
	StatusDisabled       Status = -25211 // the user has not allowed it
	StatusNoValue        Status = -25212
)

// Attribute is the name of an attribute (AXAttributeConstants.h).
type Attribute string

const (
	AttributeRole            Attribute = "AXRole"
	AttributeSubrole         Attribute = "AXSubrole"
	AttributeTitle           Attribute = "AXTitle"
	AttributeDescription     Attribute = "AXDescription"
	AttributePlaceholder     Attribute = "AXPlaceholderValue"
	AttributePosition        Attribute = "AXPosition"
	AttributeExtent          Attribute = "AXSize"
	AttributeEnabled         Attribute = "AXEnabled"
	AttributeFocused         Attribute = "AXFocused"
	AttributeSelected        Attribute = "AXSelected"
	AttributeProtected       Attribute = "AXContainsProtectedContent"
	AttributeChildren        Attribute = "AXChildren"
	AttributeVisibleChildren Attribute = "AXVisibleChildren"
	AttributeVisibleRows     Attribute = "AXVisibleRows"
	AttributeHeader          Attribute = "AXHeader"
	AttributeParent          Attribute = "AXParent"
	AttributeValue           Attribute = "AXValue"
	AttributeCharacters      Attribute = "AXNumberOfCharacters"
	AttributeSelectedText    Attribute = "AXSelectedText"
	AttributeSelectedRange   Attribute = "AXSelectedTextRange"
	AttributeSelectedRows    Attribute = "AXSelectedRows"
	AttributeFocusedApp      Attribute = "AXFocusedApplication"
	AttributeFocusedWindow   Attribute = "AXFocusedWindow"
	AttributeMainWindow      Attribute = "AXMainWindow"
	AttributeFocusedElement  Attribute = "AXFocusedUIElement"
	AttributeAddress         Attribute = "AXURL"
)

// List is a fixed list of attributes that are read together.
type List int

const (
	ListOfApplication List = iota
	ListOfWindow           // that is in front
	ListOfElement          // with its children
	ListOfContent          // of an element that scrolls, which may have very many children
	ListOfTable
	ListOfFocus
	ListOfValue
	ListOfCharacters
	ListOfSelection
	ListOfAncestor
	ListOfPage
	Lists // their number
)

// Attributes is the list itself; its order is that of the answers.
func (l List) Attributes() []Attribute {
	switch l {
	case ListOfApplication:
		return []Attribute{AttributeFocusedWindow, AttributeMainWindow, AttributeFocusedElement}
	case ListOfWindow:
		return []Attribute{AttributeRole, AttributeTitle}
	case ListOfElement:
		return append(ListOfContent.Attributes(), AttributeChildren)
	case ListOfContent:
		return []Attribute{
			AttributeRole, AttributeSubrole, AttributeTitle, AttributeDescription, AttributePlaceholder, AttributePosition, AttributeExtent, AttributeEnabled, AttributeFocused, AttributeSelected, AttributeProtected,
		}
	case ListOfTable:
		return []Attribute{AttributeHeader, AttributeVisibleRows}
	case ListOfFocus:
		return []Attribute{AttributeRole, AttributeSubrole, AttributeProtected, AttributeSelectedRange, AttributeCharacters, AttributeSelectedRows}
	case ListOfValue:
		return []Attribute{AttributeValue}
	case ListOfCharacters:
		return []Attribute{AttributeCharacters}
	case ListOfSelection:
		return []Attribute{AttributeSelectedText}
	case ListOfAncestor:
		return []Attribute{AttributeParent}
	case ListOfPage:
		return []Attribute{AttributeAddress, AttributeTitle, AttributeDescription}
	}
	return nil
}
