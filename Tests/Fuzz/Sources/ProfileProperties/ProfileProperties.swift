import FuzzSupport
@testable public import ProfileFormats
@testable public import UserProfileDomain

/// The properties of reading and writing profiles that hold for any input. If one does not hold, the program ends with
/// its name, and libFuzzer keeps the input.
public enum ProfileProperties {
    /// The time that decides whether a birthday is in the future.
    public static let now = Instant(seconds: 1_700_000_000)

    /// The result of reading an input.
    public struct Reading {
        /// The profiles.
        public fileprivate(set) var users: [User] = []
        /// The errors, in the order of their lines.
        public fileprivate(set) var errors: [ProfileFormatError] = []
        fileprivate var position = InputPosition.start

        /// Whether two readings have equal results.
        fileprivate static func == (left: Reading, right: Reading) -> Bool {
            left.users == right.users && left.errors.map(\.description) == right.errors.map(\.description)
                && left.position == right.position
        }
    }

    /// Reads an input, and checks the properties of both formats: the result does not depend on the chunks, each error
    /// has a line number, and written profiles are read back unchanged.
    ///
    /// - Parameters:
    ///   - text: The input.
    ///   - chunkByteCount: The size of the chunks of a second reading.
    ///   - format: The format of the input.
    ///   - ignoresUnknown: Whether unknown columns and members are ignored.
    /// - Returns: The result of reading the input as a whole.
    public static func check(
        _ text: [UInt8], chunkByteCount: Int, _ format: ProfileFormat, ignoresUnknown: Bool
    ) -> Reading {
        let reading = read(text, chunkByteCount: text.count, format, ignoresUnknown)
        let inChunks = read(text, chunkByteCount: chunkByteCount, format, ignoresUnknown)
        require(reading == inChunks, "the chunks change the result")
        let lineCount = Int64(text.count { $0 == UInt8(ascii: "\n") }) + 1
        var last: Int64 = 0
        for error in reading.errors {
            require((last + 1...lineCount).contains(error.line), "an error has the line \(error.line) after \(last)")
            require(!error.reason.isEmpty, "an error has no reason")
            require(error.reason.utf8.count < 4096, "the reason of an error is as long as its line")
            last = error.line
        }
        let isComplete = reading.errors.last?.isFatal != true
        require(
            !isComplete || reading.position.byteCount == Int64(text.count), "the end of the input was not read")
        checkWriting(reading.users)
        return reading
    }

    private static func read(
        _ text: [UInt8], chunkByteCount: Int, _ format: ProfileFormat, _ ignoresUnknown: Bool
    ) -> Reading {
        var reader = ProfileReader(format, ignoresUnknown: ignoresUnknown, now: now)
        var reading = Reading()
        func readLines() {
            while let line = reader.next() {
                switch line {
                case .success(let user): reading.users.append(user)
                case .failure(let error): reading.errors.append(error)
                }
            }
        }
        var start = 0
        while start < text.count {
            let end = min(start + max(1, chunkByteCount), text.count)
            reader.append(Array(text[start..<end]))
            readLines()
            start = end
        }
        reader.end()
        readLines()
        reading.position = reader.position
        return reading
    }

    private static func checkWriting(_ users: [User]) {
        for format in ProfileFormat.allCases {
            var bytes: [UInt8] = []
            format.begin(&bytes)
            for user in users { format.append(user, to: &bytes) }
            let reading = read(bytes, chunkByteCount: bytes.count, format, false)
            require(reading.errors.isEmpty, "written profiles are rejected: \(reading.errors)")
            require(texts(of: reading.users) == texts(of: users), "other profiles are read than were written")
        }
    }

    /// Returns the bytes of the fields of profiles. Equal mail addresses may have different bytes.
    public static func texts(of users: [User]) -> [[[UInt8]?]] {
        users.map { user in
            [user.id.text, user.mailAddress?.text, user.birthday?.text].map { $0.map { Array($0.utf8) } }
        }
    }
}
