#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// An HTTP GET request.
struct HTTPRequest: Sendable {
    let url: URL

    /// The URL of the request as text.
    var address: String { url.absoluteString }

    /// The header fields of the request.
    private(set) var fields: [(name: String, value: String)] = []

    init(url: URL) { self.url = url }

    /// Adds a header field. A value with control characters, e.g. from an edited store, is omitted, because a line
    /// break in it could add other header fields.
    mutating func add(_ name: String, _ value: String?) {
        guard let value, value.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) else { return }
        fields.append((name, value))
    }
}
