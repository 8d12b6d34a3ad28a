import DataStoreCore
import UserProfileData
public import UserProfileDomain

extension Settings {
    /// Returns a sequence of the value of a field: first the current value, then the new value after each change.
    ///
    /// ```swift
    /// for try await theme in settings.updates(of: .theme) { apply(theme) }
    /// ```
    ///
    /// - Parameter field: The field to observe.
    /// - Returns: The sequence. Its elements are the values that ``subscript(_:)`` returns. Changes to other fields are
    ///   skipped.
    public func updates<Content>(of field: Field<Content>) -> Updates<Content> {
        Updates(returning: { $0.content }) {
            RecordUpdates(store, [.key(record.key)], isSame: Reading.isSame) { _, transaction in
                let value = try record.value(of: field.name, in: transaction)
                return Reading(value: value, content: try record.content(of: field, decoding: value))
            }
        }
    }
}

/// A value of a field, and the content that was decoded from it. If no value is stored or registered, the value is
/// `nil` and the content is the default of the field.
private struct Reading<Content: Sendable>: Sendable {
    let value: Value?
    let content: Content

    /// Returns whether two readings have equal values or, if the type of the content is `Equatable`, equal contents.
    static func isSame(_ first: Reading, _ second: Reading) -> Bool {
        first.value == second.value || isEqual(first.content, second.content)
    }
}
