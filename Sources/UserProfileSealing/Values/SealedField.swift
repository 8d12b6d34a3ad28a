#if Sealing
package import DataStoreCore

/// A field whose values are sealed.
package struct SealedField: Sendable {
    /// The permanent id of the field, which does not depend on its name. It is part of each sealed value.
    package let id: [UInt8]

    /// A closure that returns the comparable form of a value, or `nil` if the field is opaque. Values with equal
    /// comparable forms are found together, e.g. spellings of one mail address.
    let comparableForm: (@Sendable (Value) -> Value)?

    /// Returns a field of which only the presence is visible.
    ///
    /// - Throws: `DataStoreError` with the code `corrupted` if the id does not have 16 bytes.
    package static func opaque(id: [UInt8]) throws(DataStoreError) -> SealedField {
        try SealedField(id: id, comparableForm: nil)
    }

    /// Returns a field of which the equality of values is visible, too, so that indexes find values.
    ///
    /// - Throws: `DataStoreError` with the code `corrupted` if the id does not have 16 bytes.
    package static func searchable(
        id: [UInt8], comparableForm: @escaping @Sendable (Value) -> Value = { $0 }
    ) throws(DataStoreError) -> SealedField {
        try SealedField(id: id, comparableForm: comparableForm)
    }

    private init(id: [UInt8], comparableForm: (@Sendable (Value) -> Value)?) throws(DataStoreError) {
        guard id.count == SealedValue.fieldIDByteCount else {
            throw DataStoreError(.corrupted, "the id of a sealed field is damaged; restore a backup")
        }
        self.id = id
        self.comparableForm = comparableForm
    }

    /// Returns a new id.
    package static func randomID() -> [UInt8] {
        var generator = SystemRandomNumberGenerator()
        return (0..<SealedValue.fieldIDByteCount).map { _ in generator.next() }
    }
}
#endif
