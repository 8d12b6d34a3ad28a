#if Sealing
import Crypto
import DataStoreCore

// The text of a key, in which files, environment variables and commands give it: a line with a mark, the number, the
// bytes as 64 hexadecimal digits and, if there is one, the label, separated by single spaces.
extension SealingKey {
    private static let mark = "userprofile-key-1"

    /// The maximum number of bytes of a text with keys.
    static let maximumTextByteCount = 1 << 16

    /// The text of the key, with its secret bytes. It ends with a line feed.
    var text: String {
        // The buffer is read before the call returns.
        let digits = unsafe material.withUnsafeBytes { bytes in
            unsafe bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        }
        return "\(SealingKey.mark) \(number) \(digits)" + (label.isEmpty ? "\n" : " \(label)\n")
    }

    /// Returns the key with a number from a text with keys, one in each line. Empty lines, and lines that begin with
    /// `#`, are ignored.
    ///
    /// - Parameters:
    ///   - number: The number of the key, or `nil` for the key in the last line.
    ///   - bytes: The text as UTF-8.
    ///   - origin: Where the text is from, for errors, e.g. `the file /etc/key`.
    /// - Returns: The key, or `nil` if the text has none with this number.
    /// - Throws: `DataStoreError` with the code `wrongSealingKey` if a line is not a key, or two have the same number.
    static func find(
        _ number: UInt32?, inText bytes: [UInt8], of origin: String
    ) throws(DataStoreError) -> SealingKey? {
        guard bytes.count <= maximumTextByteCount else {
            throw .wrongSealingKey("\(origin) has more than \(maximumTextByteCount) bytes, so it is not a sealing key")
        }
        var found: [UInt32: SealingKey] = [:]
        var last: SealingKey?
        for (index, line) in bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).enumerated() {
            var line = line
            while let end = line.last, end == UInt8(ascii: "\r") || end == UInt8(ascii: " ") { line.removeLast() }
            if line.isEmpty || line.first == UInt8(ascii: "#") { continue }
            // An error must not quote the line, because it may be a key with a mistake in it.
            guard let key = try SealingKey(line: line) else {
                throw .wrongSealingKey(
                    "line \(index + 1) of \(origin) is not a sealing key (\(mark), a number, 64 hexadecimal digits)")
            }
            guard found.updateValue(key, forKey: key.number) == nil else {
                throw .wrongSealingKey("\(origin) has two sealing keys with the number \(key.number)")
            }
            last = key
        }
        return number.map { found[$0] } ?? last
    }

    /// Creates a key from a line of a text, or returns `nil` if the line is not a key.
    private init?(line: ArraySlice<UInt8>) throws(DataStoreError) {
        guard let text = String(validating: line, as: UTF8.self) else { return nil }
        let words = text.split(separator: " ", maxSplits: 3, omittingEmptySubsequences: false)
        guard words.count >= 3, words[0] == SealingKey.mark, let number = UInt32(words[1]), "\(number)" == words[1],
            let bytes = SealingKey.bytes(ofHexadecimal: words[2].utf8)
        else { return nil }
        let label = words.count > 3 ? String(words[3]) : ""
        guard bytes.count == SealingKey.byteCount, SealingKey.isValid(label: label) else { return nil }
        try self.init(number: number, label: label, bytes: bytes)
    }

    private static func bytes(ofHexadecimal digits: Substring.UTF8View) -> [UInt8]? {
        let values = digits.compactMap { digit in
            digit < 0x80 ? Character(Unicode.Scalar(digit)).hexDigitValue.map { UInt8($0) } : nil
        }
        guard values.count == digits.count, values.count.isMultiple(of: 2) else { return nil }
        return stride(from: 0, to: values.count, by: 2).map { values[$0] << 4 | values[$0 + 1] }
    }
}
#endif
