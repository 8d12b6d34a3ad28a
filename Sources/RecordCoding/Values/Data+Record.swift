#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension Data: StoredContent, StoredForm {
    /// The bytes as the data value of a record.
    public var storedValue: Value? { .data(Array(self)) }

    /// Creates the bytes from a data value. Returns `nil` for a value of another kind.
    public init?(storedValue: Value) {
        guard case .data(let bytes) = storedValue else { return nil }
        self.init(bytes)
    }
}
