#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension URL: StoredContent, StoredForm {
    /// The URL as a string value, or `nil` if the URL is relative to a base, which the string would lose.
    public var storedValue: Value? {
        guard baseURL == nil, URL(string: absoluteString) == self else { return nil }
        return .string(absoluteString)
    }

    /// Creates the URL from a string value. Returns `nil` if the value is not a valid URL.
    public init?(storedValue: Value) {
        guard let text = storedValue.string else { return nil }
        self.init(string: text)
    }
}
