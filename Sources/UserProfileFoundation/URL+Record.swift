public import DataStoreCore
public import Foundation
public import UserProfileData

extension URL: RecordValueConvertible {
    /// The text of an absolute URL; nil for one that is relative to another, which is kept as both.
    public var recordValue: Value? {
        guard baseURL == nil, URL(string: absoluteString) == self else { return nil }
        return .string(absoluteString)
    }

    /// The URL of a text.
    public init?(recordValue: Value) {
        guard let text = recordValue.string else { return nil }
        self.init(string: text)
    }
}
