package import DataStoreCore
import UserProfileData

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension URL: RecordValueConvertible {
    /// The URL as a string value, or `nil` if the URL is relative to a base, which the string would lose.
    package var recordValue: Value? {
        guard baseURL == nil, URL(string: absoluteString) == self else { return nil }
        return .string(absoluteString)
    }

    /// Creates the URL from a string value. Returns `nil` if the value is not a valid URL.
    package init?(recordValue: Value) {
        guard let text = recordValue.string else { return nil }
        self.init(string: text)
    }
}
