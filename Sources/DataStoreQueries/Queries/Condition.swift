package import DataStoreCore
@_exported public import QueryVocabulary

/// A condition that a query evaluates for each record. ``RecordQuery`` defines the meaning of each comparison.
///
/// ```swift
/// let condition = Condition.and([
///     .text(QueryField("mailAddress"), TextMatch(.begins, "vision@")),
///     .between(QueryField("birthday"), .string("1990-01-01"), .string("1999-12-31")),
/// ])
/// ```
///
/// A field can have several values; a comparison then holds if it holds for one of them, and `any` if one of them is a
/// record that meets the whole condition. Operands are values and are never parsed, so no character must be escaped.
package typealias Condition = ConditionTree<QueryField, Value>
