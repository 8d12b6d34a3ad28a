// Encodes users as bytes, from which a ``ProfileReader`` decodes equal users.
extension ProfileFormat {
    /// Appends the line of column names, if the format has one.
    package func begin(_ bytes: inout [UInt8]) {
        guard self == .csv else { return }
        bytes += ProfileField.allCases.map(\.rawValue).joined(separator: ",").utf8
        bytes.append(UInt8(ascii: "\n"))
    }

    /// Appends a user.
    package func append(_ user: User, to bytes: inout [UInt8]) {
        switch self {
        case .jsonLines: ProfileFormat.appendJSON(user, &bytes)
        case .csv: appendCSV(user, &bytes)
        }
        bytes.append(UInt8(ascii: "\n"))
    }

    // MARK: JSON

    /// Returns a profile as one line of JSON: the members `id`, `mailAddress` and `birthday`, in this order. A missing
    /// value is omitted.
    package static func json(_ user: User) -> String {
        var bytes: [UInt8] = []
        appendJSON(user, &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func appendJSON(_ user: User, _ bytes: inout [UInt8]) {
        var separator = "{"
        for field in ProfileField.allCases {
            guard let text = field.text(of: user) else { continue }
            bytes += "\(separator)\"\(field.rawValue)\":".utf8
            bytes.append(json: text)
            separator = ","
        }
        bytes.append(UInt8(ascii: "}"))
    }

    // MARK: CSV

    private func appendCSV(_ user: User, _ bytes: inout [UInt8]) {
        for (number, field) in ProfileField.allCases.enumerated() {
            if number > 0 { bytes.append(UInt8(ascii: ",")) }
            appendCSV(field.text(of: user) ?? "", &bytes)
        }
    }

    private func appendCSV(_ text: String, _ bytes: inout [UInt8]) {
        // Of the non-ASCII characters, only a byte order mark needs quotes, because a reader skips one at the start of
        // a file.
        guard text.utf8.contains(where: ProfileFormat.quotedBytes.contains) || text.utf8.first == 0xEF else {
            bytes += text.utf8
            return
        }
        bytes.append(UInt8(ascii: "\""))
        for byte in text.utf8 {
            if byte == UInt8(ascii: "\"") { bytes.append(byte) }
            bytes.append(byte)
        }
        bytes.append(UInt8(ascii: "\""))
    }

    private static let quotedBytes = Array(",\"\r\n".utf8)
}
