/// A change of a data file.
enum PageEdit {
    static let pageSize = 4096

    case flip(offset: Int, mask: UInt8)
    /// Replaces the bytes at an offset by a little-endian number.
    case set(offset: Int, number: UInt32, byteCount: Int)
    /// Adds to the little-endian number of two bytes at an offset.
    case add(offset: Int, number: Int8)
    case copy(page: Int, to: Int)
    case swap(page: Int, with: Int)
    case zero(page: Int)
    case truncate(byteCount: Int)

    /// The number of input bytes of an edit.
    private static let inputByteCount = 8

    /// Whether edits may replace a page by an outdated one and correct the number in its header. No check can tell such
    /// a page from the current one.
    static func mayForgePages(_ edits: [PageEdit]) -> Bool {
        edits.contains(where: \.movesPage) && edits.contains(where: \.changesPageNumber)
    }

    private var movesPage: Bool {
        switch self {
        case .copy, .swap: true
        default: false
        }
    }

    private var changesPageNumber: Bool {
        switch self {
        case .flip(let offset, _), .set(let offset, _, _), .add(let offset, _):
            // A number of at most eight bytes may begin before the end of a page.
            offset % Self.pageSize < 8 || offset % Self.pageSize > Self.pageSize - 8
        default: false
        }
    }

    /// Returns the edits that an input describes, eight bytes each, at most sixteen.
    static func edits(_ input: [UInt8]) -> [PageEdit] {
        stride(from: 0, to: min(input.count, 16 * inputByteCount), by: inputByteCount).map { start in
            edit((0..<inputByteCount).map { start + $0 < input.count ? input[start + $0] : 0 })
        }
    }

    private static func edit(_ bytes: [UInt8]) -> PageEdit {
        let (page, other) = (Int(bytes[1]), Int(bytes[4]))
        let number = bytes[4...].reversed().reduce(0 as UInt32) { $0 << 8 | UInt32($1) }
        let position = Int(bytes[2]) | Int(bytes[3]) << 8
        // Most of what liblmdb relies on is at the beginning of a page: its header, the offsets of its nodes, and a
        // meta page.
        let offset = page * pageSize + position % [16, 64, 152, pageSize][Int(bytes[0] >> 4) & 3]
        switch bytes[0] % 16 {
        case 0...2: return .flip(offset: offset, mask: max(1, bytes[4]))
        case 3, 4: return .add(offset: offset, number: Int8(bitPattern: bytes[4]))
        case 5, 6: return .set(offset: offset, number: number, byteCount: 2)
        case 7: return .set(offset: offset, number: number, byteCount: 4)
        case 8: return .set(offset: offset, number: number & 0xFF, byteCount: 8)
        case 9, 10: return .copy(page: page, to: other)
        case 11, 12: return .swap(page: page, with: other)
        case 13: return .zero(page: page)
        case 14: return .truncate(byteCount: page * pageSize + position % pageSize)
        default: return .truncate(byteCount: page * pageSize)
        }
    }

    /// Changes the bytes of a file. Positions beyond the end wrap around to the start.
    func apply(to bytes: inout [UInt8]) {
        guard bytes.count >= PageEdit.pageSize else { return }
        let pageCount = bytes.count / PageEdit.pageSize
        func range(_ page: Int) -> Range<Int> {
            page % pageCount * PageEdit.pageSize..<(page % pageCount + 1) * PageEdit.pageSize
        }
        switch self {
        case .flip(let offset, let mask): bytes[offset % bytes.count] ^= mask
        case .set(let offset, let number, let byteCount):
            for index in 0..<byteCount {
                bytes[(offset + index) % bytes.count] =
                    index < 4 ? UInt8(truncatingIfNeeded: number >> UInt32(8 * index)) : 0
            }
        case .add(let offset, let number):
            let (low, high) = (offset % bytes.count, (offset + 1) % bytes.count)
            let sum = (UInt16(bytes[low]) | UInt16(bytes[high]) << 8) &+ UInt16(bitPattern: Int16(number))
            (bytes[low], bytes[high]) = (UInt8(sum & 0xFF), UInt8(sum >> 8))
        case .copy(let page, let target): bytes.replaceSubrange(range(target), with: Array(bytes[range(page)]))
        case .swap(let page, let other):
            let (first, second) = (Array(bytes[range(page)]), Array(bytes[range(other)]))
            bytes.replaceSubrange(range(page), with: second)
            bytes.replaceSubrange(range(other), with: first)
        case .zero(let page): for index in range(page) { bytes[index] = 0 }
        case .truncate(let byteCount): bytes = Array(bytes.prefix(byteCount % (bytes.count + 1)))
        }
    }
}
