/// A reader that decodes users from bytes, which arrive in chunks of any size. Between chunks, it buffers only an
/// incomplete line.
///
/// ```swift
/// var reader = ProfileReader(.csv, now: .now)
/// while let bytes = try file.read() {
///     reader.append(bytes)
///     while let line = reader.next() { … }
/// }
/// reader.end()
/// while let line = reader.next() { … }
/// ```
///
/// The reader skips empty lines, and a byte order mark at the start of the input.
package struct ProfileReader: Sendable {
    /// The maximum number of bytes of a line. A longer line is an error and is not held in memory.
    package static let maximumLineByteCount = 1 << 20

    /// The maximum number of bytes of a line that is skipped. A longer line is a fatal error, so that reading an
    /// endless input such as `/dev/zero` ends.
    package static let maximumSkippedByteCount: Int64 = 1 << 26

    /// The position after the last line that ``next()`` has read.
    package private(set) var position = InputPosition.start

    private let format: ProfileFormat
    private let ignoresUnknown: Bool
    private let now: Instant

    private var bytes: [UInt8] = []
    /// The index in `bytes` at which the next line begins.
    private var start = 0
    private var boundary: LineBoundary
    private var header: [ProfileField?]?
    private var isAtEnd = false
    private var isBroken = false
    /// The position up to which a line that is too long has been dropped from `bytes`. It is `nil` if no such line has
    /// begun.
    private var dropped: InputPosition?
    /// Whether a quote was not closed at the end of the input.
    private var hasUnclosedQuote = false

    /// Creates a reader at the start of an input.
    ///
    /// - Parameters:
    ///   - format: The format of the input.
    ///   - ignoresUnknown: Whether to ignore columns and members that are not fields of a user. If `false`, they are
    ///     errors, because their values would be lost.
    ///   - now: The current time. A birthday must not be after it.
    package init(_ format: ProfileFormat, ignoresUnknown: Bool = false, now: Instant) {
        self.format = format
        self.ignoresUnknown = ignoresUnknown
        self.now = now
        boundary = LineBoundary(knowsQuotes: format == .csv)
    }

    /// Appends the next bytes of the input.
    package mutating func append(_ more: [UInt8]) {
        if start > 0 {
            bytes.removeFirst(start)
            boundary.move(by: -start)
            start = 0
        }
        bytes += more
    }

    /// Marks the end of the input. After this call, ``next()`` also reads a last line without a line feed.
    package mutating func end() { isAtEnd = true }

    /// Decodes the next user.
    ///
    /// - Returns: The user or the error of its line. `nil` if no complete line is left, or after a fatal error.
    package mutating func next() -> Result<User, ProfileFormatError>? {
        while !isBroken, let (line, isComplete) = nextLine() {
            if dropped != nil || !isComplete || line.count > ProfileReader.maximumLineByteCount {
                if let error = drop(line, isComplete) { return .failure(error) }
                continue
            }
            let number = position.lineCount + 1
            let content = content(of: line)
            position.advance(over: bytes, line, isComplete: true)
            start = line.upperBound
            if content.isEmpty { continue }
            do throws(ProfileFormatError) {
                guard let user = try user(in: content) else { continue }
                return .success(user)
            } catch {
                isBroken = error.isFatal
                return .failure(error.located(at: number, through: position.lineCount))
            }
        }
        return nil
    }

    // MARK: Lines

    /// Returns the range of the next line, including its line feed, and whether the line ends there. At the end of the
    /// input, the last line needs no line feed. A line that is too long is returned in parts. Returns `nil` if more
    /// bytes are needed.
    private mutating func nextLine() -> (Range<Int>, isComplete: Bool)? {
        if let end = boundary.next(in: bytes) { return (start..<end, true) }
        let isTooLong = bytes.count - start > (dropped == nil ? ProfileReader.maximumLineByteCount : 0)
        guard isTooLong || isAtEnd && (start < bytes.count || dropped != nil) else { return nil }
        // Only the line of an unclosed quote is invalid. If further quotes are not closed, the rest of the input is one
        // line, because reading it again for each of them could take quadratic time. An ignored column may contain line
        // breaks, so what follows the quote may not be a profile.
        guard !isTooLong, boundary.isQuoted, !hasUnclosedQuote, !ignoresUnknown else {
            return (start..<bytes.count, isAtEnd)
        }
        hasUnclosedQuote = true
        return (start..<boundary.endUnclosedLine(in: bytes, from: start), true)
    }

    /// Drops a line that is too long, or a part of it.
    ///
    /// - Returns: The error of the line, or `nil` if its end has not been reached. The error is fatal if the rest of
    ///   the line is not skipped, or if the line should name the columns.
    private mutating func drop(_ line: Range<Int>, _ isComplete: Bool) -> ProfileFormatError? {
        var end = dropped ?? position
        end.advance(over: bytes, line, isComplete: isComplete)
        start = line.upperBound
        dropped = end
        let isEndless = end.byteCount - position.byteCount > ProfileReader.maximumSkippedByteCount
        guard isComplete || isEndless else { return nil }
        isBroken = isEndless || format == .csv && header == nil
        let hint = boundary.isQuoted ? "; a quote is not closed" : ""
        let number = position.lineCount + 1
        let reason = "longer than \(ProfileReader.maximumLineByteCount) bytes\(hint)"
        let error = ProfileFormatError(reason, isFatal: isBroken)
            .located(at: number, through: isBroken ? number : end.lineCount)
        position = end
        dropped = nil
        return error
    }

    /// Returns the range of a line without its line ending, and without a byte order mark in the first line.
    private func content(of line: Range<Int>) -> Range<Int> {
        var (lower, upper) = (line.lowerBound, line.upperBound)
        if upper > lower, bytes[upper - 1] == UInt8(ascii: "\n") { upper -= 1 }
        if upper > lower, bytes[upper - 1] == UInt8(ascii: "\r") { upper -= 1 }
        if position.byteCount == 0, bytes[lower..<upper].starts(with: [0xEF, 0xBB, 0xBF]) { lower += 3 }
        return lower..<upper
    }

    // MARK: Profiles

    /// Decodes the user in a line. Returns `nil` for a blank line and for the line of column names.
    private mutating func user(in content: Range<Int>) throws(ProfileFormatError) -> User? {
        switch format {
        case .jsonLines: return try ParsedFields(json: bytes[content], ignoresUnknown: ignoresUnknown)?.user(now: now)
        case .csv:
            if let header { return try CSVLine(bytes[content]).fields(header).user(now: now) }
            do throws(ProfileFormatError) {
                header = try CSVLine(bytes[content]).header(ignoresUnknown: ignoresUnknown)
                return nil
            } catch {
                throw ProfileFormatError(error.reason, isFatal: true)
            }
        }
    }
}

extension InputPosition {
    /// Advances the position past a line, or past a part of it if `isComplete` is `false`.
    fileprivate mutating func advance(over bytes: [UInt8], _ line: Range<Int>, isComplete: Bool) {
        for byte in bytes[line] {
            checksum = (checksum ^ UInt64(byte)) &* 0x100_0000_01B3
            if byte == UInt8(ascii: "\n") { lineCount += 1 }
        }
        byteCount += Int64(line.count)
        // The last line of the input may have no line feed.
        if isComplete, bytes[line].last != UInt8(ascii: "\n") { lineCount += 1 }
    }
}
