package import DataStoreTesting

/// A change to the bytes of a file.
package enum Damage: CustomStringConvertible {
    case flip(offset: Int, mask: UInt8)
    /// Replaces the bytes at an offset by a number in the byte order of this machine.
    case set(offset: Int, number: UInt64, byteCount: Int)
    /// Adds to the number at an offset.
    case add(offset: Int, number: UInt64, byteCount: Int)
    case truncate(byteCount: Int)
    case zero(page: Int)
    case copy(page: Int, to: Int)
    case swap(page: Int, with: Int)

    package static let pageSize = 4096

    /// Returns one to eight random bit flips, a larger change, or both.
    package static func random(in byteCount: Int, using generator: inout SeededGenerator) -> [Damage] {
        var damages: [Damage] = []
        let kind = Int.random(in: 0..<20, using: &generator)
        if kind < 10 || kind == 19 {
            for _ in 0..<Int.random(in: 1...8, using: &generator) {
                damages.append(.flip(in: byteCount, using: &generator))
            }
        }
        if (8..<14).contains(kind) {
            for _ in 0..<Int.random(in: 1...2, using: &generator) {
                damages.append(.number(in: byteCount, using: &generator))
            }
        }
        let pageCount = byteCount / pageSize
        let (one, other) = (
            Int.random(in: 0..<pageCount, using: &generator), Int.random(in: 0..<pageCount, using: &generator)
        )
        switch kind {
        case 14: damages.append(.truncate(byteCount: .random(in: 0..<byteCount, using: &generator)))
        case 15: damages.append(.zero(page: one))
        case 16: damages.append(.copy(page: one, to: other))
        case 17: damages.append(.swap(page: one, with: other))
        case 18:
            damages += [
                .zero(page: one), .copy(page: other, to: one),
                .truncate(byteCount: .random(in: (byteCount / 2)..<byteCount, using: &generator)),
            ].shuffled(using: &generator).prefix(2)
        case 19: damages.append(.zero(page: one))
        default: break
        }
        return damages
    }

    /// Returns a flip of one or more bits of a byte: anywhere, in a page header, or in the used part of a meta page.
    private static func flip(in byteCount: Int, using generator: inout SeededGenerator) -> Damage {
        let page = Int.random(in: 0..<(byteCount / pageSize), using: &generator)
        let offset =
            switch Int.random(in: 0..<10, using: &generator) {
            case 0..<4: Int.random(in: 0..<byteCount, using: &generator)
            case 4..<6: page * pageSize + Int.random(in: 0..<16, using: &generator)
            case 6..<8: page * pageSize + Int.random(in: 16..<80, using: &generator)
            default: page % 2 * pageSize + Int.random(in: 0..<152, using: &generator)
            }
        let mask: UInt8 =
            Bool.random(using: &generator)
            ? 1 << UInt8.random(in: 0..<8, using: &generator) : .random(in: 1...255, using: &generator)
        return .flip(offset: offset, mask: mask)
    }

    /// Returns a plausible replacement of a number: a page number, or the number plus or minus one.
    private static func number(in byteCount: Int, using generator: inout SeededGenerator) -> Damage {
        let pageCount = byteCount / pageSize
        let isMeta = Int.random(in: 0..<3, using: &generator) == 0
        let page = isMeta ? .random(in: 0..<2, using: &generator) : Int.random(in: 2..<pageCount, using: &generator)
        let byteCount = [2, 2, 4, 8].randomElement(using: &generator) ?? 8
        let pageOffset =
            switch Int.random(in: 0..<3, using: &generator) {
            case 0: Int.random(in: 0..<8, using: &generator) * 2
            case 1: Int.random(in: 8..<76, using: &generator) * 2
            default: Int.random(in: 0...((pageSize - byteCount) / 2), using: &generator) * 2
            }
        let offset = page * pageSize + pageOffset
        if Bool.random(using: &generator) {
            let number = UInt64.random(in: 0..<UInt64(pageCount), using: &generator)
            return .set(offset: offset, number: number, byteCount: byteCount)
        }
        let difference = [1, 2, 4, 8, -1, -2, -4, -8].randomElement(using: &generator) ?? 1
        return .add(offset: offset, number: UInt64(bitPattern: Int64(difference)), byteCount: byteCount)
    }

    package func apply(to bytes: inout [UInt8]) {
        func range(_ page: Int) -> Range<Int> {
            (page * Damage.pageSize..<(page + 1) * Damage.pageSize).clamped(to: bytes.indices)
        }
        switch self {
        case .flip(let offset, let mask): if offset < bytes.count { bytes[offset] ^= mask }
        case .set(let offset, let number, let byteCount):
            guard offset + byteCount <= bytes.count else { return }
            for index in 0..<byteCount { bytes[offset + index] = Damage.byte(index, of: number, byteCount) }
        case .add(let offset, let number, let byteCount):
            guard offset + byteCount <= bytes.count else { return }
            var sum = number
            for index in 0..<byteCount {
                let shift = Damage.byte(index, of: 0x0706_0504_0302_0100, byteCount)
                sum &+= UInt64(bytes[offset + index]) << (8 * UInt64(shift))
            }
            Damage.set(offset: offset, number: sum, byteCount: byteCount).apply(to: &bytes)
        case .truncate(let byteCount): bytes = Array(bytes.prefix(byteCount))
        case .zero(let page): for index in range(page) { bytes[index] = 0 }
        case .copy(let page, let target):
            if range(target).count == range(page).count {
                bytes.replaceSubrange(range(target), with: bytes[range(page)])
            }
        case .swap(let page, let other):
            guard range(page).count == range(other).count else { return }
            let (first, second) = (Array(bytes[range(page)]), Array(bytes[range(other)]))
            bytes.replaceSubrange(range(page), with: second)
            bytes.replaceSubrange(range(other), with: first)
        }
    }

    /// Returns one byte of a number in the byte order of this machine.
    private static func byte(_ index: Int, of number: UInt64, _ byteCount: Int) -> UInt8 {
        #if _endian(big)
        UInt8(truncatingIfNeeded: number >> UInt64(8 * (byteCount - 1 - index)))
        #else
        UInt8(truncatingIfNeeded: number >> UInt64(8 * index))
        #endif
    }

    private static func position(_ offset: Int) -> String { "page \(offset / pageSize) byte \(offset % pageSize)" }

    package var description: String {
        switch self {
        case .flip(let offset, let mask):
            "flip \(String(mask, radix: 16)) at \(Damage.position(offset))"
        case .set(let offset, let number, let byteCount):
            "set \(byteCount) bytes to \(number) at \(Damage.position(offset))"
        case .add(let offset, let number, let byteCount):
            "add \(Int64(bitPattern: number)) to \(byteCount) bytes at \(Damage.position(offset))"
        case .truncate(let byteCount): "truncate to \(byteCount)"
        case .zero(let page): "zero page \(page)"
        case .copy(let page, let target): "copy page \(page) to \(target)"
        case .swap(let page, let other): "swap pages \(page) and \(other)"
        }
    }
}
