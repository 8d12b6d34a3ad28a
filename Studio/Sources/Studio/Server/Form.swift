/// The values of a form or of the query of an address, in the encoding of HTML forms
/// (`application/x-www-form-urlencoded`).
struct Form: Hashable, Sendable {
    private var fields: [(name: String, value: String)] = []

    /// Creates a form without values.
    init() {}

    /// Decodes a form. Bytes that are not UTF-8 become U+FFFD, as in a browser.
    init(encoded text: some StringProtocol) {
        for field in text.utf8.split(separator: UInt8(ascii: "&")) {
            let name = field.prefix { $0 != UInt8(ascii: "=") }
            fields.append((Form.decode(name), Form.decode(field.dropFirst(name.count + 1))))
        }
    }

    /// The first value with a name, or `nil` if it is missing or empty.
    subscript(name: String) -> String? {
        get {
            let value = fields.first { $0.name == name }?.value ?? ""
            return value.isEmpty ? nil : value
        }
        set {
            fields.removeAll { $0.name == name }
            if let newValue, !newValue.isEmpty { fields.append((name, newValue)) }
        }
    }

    /// The encoded form.
    var encoded: String {
        fields.map { "\(Form.encode($0.name))=\(Form.encode($0.value))" }.joined(separator: "&")
    }

    /// Returns a path of this server, followed by the form as a query.
    func address(_ path: String) -> String { fields.isEmpty ? path : "\(path)?\(encoded)" }

    static func == (left: Form, right: Form) -> Bool { left.encoded == right.encoded }

    func hash(into hasher: inout Hasher) { hasher.combine(encoded) }

    private static func decode(_ bytes: some Sequence<UInt8>) -> String {
        var decoded: [UInt8] = []
        var iterator = bytes.makeIterator()
        while let byte = iterator.next() {
            switch byte {
            case UInt8(ascii: "+"): decoded.append(UInt8(ascii: " "))
            case UInt8(ascii: "%"):
                guard let high = iterator.next() else { return String(decoding: decoded + [byte], as: UTF8.self) }
                guard let low = iterator.next() else { return String(decoding: decoded + [byte, high], as: UTF8.self) }
                if let high = hexDigitValue(high), let low = hexDigitValue(low) {
                    decoded.append(high << 4 | low)
                } else {
                    decoded += [byte, high, low]
                }
            default: decoded.append(byte)
            }
        }
        return String(decoding: decoded, as: UTF8.self)
    }

    private static func hexDigitValue(_ byte: UInt8) -> UInt8? {
        Character(Unicode.Scalar(byte)).hexDigitValue.map { UInt8($0) }
    }

    /// Encodes a name or a value.
    static func encode(_ text: String) -> String {
        var encoded = ""
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"):
                encoded.unicodeScalars.append(Unicode.Scalar(byte))
            default:
                let digits = String(byte, radix: 16, uppercase: true)
                encoded += digits.count == 1 ? "%0\(digits)" : "%\(digits)"
            }
        }
        return encoded
    }
}
