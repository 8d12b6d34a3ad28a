package import UserProfileDomain

/// Reads profiles from bytes that come in pieces of any size. It keeps no more than the line that is under way.
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
/// A byte order mark at the beginning and empty lines are passed over.
package struct ProfileReader: Sendable {
    /// The most bytes of a line: what is longer is no profile, and not all of `/dev/zero` is read.
    package static let maximumLineByteCount = 1 << 20

    /// Where the last line ended that was given.
    package private(set) var position = InputPosition.start

    private let format: ProfileFormat
    private let ignoresUnknown: Bool
    private let now: Instant

    private var bytes: [UInt8] = []
    /// Where the next line begins in `bytes`.
    private var start = 0
    private var boundary: LineBoundary
    private var header: CSVHeader?
    private var isAtEnd = false
    private var isBroken = false

    /// Reads from the beginning of an input.
    ///
    /// - Parameters:
    ///   - format: how the profiles are written.
    ///   - ignoresUnknown: whether columns and members of other names are passed over; otherwise they are errors,
    ///     because what somebody wrote there would be lost.
    ///   - now: the present, which decides whether a birthday is still to come.
    package init(_ format: ProfileFormat, ignoresUnknown: Bool = false, now: Instant) {
        self.format = format
        self.ignoresUnknown = ignoresUnknown
        self.now = now
        boundary = LineBoundary(knowsQuotes: format == .csv)
    }

    /// Takes the next bytes.
    package mutating func append(_ more: [UInt8]) {
        if start > 0 {
            bytes.removeFirst(start)
            boundary.move(by: -start)
            start = 0
        }
        bytes += more
    }

    /// Says that no bytes follow.
    package mutating func end() { isAtEnd = true }

    /// The next profile, or what is wrong with the line.
    ///
    /// - Returns: nil where the bytes so far have no more whole lines, or after an error that is fatal.
    package mutating func next() -> Result<User, ProfileFormatError>? {
        while !isBroken, let line = nextLine() {
            let number = position.lineCount + 1
            let content = content(of: line)
            position.advance(over: bytes, line)
            start = line.upperBound
            if content.isEmpty { continue }
            do throws(LineProblem) {
                guard let user = try user(in: content) else { continue }
                return .success(user)
            } catch {
                isBroken = error.isFatal
                return .failure(
                    ProfileFormatError(
                        line: number, reason: error.reason, isFatal: error.isFatal, underlying: error.underlying))
            }
        }
        guard !isBroken, bytes.count - start > ProfileReader.maximumLineByteCount else { return nil }
        isBroken = true
        return .failure(tooLong)
    }

    // MARK: Lines

    /// The next line with its end, where it is there in whole.
    private mutating func nextLine() -> Range<Int>? {
        if let end = boundary.next(in: bytes, from: start) { return start..<end }
        guard isAtEnd, start < bytes.count, bytes.count - start <= ProfileReader.maximumLineByteCount else {
            return nil
        }
        return start..<bytes.count
    }

    /// A line without its end, and the first one without a byte order mark.
    private func content(of line: Range<Int>) -> Range<Int> {
        var (lower, upper) = (line.lowerBound, line.upperBound)
        if upper > lower, bytes[upper - 1] == UInt8(ascii: "\n") { upper -= 1 }
        if upper > lower, bytes[upper - 1] == UInt8(ascii: "\r") { upper -= 1 }
        if position.byteCount == 0, bytes[lower..<upper].starts(with: [0xEF, 0xBB, 0xBF]) { lower += 3 }
        return lower..<upper
    }

    private var tooLong: ProfileFormatError {
        let hint = boundary.isQuoted ? "; a quote that was opened in it is not closed" : ""
        return ProfileFormatError(
            line: position.lineCount + 1,
            reason: "it has more than \(ProfileReader.maximumLineByteCount) bytes\(hint)", isFatal: true)
    }

    // MARK: Profiles

    /// The user of a line; nil where it is the line of column names.
    private mutating func user(in content: Range<Int>) throws(LineProblem) -> User? {
        switch format {
        case .jsonLines:
            var line = JSONLine(bytes, content, ignoresUnknown: ignoresUnknown)
            return try line.fields()?.user(now: now)
        case .csv:
            let line = CSVLine(bytes, content)
            guard let header else {
                header = try CSVHeader(line, ignoresUnknown: ignoresUnknown)
                return nil
            }
            return try header.fields(of: line).user(now: now)
        }
    }
}

extension InputPosition {
    /// Goes on over a line.
    fileprivate mutating func advance(over bytes: [UInt8], _ line: Range<Int>) {
        var checksum = checksum
        var lineCount: Int64 = 0
        for index in line {
            checksum = (checksum ^ UInt64(bytes[index])) &* 0x100_0000_01B3
            if bytes[index] == UInt8(ascii: "\n") { lineCount += 1 }
        }
        self.checksum = checksum
        byteCount += Int64(line.count)
        // The last line may have no end.
        self.lineCount += max(1, lineCount)
    }
}
