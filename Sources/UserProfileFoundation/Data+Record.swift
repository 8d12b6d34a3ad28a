public import DataStoreCore
public import Foundation
public import UserProfileData

extension Data: RecordValueConvertible {
    /// The bytes as data.
    public var recordValue: Value? { .data(Array(self)) }

    /// The bytes of data.
    public init?(recordValue: Value) {
        guard case .data(let bytes) = recordValue else { return nil }
        self.init(bytes)
    }
}
