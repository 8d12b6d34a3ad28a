package import DataStoreCore

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension Data: RecordValueConvertible {
    /// The bytes as data.
    package var recordValue: Value? { .data(Array(self)) }

    /// Creates the bytes of data.
    package init?(recordValue: Value) {
        guard case .data(let bytes) = recordValue else { return nil }
        self.init(bytes)
    }
}
