import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The response of a server: its status, the header fields that a source uses, and its body.
struct HTTPResponse: Sendable {
    let status: Int
    let entityTag: String?
    let lastModified: String?
    let location: String?
    let retryAfter: String?
    let date: String?
    /// The expected size of the body in bytes; `nil` if the server does not report it, or compresses the body.
    let expectedByteCount: Int?
    var bytes: [UInt8] = []

    init(_ response: HTTPURLResponse) {
        status = response.statusCode
        entityTag = response.value(forHTTPHeaderField: "ETag")
        lastModified = response.value(forHTTPHeaderField: "Last-Modified")
        location = response.value(forHTTPHeaderField: "Location")
        retryAfter = response.value(forHTTPHeaderField: "Retry-After")
        date = response.value(forHTTPHeaderField: "Date")
        let isCompressed = response.value(forHTTPHeaderField: "Content-Encoding").map { $0 != "identity" } ?? false
        let count = response.expectedContentLength
        expectedByteCount = isCompressed || count < 0 ? nil : Int(clamping: count)
    }
}
