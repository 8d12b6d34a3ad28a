package import UserProfileDomain

/// A writer that encodes users as bytes, from which a ``ProfileReader`` decodes equal users.
package struct ProfileWriter: Sendable {
    private let format: ProfileFormat

    /// Creates a writer.
    ///
    /// - Parameter format: The format of the bytes.
    package init(_ format: ProfileFormat) { self.format = format }

    /// Appends the line of column names, if the format has one.
    package func begin(_ bytes: inout [UInt8]) {
        guard format == .csv else { return }
        bytes += ProfileField.allCases.map(\.rawValue).joined(separator: ",").utf8
        bytes.append(UInt8(ascii: "\n"))
    }

    /// Appends a user.
    package func append(_ user: User, to bytes: inout [UInt8]) {
        switch format {
        case .jsonLines: ProfileWriter.appendJSON(user, &bytes)
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
        bytes += "{\"id\":".utf8
        JSONText.append(user.id.text, to: &bytes)
        if let address = user.mailAddress {
            bytes += ",\"mailAddress\":".utf8
            JSONText.append(address.text, to: &bytes)
        }
        if let birthday = user.birthday {
            bytes += ",\"birthday\":".utf8
            JSONText.append(birthday.description, to: &bytes)
        }
        bytes.append(UInt8(ascii: "}"))
    }

    // MARK: CSV

    private func appendCSV(_ user: User, _ bytes: inout [UInt8]) {
        appendCSV(user.id.text, &bytes)
        bytes.append(UInt8(ascii: ","))
        appendCSV(user.mailAddress?.text ?? "", &bytes)
        bytes.append(UInt8(ascii: ","))
        appendCSV(user.birthday?.description ?? "", &bytes)
    }

    private func appendCSV(_ text: String, _ bytes: inout [UInt8]) {
        // Of the non-ASCII characters, only a byte order mark needs quotes, because a reader skips one at the start of
        // a file.
        guard text.utf8.contains(where: ProfileWriter.needsQuotes) || text.utf8.first == 0xEF else {
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

    private static func needsQuotes(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: ","), UInt8(ascii: "\""), UInt8(ascii: "\r"), UInt8(ascii: "\n"): true
        default: false
        }
    }
}
