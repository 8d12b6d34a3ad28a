/// A group of entities with the same value of a field: the value and the number of entities.
public struct FieldGroup: Hashable, Sendable {
    /// The value of the field, or `nil` for the group of entities whose field has no value.
    public let value: Operand?

    /// The number of entities in the group.
    public let count: Int

    /// Creates a group.
    ///
    /// - Parameters:
    ///   - value: The value of the field, or `nil` for the group of entities whose field has no value.
    ///   - count: The number of entities in the group.
    public init(value: Operand?, count: Int) {
        self.value = value
        self.count = count
    }
}
