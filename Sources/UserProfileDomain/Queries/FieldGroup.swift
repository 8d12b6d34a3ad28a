/// The number of entities with one value of a field.
public struct FieldGroup: Hashable, Sendable {
    /// The value, or `nil` for the entities without one.
    public let value: Operand?

    /// The number of entities.
    public let count: Int

    /// Creates a group.
    ///
    /// - Parameters:
    ///   - value: The value, or `nil` for the entities without one.
    ///   - count: The number of entities.
    public init(value: Operand?, count: Int) {
        self.value = value
        self.count = count
    }
}
