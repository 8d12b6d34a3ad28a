import UserProfileDomain

/// A reader of the text of a cursor. The text consists of the version `c1`, followed by bytes as hexadecimal digits.
/// The last four bytes are a checksum of the bytes before them.
struct CursorText {
    private static let version = "c1"
    private static let digits = Array("0123456789abcdef".utf8)

    private let text: String
    private var bytes: ArraySlice<UInt8> = []

    /// Decodes the text of a cursor. Throws `ValidationError` if the text is too long, or its version or checksum is
    /// wrong.
    init(_ text: String) throws(ValidationError) {
        self.text = text
        guard text.utf8.starts(with: Self.version.utf8) else { throw error("it has another format") }
        // Ids and sort values are short in practice. The limit bounds the use of memory.
        guard text.utf8.count <= 1 << 20 else { throw error("it is too long") }
        var bytes: [UInt8] = []
        var high: UInt8?
        for character in text.utf8.dropFirst(Self.version.utf8.count) {
            guard let digit = Self.digits.firstIndex(of: character) else { throw error("it is modified") }
            if let first = high {
                bytes.append(first << 4 | UInt8(digit))
                high = nil
            } else {
                high = UInt8(digit)
            }
        }
        guard high == nil, bytes.count >= 4 else { throw error("it is incomplete") }
        self.bytes = bytes.suffix(4)
        let checksum = try number(byteCount: 4)
        self.bytes = bytes.dropLast(4)
        guard checksum == Self.checksum(Array(self.bytes)) else { throw error("it is modified or incomplete") }
    }

    /// Returns the text of a cursor with the given bytes, which end with the checksum.
    static func text(of bytes: [UInt8]) -> String {
        version + String(decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    }

    /// Returns the 32-bit FNV-1a checksum of bytes.
    static func checksum(_ bytes: [UInt8]) -> UInt64 {
        UInt64(bytes.reduce(0x811C_9DC5 as UInt32) { ($0 ^ UInt32($1)) &* 0x0100_0193 })
    }

    func error(_ rule: String) -> ValidationError {
        ValidationError(ValidationError.Subject("a cursor"), given: text, rule: "\(rule); start at the first page")
    }

    func expectEnd() throws(ValidationError) { guard bytes.isEmpty else { throw error("it is too long") } }

    /// Reads the number of elements that follow. Throws `ValidationError` if it exceeds the number of remaining bytes,
    /// because each element has at least one byte.
    mutating func count() throws(ValidationError) -> Int {
        let count = try number(byteCount: 4)
        guard count <= bytes.count else { throw error("it is incomplete") }
        return Int(count)
    }

    mutating func string() throws(ValidationError) -> String {
        let count = try count()
        let utf8 = bytes.prefix(count)
        bytes = bytes.dropFirst(count)
        guard let string = String(validating: utf8, as: UTF8.self) else { throw error("it contains invalid UTF-8") }
        return string
    }

    mutating func operand() throws(ValidationError) -> Operand? {
        switch try number(byteCount: 1) {
        case 0: return nil
        case 1: return .text(try string())
        case 2: return .integer(Int64(bitPattern: try number(byteCount: 8)))
        case 3: return .real(Double(bitPattern: try number(byteCount: 8)))
        case 4: return .bool(try number(byteCount: 1) != 0)
        case 5:
            let seconds = Int64(bitPattern: try number(byteCount: 8))
            let nanoseconds = try number(byteCount: 4)
            guard nanoseconds < 1_000_000_000 else { throw error("it has an invalid date") }
            return .instant(Instant(seconds: seconds, nanoseconds: UInt32(nanoseconds)))
        default: throw error("a newer program created it")
        }
    }

    private mutating func number(byteCount: Int) throws(ValidationError) -> UInt64 {
        guard bytes.count >= byteCount else { throw error("it is incomplete") }
        defer { bytes = bytes.dropFirst(byteCount) }
        return bytes.prefix(byteCount).reduce(0) { $0 << 8 | UInt64($1) }
    }
}

extension [UInt8] {
    /// Appends the `byteCount` low bytes of a number, the most significant byte first.
    mutating func append(number: UInt64, byteCount: Int) {
        for index in (0..<byteCount).reversed() { append(UInt8(truncatingIfNeeded: number >> (8 * UInt64(index)))) }
    }

    mutating func append(count: Int) { append(number: UInt64(count), byteCount: 4) }

    mutating func append(_ text: String) {
        append(count: text.utf8.count)
        append(contentsOf: text.utf8)
    }

    mutating func append(_ operand: Operand?) {
        switch operand {
        case nil: append(0)
        case .text(let text):
            append(1)
            append(text)
        case .integer(let number):
            append(2)
            append(number: UInt64(bitPattern: number), byteCount: 8)
        case .real(let number):
            append(3)
            append(number: number.bitPattern, byteCount: 8)
        case .bool(let flag): append(contentsOf: [4, flag ? 1 : 0])
        case .instant(let instant):
            append(5)
            append(number: UInt64(bitPattern: instant.seconds), byteCount: 8)
            append(number: UInt64(instant.nanoseconds), byteCount: 4)
        }
    }
}
