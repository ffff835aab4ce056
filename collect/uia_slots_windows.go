package collect

import "github.com/go-ole/go-ole"

// Classes and interfaces of UI Automation (UIAutomationClient.h). They are
// constants of Windows; nobody writes to them.
var (
	classAutomation8 = ole.NewGUID("{E22AD333-B25F-460C-83D0-0581107395C9}") // CUIAutomation8: with time limits
	classAutomation  = ole.NewGUID("{FF48DBA4-60EF-4201-AA87-54103EEF594E}") // CUIAutomation
	iidAutomation    = ole.NewGUID("{30CBE57D-D9D0-452A-AB13-7AC5AC4825EE}") // IUIAutomation
	iidAutomation2   = ole.NewGUID("{34723AFF-0C9D-49D0-9896-7AB52DF8CD8A}") // IUIAutomation2
	iidTextPattern   = ole.NewGUID("{32EBA289-3583-42C9-9C59-3B6D9A1E9B6A}") // IUIAutomationTextPattern
	iidValuePattern  = ole.NewGUID("{A94CD8B1-0844-4CD6-9D2D-640537AB39E9}") // IUIAutomationValuePattern
)

// Places of methods in their tables: the order of UIAutomationClient.idl, after
// the three of IUnknown. A wrong number crashes, so the tests hold each against
// the whole list of its interface.
const (
	// IUIAutomation
	slotElementFromHandleBuildCache = 10
	slotFocusedElementBuildCache    = 12
	slotControlViewWalker           = 14
	slotControlViewCondition        = 18
	slotCreateCacheRequest          = 20
	slotCreatePropertyCondition     = 23
	slotCreateAndCondition          = 25

	// IUIAutomation2
	slotPutAutoSetFocus       = 59
	slotPutConnectionTimeout  = 61
	slotPutTransactionTimeout = 63

	// IUIAutomationCacheRequest
	slotAddProperty  = 3
	slotPutTreeScope = 7

	// IUIAutomationElement
	slotFindFirstBuildCache     = 7
	slotFindAllBuildCache       = 8
	slotGetCurrentPropertyValue = 10
	slotGetCachedPropertyValue  = 12
	slotGetCurrentPatternAs     = 14
	slotGetCachedChildren       = 19

	// IUIAutomationElementArray, IUIAutomationTextRangeArray
	slotArrayLength     = 3
	slotArrayGetElement = 4

	// IUIAutomationTreeWalker
	slotGetParentElementBuildCache = 9

	// IUIAutomationTextPattern
	slotTextGetSelection  = 5
	slotTextDocumentRange = 7

	// IUIAutomationTextRange
	slotRangeGetText = 12

	// IUIAutomationValuePattern
	slotCurrentValue = 4
)

// scope is how far a request or a search goes (enum TreeScope).
type scope uintptr

const (
	scopeElement     scope = 1
	scopeChildren    scope = 2
	scopeDescendants scope = 4
	scopeSubtree     scope = 7
)

// property is the number of a property (UIA_…PropertyId).
type property uintptr

const (
	propertyRuntimeID      property = 30000
	propertyBounds         property = 30001
	propertyProcessID      property = 30002
	propertyControlType    property = 30003
	propertyName           property = 30005
	propertyHasFocus       property = 30008
	propertyIsEnabled      property = 30010
	propertyAutomationID   property = 30011
	propertyClassName      property = 30012
	propertyIsPassword     property = 30019
	propertyIsOffscreen    property = 30022
	propertyHasTextPattern property = 30040
	propertyHasValue       property = 30043
	propertyValue          property = 30045
	propertyValueReadOnly  property = 30046
	propertyIsSelected     property = 30079
)

// Numbers of control patterns (UIA_…PatternId).
const (
	patternValue = 10002
	patternText  = 10014
)
