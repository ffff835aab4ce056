package diag

// Code names a kind of mistake or event. The list is closed: every code has one
// row in the table below, and other programs rely on the names.
type Code string

// All codes; docs/reference/diagnostics.md lists them.
const (
	StrategyInvalidYAML         Code = "strategy.invalid_yaml"
	StrategyInvalidFrom         Code = "strategy.invalid_from"
	StrategyUnknownPreprocessor Code = "strategy.unknown_preprocessor"
	StrategyInvalidID           Code = "strategy.invalid_id"
	StrategyReservedID          Code = "strategy.reserved_id"
	StrategyDuplicateID         Code = "strategy.duplicate_id"
	StrategyInvalidWhen         Code = "strategy.invalid_when"
	StrategyUnknownOperator     Code = "strategy.unknown_operator"
	StrategyInvalidDuration     Code = "strategy.invalid_duration"
	StrategyInvalidTools        Code = "strategy.invalid_tools"
	StrategyInvalidField        Code = "strategy.invalid_field"
	StrategyUnknownField        Code = "strategy.unknown_field"
	StrategyUnsupportedSchema   Code = "strategy.unsupported_schema"
	StrategyMissingName         Code = "strategy.missing_name"
	StrategyMissingFrontmatter  Code = "strategy.missing_frontmatter"
	StrategyInvalidEncoding     Code = "strategy.invalid_encoding"
	StrategyUnknownIcon         Code = "strategy.unknown_icon"
	StrategyTimeout             Code = "strategy.timeout"
	StrategyUntrusted           Code = "strategy.untrusted"
	StrategyTooLarge            Code = "strategy.too_large"

	MatchBudget Code = "match.budget"

	ConditionPathMissing  Code = "condition.path_missing"
	ConditionTypeMismatch Code = "condition.type_mismatch"
	ConditionTimeout      Code = "condition.timeout"
	ConditionUnknownPath  Code = "condition.unknown_path"
	ConditionNever        Code = "condition.never"

	RegexInvalid   Code = "regex.invalid"
	RegexTimeout   Code = "regex.timeout"
	RegexTruncated Code = "regex.truncated"

	ContextUnknownType Code = "context.unknown_type"

	VisualQueryInvalid Code = "visual.query_invalid"
	VisualQueryTimeout Code = "visual.query_timeout"
	VisualUnavailable  Code = "visual.unavailable"

	ExtraProviderUnavailable   Code = "extra.provider_unavailable"
	ExtraProviderTimeout       Code = "extra.provider_timeout"
	ExtraProviderFailed        Code = "extra.provider_failed"
	ExtraPermissionUnavailable Code = "extra.permission_unavailable"

	PreprocessorNotFound              Code = "preprocessor.not_found"
	PreprocessorTimeout               Code = "preprocessor.timeout"
	PreprocessorPermissionUnavailable Code = "preprocessor.permission_unavailable"
	PreprocessorContextMissing        Code = "preprocessor.context_missing"
	PreprocessorFailed                Code = "preprocessor.failed"
	PreprocessorDuplicateVariable     Code = "preprocessor.duplicate_variable"

	TemplateMissingValue Code = "template.missing_value"
	TemplateTooLarge     Code = "template.too_large"

	TemplateUnknownPlaceholder Code = "template.unknown_placeholder"

	SkillInvalid Code = "skill.invalid"

	RuleInvalidYAML           Code = "rule.invalid_yaml"
	RuleInvalidTrigger        Code = "rule.invalid_trigger"
	RuleInvalidField          Code = "rule.invalid_field"
	RuleEmpty                 Code = "rule.empty"
	RuleShadowed              Code = "rule.shadowed"
	RuleUnknownField          Code = "rule.unknown_field"
	RuleWrongKey              Code = "rule.wrong_key"
	RuleDeadGlob              Code = "rule.dead_glob"
	RuleUnreachable           Code = "rule.unreachable"
	RuleConflictingActivation Code = "rule.conflicting_activation"
	RuleTooLarge              Code = "rule.too_large"
	RuleExampleFailed         Code = "rule.example_failed"
	RuleOutsideWorkspace      Code = "rule.outside_workspace"
	RuleDisabled              Code = "rule.disabled"
	RuleUnsupportedField      Code = "rule.unsupported_field"
	RuleNearName              Code = "rule.near_name"
)

// CodeInfo describes one code for people.
type CodeInfo struct {
	Code     Code
	Severity Severity
	Sentence string
}

// codes is the closed list, in the order of the documentation.
var codes = []CodeInfo{
	{StrategyInvalidYAML, Error, "The frontmatter, or a context or test file, is not YAML that can be used: a syntax error, a duplicate key, a missing closing line, or nesting and aliases past the limits."},
	{StrategyMissingFrontmatter, Error, "The file does not begin with a frontmatter block between two lines `---`."},
	{StrategyInvalidEncoding, Error, "The file is not text that can be read: invalid UTF-8 or UTF-16, or a NUL character, or it cannot be read at all. As a warning: it holds characters that no reader can see, or a name that looks like another one."},
	{StrategyUnsupportedSchema, Error, "`schema` names a version of the format that this program does not know."},
	{StrategyInvalidID, Error, "The id is not made of letters, digits, `-` and `_` in segments joined by dots, or none could be derived from the file's path."},
	{StrategyReservedID, Error, "The id begins with a namespace that belongs to another provider, such as `builtin`."},
	{StrategyDuplicateID, Error, "Another file of the same provider has this id already; ids are compared without case."},
	{StrategyMissingName, Error, "Neither the file nor its `from` source gives the strategy a name."},
	{StrategyInvalidFrom, Error, "`from` cannot be followed: it is malformed, not found, outside of the workspace, a URL, or leads to a file that has a `from` itself; or the strategy file is a link that leads to nothing or in a circle, or no regular file."},
	{StrategyInvalidField, Error, "A field has a value of the wrong type; of a context or a test file also: it is not made as such a file is."},
	{StrategyUnknownField, Warning, "The format has no such top-level field; it is ignored."},
	{StrategyInvalidWhen, Error, "The condition is not built as the format says: a wrong structure, an unknown root, or an operand of the wrong kind."},
	{StrategyUnknownOperator, Error, "There is no such operator or composite."},
	{StrategyInvalidDuration, Error, "A time limit is not a positive decimal number followed by `ms` or `s`."},
	{StrategyInvalidTools, Error, "`tools` is not a flat map from tool patterns to true or false."},
	{StrategyUnknownPreprocessor, Error, "No preprocessor of this name is registered."},
	{StrategyUnknownIcon, Warning, "The icon is not a Lucide name; the default icon is shown."},
	{StrategyUntrusted, Warning, "The strategy comes from a workspace that the user has not trusted; it is never recommended or run. Also: what is not used for lack of trust, such as a fleet, keys of a settings file, a workspace of another user, or all workspaces where the trust file cannot be read or its entries have lapsed."},
	{StrategyTimeout, Warning, "Checking the strategy took longer than its `matchingTimeout`; it was skipped."},
	{StrategyTooLarge, Error, "The file has more bytes than a strategy file may have, or the files of its provider have more than are read; it is not loaded."},
	{MatchBudget, Warning, "The whole match took longer than `options.matchBudget`; what was not decided by then is unknown."},

	{ConditionUnknownPath, Warning, "No schema knows this path; the condition can only be unknown."},
	{ConditionNever, Warning, "An operator, or one of its operands, can never hold for values of this path, or always does; told by `lint`."},
	{ConditionPathMissing, Info, "The path has no value in this context; the condition is unknown."},
	{ConditionTypeMismatch, Warning, "The operator cannot be applied to a value of this kind; the condition is false."},
	{ConditionTimeout, Warning, "Checking the condition took longer than its `conditionTimeout`; it is unknown."},

	{RegexInvalid, Error, "The regular expression cannot be compiled."},
	{RegexTimeout, Warning, "The regular expression took longer than its `regexTimeout`; the condition is unknown."},
	{RegexTruncated, Info, "The text is longer than the 1 MiB that a regular expression sees; only its beginning was looked at."},

	{VisualQueryInvalid, Error, "The visual query cannot be parsed, or uses something that the language does not have."},
	{VisualQueryTimeout, Warning, "The visual query took longer than its `visualQueryTimeout`; the condition is unknown."},
	{VisualUnavailable, Info, "No visual tree is available in this context, or a part of it was left out; what visual conditions cannot find there is unknown."},

	{ContextUnknownType, Warning, "An element of the context has no type, or one that is not known; it counts as `Unknown`. From `lint`, in editors and on stderr also: the context has a key that nothing reads, or a value of the wrong kind."},

	{ExtraProviderUnavailable, Info, "Nothing on this machine can collect this part of the context now."},
	{ExtraProviderTimeout, Warning, "Collecting this part of the context took longer than its time limit; it is unknown."},
	{ExtraProviderFailed, Warning, "Collecting this part of the context failed; it is unknown."},
	{ExtraPermissionUnavailable, Warning, "A permission that collecting this part of the context needs is missing; it is unknown."},

	{PreprocessorNotFound, Error, "A strategy names a preprocessor that does not exist."},
	{PreprocessorTimeout, Error, "A preprocessor ran out of time; there is no prompt."},
	{PreprocessorPermissionUnavailable, Error, "A permission that a preprocessor needs is missing; there is no prompt."},
	{PreprocessorContextMissing, Error, "The context lacks what a preprocessor works on; there is no prompt."},
	{PreprocessorFailed, Error, "A preprocessor failed; there is no prompt."},
	{PreprocessorDuplicateVariable, Warning, "Two preprocessors set the same variable; the later one counts."},

	{TemplateMissingValue, Warning, "A placeholder of the prompt has no value in this context and was left empty."},
	{TemplateUnknownPlaceholder, Warning, "Nothing ever fills this placeholder of the prompt: no path, variable of the strategy's preprocessors, or `Argument` has the name; told by `lint`."},
	{TemplateTooLarge, Error, "The prompt, or the system prompt, would have more than 8 MiB, or its placeholders would look at more than 16 million items of lists; there is no prompt."},

	{SkillInvalid, Warning, "The skill cannot be used as it is."},

	{RuleInvalidYAML, Warning, "The frontmatter is not valid YAML, or the block is not made as one: it is never closed, has another first or last line than `---`, blank lines before it or a second block after it; or the file is not valid UTF-8 or UTF-16. What could be read was used."},
	{RuleInvalidTrigger, Warning, "The trigger is not a valid regular expression; the rule works without it. From `lint`: it is valid, and surely means something else, such as `\\z`, or matches nearly every text."},
	{RuleInvalidField, Warning, "A field has a value of the wrong type; that value was dropped or converted."},
	{RuleEmpty, Warning, "There is no rule to be read: the file has no text after its frontmatter; or it cannot be read, or a folder of rules cannot."},
	{RuleShadowed, Warning, "A rule with the same name and higher precedence, or a trigger of the user's own, hides this one. Also: the file says that it was exported from another rule, which counts in its place, but does not hold just the text of that rule, or that rule is gone."},
	{RuleUnknownField, Warning, "The tool that reads this file does not know the field."},
	{RuleWrongKey, Warning, "The field belongs to another tool's format; the right key is named."},
	{RuleDeadGlob, Warning, "The glob matches no file of the repository."},
	{RuleUnreachable, Warning, "Nothing can ever bring this rule to a model: it has no description, glob, trigger or `alwaysApply`."},
	{RuleConflictingActivation, Warning, "Two fields say different things about when the rule applies."},
	{RuleTooLarge, Warning, "The file is larger than its tool reads or recommends, alone or together with others that the tool reads along with it. Also: there is more than is read at all, of one rule file or of all, of the files and folders in a folder of rules, of the folders that rules are looked for in, of a rule's imports, or of the globs of all rules; what is beyond is left out."},
	{RuleOutsideWorkspace, Warning, "A rule, an import, a skill or a strategy of the workspace leads to a place outside of it, or to what looks like a secret, or belongs to another user; it is not read."},
	{RuleDisabled, Info, "The rule is switched off: it is found, and never used."},
	{RuleUnsupportedField, Warning, "A field means something to an agent, and nothing here."},
	{RuleNearName, Warning, "A file or folder has nearly the name of one that agents load, and most of them do not load it."},
	{RuleExampleFailed, Error, "One of the rule's own examples does not do what it says; told by `lint`."},
}

// Codes returns the closed list in its documented order.
func Codes() []CodeInfo { return append([]CodeInfo(nil), codes...) }

// Info returns the code's row; ok is false for a code outside the list.
func (c Code) Info() (info CodeInfo, ok bool) {
	for i := range codes {
		if codes[i].Code == c {
			return codes[i], true
		}
	}
	return CodeInfo{Code: c}, false
}

// Severity is the usual severity of the code.
func (c Code) Severity() Severity {
	info, _ := c.Info()
	return info.Severity
}
