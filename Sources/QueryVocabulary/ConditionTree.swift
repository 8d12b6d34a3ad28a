/// A condition on named or resolved fields. Filters of entities and conditions on records are such trees.
///
/// Only rare cases are indirect, so a comparison with one value needs no allocation.
@usableFromInline package enum ConditionTree<Field, Content> {
    /// True if the comparison of the field with the value holds.
    case compare(Field, FilterComparison, Content)
    /// True if the value of the field is one of the given values. False if the array is empty.
    case isIn(Field, [Content])
    /// True if the value of the field is in a closed range. The values are the lower and the upper bound.
    indirect case between(Field, Content, Content)
    /// True if the value of the field is a string that matches.
    case text(Field, TextMatch)
    /// True if the field has a value.
    case exists(Field)
    /// True if a part of the field, e.g. an element of an array, meets a condition on its own fields.
    indirect case any(Field, ConditionTree)
    /// True if all conditions are true, or if the array is empty.
    case and([ConditionTree])
    /// True if at least one condition is true. False if the array is empty.
    case or([ConditionTree])
    /// True if the condition is false.
    indirect case not(ConditionTree)
}

extension ConditionTree: Sendable where Field: Sendable, Content: Sendable {}

extension ConditionTree: Equatable where Field: Equatable, Content: Equatable {}

extension ConditionTree: Hashable where Field: Hashable, Content: Hashable {}
