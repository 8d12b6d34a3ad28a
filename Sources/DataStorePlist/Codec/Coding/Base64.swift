/// The base64 encoding of data (RFC 4648, section 4).
enum Base64 {
    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
    private static let padding = UInt8(ascii: "=")
    /// The number that each letter encodes, or 64 for a byte outside the alphabet.
    private static let numbers: [UInt8] = {
        var numbers = [UInt8](repeating: 64, count: 256)
        for (number, letter) in alphabet.enumerated() { numbers[Int(letter)] = UInt8(number) }
        return numbers
    }()

    /// Decodes a base64 text. Returns `nil` if the text is not base64 with padding. White space is ignored.
    static func data(of text: ArraySlice<UInt8>) -> [UInt8]? {
        let numbers = numbers
        var data: [UInt8] = []
        data.reserveCapacity(text.count / 4 * 3 + 3)
        var (bits, letterCount, paddingCount): (UInt32, Int, Int) = (0, 0, 0)
        var index = text.startIndex
        while index < text.endIndex {
            let letter = text[index]
            index += 1
            if XMLReader.isSpace(letter) { continue }
            if letter == padding {
                paddingCount += 1
                continue
            }
            let number = numbers[Int(letter)]
            guard number < 64, paddingCount == 0 else { return nil }
            bits = bits << 6 | UInt32(number)
            letterCount += 1
            guard letterCount == 4 else { continue }
            data.append(UInt8(truncatingIfNeeded: bits >> 16))
            data.append(UInt8(truncatingIfNeeded: bits >> 8))
            data.append(UInt8(truncatingIfNeeded: bits))
            letterCount = 0
        }
        switch (letterCount, paddingCount) {
        case (0, 0): break
        case (2, 2): data.append(UInt8(truncatingIfNeeded: bits >> 4))
        case (3, 1):
            data.append(UInt8(truncatingIfNeeded: bits >> 10))
            data.append(UInt8(truncatingIfNeeded: bits >> 2))
        default: return nil
        }
        return data
    }

    /// Encodes data as base64 text.
    static func text(of data: [UInt8]) -> [UInt8] {
        let alphabet = alphabet
        var text = [UInt8](repeating: padding, count: (data.count + 2) / 3 * 4)
        var (index, end) = (0, 0)
        while index + 3 <= data.count {
            let bits = Int(data[index]) << 16 | Int(data[index + 1]) << 8 | Int(data[index + 2])
            text[end] = alphabet[bits >> 18]
            text[end + 1] = alphabet[bits >> 12 & 63]
            text[end + 2] = alphabet[bits >> 6 & 63]
            text[end + 3] = alphabet[bits & 63]
            index += 3
            end += 4
        }
        guard index < data.count else { return text }
        let hasTwo = index + 2 == data.count
        let bits = Int(data[index]) << 8 | (hasTwo ? Int(data[index + 1]) : 0)
        text[end] = alphabet[bits >> 10]
        text[end + 1] = alphabet[bits >> 4 & 63]
        if hasTwo { text[end + 2] = alphabet[bits << 2 & 63] }
        return text
    }
}
