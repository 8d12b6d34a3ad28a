/// The response of a server: its status, the header fields that a source uses, and its body.
struct HTTPResponse: Sendable {
    /// The lowercase names of the header fields that a source uses.
    static let fieldNames = ["etag", "last-modified", "location", "retry-after", "date", "content-encoding"]

    let status: Int
    private let fields: [String: String]
    /// The expected size of the body in bytes, or `nil` if the server does not report it or compresses the body.
    let expectedByteCount: Int?
    var bytes: [UInt8] = []

    var entityTag: String? { fields["etag"] }
    var lastModified: String? { fields["last-modified"] }
    var location: String? { fields["location"] }
    var retryAfter: String? { fields["retry-after"] }
    var date: String? { fields["date"] }

    /// Creates a response without a body.
    ///
    /// - Parameters:
    ///   - status: The HTTP status.
    ///   - fields: The header fields, by their names in lowercase.
    ///   - length: The size of the transferred body in bytes, or a negative number if it is unknown.
    init(status: Int, fields: [String: String], length: Int64) {
        self.status = status
        self.fields = fields
        let isCompressed = fields["content-encoding"].map { $0 != "identity" } ?? false
        expectedByteCount = isCompressed || length < 0 ? nil : Int(clamping: length)
    }
}
