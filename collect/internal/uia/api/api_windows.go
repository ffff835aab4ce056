// Package api is the numbers of UI Automation (UIAutomationClient.idl): classes,
// interfaces, where methods stand in their tables, properties and patterns.
package api

import "github.com/go-ole/go-ole"

// Classes and interfaces of UI Automation (UIAutomationClient.h). They are
// constants of Windows; nobody writes to them.
var (
	ClassAutomation8 = ole.NewGUID("{E22AD333-B25F-460C-83D0-0581107395C9}") // CUIAutomation8: with time limits
	ClassAutomation  = ole.NewGUID("{FF48DBA4-60EF-4201-AA87-54103EEF594E}") // CUIAutomation
	IIDAutomation    = ole.NewGUID("{30CBE57D-D9D0-452A-AB13-7AC5AC4825EE}") // IUIAutomation
	IIDAutomation2   = ole.NewGUID("{34723AFF-0C9D-49D0-9896-7AB52DF8CD8A}") // IUIAutomation2
	IIDTextPattern   = ole.NewGUID("{32EBA289-3583-42C9-9C59-3B6D9A1E9B6A}") // IUIAutomationTextPattern
	IIDValuePattern  = ole.NewGUID("{A94CD8B1-0844-4CD6-9D2D-640537AB39E9}") // IUIAutomationValuePattern
)

// Places of methods in their tables: the order of UIAutomationClient.idl, after
// the three of IUnknown. A wrong number crashes, so the tests hold each against
// the whole list of its interface.
const (
	// IUIAutomation
	SlotElementFromHandleBuildCache = 10
	SlotFocusedElementBuildCache    = 12
	SlotControlViewWalker           = 14
	SlotControlViewCondition        = 18
	SlotCreateCacheRequest          = 20
	SlotCreatePropertyCondition     = 23
	SlotCreateAndCondition          = 25

	// IUIAutomation2
	SlotPutAutoSetFocus       = 59
	SlotPutConnectionTimeout  = 61
	SlotPutTransactionTimeout = 63

	// IUIAutomationCacheRequest
	SlotAddProperty  = 3
	SlotPutTreeScope = 7

	// IUIAutomationElement
	SlotFindFirstBuildCache     = 7
	SlotFindAllBuildCache       = 8
	SlotGetCurrentPropertyValue = 10
	SlotGetCachedPropertyValue  = 12
	SlotGetCurrentPatternAs     = 14
	SlotGetCachedChildren       = 19

	// IUIAutomationElementArray, IUIAutomationTextRangeArray
	SlotArrayLength     = 3
	SlotArrayGetElement = 4

	// IUIAutomationTreeWalker
	SlotGetParentElementBuildCache = 9

	// IUIAutomationTextPattern
	SlotTextGetSelection  = 5
	SlotTextDocumentRange = 7

	// IUIAutomationTextRange
	SlotRangeGetText = 12

	// IUIAutomationValuePattern
	SlotCurrentValue = 4
)

// Scope is how far a request or a search goes (enum TreeScope).
type Scope uintptr

const (
	ScopeElement     Scope = 1
	ScopeChildren    Scope = 2
	ScopeDescendants Scope = 4
	ScopeSubtree     Scope = 7
)

// Property is the number of a property (UIA_…PropertyId).
type Property uintptr

const (
	PropertyRuntimeID      Property = 30000
	PropertyBounds         Property = 30001
	PropertyProcessID      Property = 30002
	PropertyControlType    Property = 30003
	PropertyName           Property = 30005
	PropertyHasFocus       Property = 30008
	PropertyIsEnabled      Property = 30010
	PropertyAutomationID   Property = 30011
	PropertyClassName      Property = 30012
	PropertyIsPassword     Property = 30019
	PropertyIsOffscreen    Property = 30022
	PropertyHasTextPattern Property = 30040
	PropertyHasValue       Property = 30043
	PropertyValue          Property = 30045
	PropertyValueReadOnly  Property = 30046
	PropertyIsSelected     Property = 30079
)

// Numbers of control patterns (UIA_…PatternId).
const (
	PatternValue = 10002
	PatternText  = 10014
)
