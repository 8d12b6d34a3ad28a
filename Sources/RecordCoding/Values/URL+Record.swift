package import DataStoreCore
import UserProfileData

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension URL: RecordValueConvertible {
    /// The text of the URL, or `nil` if the URL has a base, which the text would lose.
    package var recordValue: Value? {
        guard baseURL == nil, URL(string: absoluteString) == self else { return nil }
        return .string(absoluteString)
    }

    /// Creates the URL from its text.
    package init?(recordValue: Value) {
        guard let text = recordValue.string else { return nil }
        self.init(string: text)
    }
}
