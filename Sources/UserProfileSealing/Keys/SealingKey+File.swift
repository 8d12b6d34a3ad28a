#if Sealing
import Crypto
import DataStoreSystem

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
        var keys: [SealingKey] = []
        for (index, line) in bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).enumerated() {
            var line = line
            while let end = line.last, end == UInt8(ascii: "\r") || end == UInt8(ascii: " ") { line.removeLast() }
            if line.isEmpty || line.first == UInt8(ascii: "#") { continue }
            // An error must not quote the line, because it may be a key with a mistake in it.
            guard let key = try SealingKey(line: line) else {
                throw .wrongSealingKey(
                    "line \(index + 1) of \(origin) is not a sealing key (\(mark), a number, 64 hexadecimal digits)")
            }
            guard !keys.contains(where: { $0.number == key.number }) else {
                throw .wrongSealingKey("\(origin) has two sealing keys with the number \(key.number)")
            }
            keys.append(key)
        }
        return number == nil ? keys.last : keys.first { $0.number == number }
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

extension SealingKey {
    /// Writes the key to a new file, which only its owner may read (mode 0600), and makes the file durable.
    ///
    /// An existing file is never changed. To add a key to a file, append the line of another key file. The last line is
    /// the key for new stores; the others open stores that name their numbers.
    ///
    /// - Parameter path: The path of the file. Its directory must exist.
    /// - Throws: `DataStoreError` with the code `misuse` if something exists at the path or the key was derived from a
    ///   passphrase, or another code, e.g. `inputOutput`, if the file cannot be written. It does not exist then, unless
    ///   only the sync of the directory failed.
    public func write(toNewFileAt path: String) throws(DataStoreError) {
        let operation = "write the key file"
        guard derivation == nil else {
            throw DataStoreError(
                .misuse, "the key is derived from a passphrase; keep the passphrase", operation: operation)
        }
        do throws(DataStoreError) {
            let entry = Path(path)
            let directory = try Directory(entry.parent)
            try directory.checkPermissions()
            guard entry.hasEntryName,
                try Thread.withoutFileSizeSignal({ () throws(DataStoreError) in
                    try directory.create(entry.name, with: Array(text.utf8))
                })
            else { throw DataStoreError(.misuse, "it already exists, and a key file is never replaced", path: path) }
        } catch {
            throw error.adding(operation: operation, path: path)
        }
    }

    /// Returns the key with a number from a key file.
    ///
    /// Only the owner may have access to the file, and the file must belong to the user of the process. A symbolic link
    /// is not followed, because whoever controls it could choose the key.
    ///
    /// - Parameters:
    ///   - number: The number of the key, or `nil` for the key in the last line.
    ///   - path: The path of the file.
    /// - Returns: The key, or `nil` if the file does not exist or has no key with the number.
    /// - Throws: `DataStoreError` with the code `sealingKeyUnavailable` if the file cannot or must not be read, or
    ///   `wrongSealingKey` if it contains something else.
    static func read(_ number: UInt32?, fromFileAt path: String) throws(DataStoreError) -> SealingKey? {
        let bytes: [UInt8]
        do throws(DataStoreError) {
            let entry = Path(path)
            guard let file = try Directory.ifExists(entry.parent)?.open(entry.name) else { return nil }
            let status = try file.status()
            guard status.isOwn else {
                throw .sealingKeyUnavailable(
                    "the key file \(path) belongs to another user; its owner must be this user")
            }
            guard status.permissions & 0o077 == 0 else {
                throw .sealingKeyUnavailable("other users have access to the key file \(path); run chmod 600 on it")
            }
            bytes = try file.read(at: 0, count: maximumTextByteCount + 1)
        } catch {
            guard error.code != .sealingKeyUnavailable else { throw error }
            throw .sealingKeyUnavailable("the key file \(path) cannot be read (\(error.reason))", underlying: error)
        }
        return try find(number, inText: bytes, of: "the file \(path)")
    }
}
#endif
