package import DataStoreCore

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension Data: RecordValueConvertible {
    /// The bytes as the data value of a record.
    package var recordValue: Value? { .data(Array(self)) }

    /// Creates the bytes from a data value. Returns `nil` for a value of another kind.
    package init?(recordValue: Value) {
        guard case .data(let bytes) = recordValue else { return nil }
        self.init(bytes)
    }
}
