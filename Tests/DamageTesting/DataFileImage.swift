import Foundation

/// The bytes of a data file, parsed far enough to damage particular parts. The offsets apply to LMDB 0.9 on 64-bit
/// little-endian machines.
package struct DataFileImage {
    package static let pageSize = 4096

    private let url: URL
    package var bytes: [UInt8]

    package init(_ path: String) throws {
        url = URL(filePath: "\(path)/data.mdb")
        bytes = Array(try Data(contentsOf: url))
    }

    package func save() throws { try Data(bytes).write(to: url) }

    package var pageCount: Int { bytes.count / DataFileImage.pageSize }

    /// The number of the meta page of the last transaction.
    package var newestMeta: Int { number(page: 0, at: 144, 8) > number(page: 1, at: 144, 8) ? 0 : 1 }
    package var transaction: Int { number(page: newestMeta, at: 144, 8) }
    package var recordRoot: Int { number(page: newestMeta, at: 128, 8) }
    package var freeRoot: Int { number(page: newestMeta, at: 80, 8) }

    package func flags(page: Int) -> Int { number(page: page, at: 10, 2) }

    /// Returns the child pages of a branch page.
    package func children(of page: Int) -> [Int] { nodes(of: page).map { number(page: page, at: $0, 6) & 0xFFFF_FFFF } }

    /// Returns the offsets of the nodes of a page.
    package func nodes(of page: Int) -> [Int] {
        (0..<(number(page: page, at: 12, 2) - 16) / 2).map { number(page: page, at: 16 + 2 * $0, 2) }
    }

    package func number(page: Int, at offset: Int, _ byteCount: Int) -> Int {
        let start = page * DataFileImage.pageSize + offset
        return (0..<byteCount).reduce(0) { $0 | Int(bytes[start + $1]) << (8 * $1) }
    }

    package mutating func set(page: Int, at offset: Int, _ byteCount: Int, to number: Int) {
        let start = page * DataFileImage.pageSize + offset
        for index in 0..<byteCount { bytes[start + index] = UInt8(truncatingIfNeeded: number >> (8 * index)) }
    }

    package mutating func zero(page: Int) {
        for index in 0..<DataFileImage.pageSize { bytes[page * DataFileImage.pageSize + index] = 0 }
    }

    /// Returns the pages of a tree, from its root down. The file must not be damaged.
    package func pages(from root: Int) -> [Int] {
        var found = root < 0 ? [] : [root]
        var index = 0
        while index < found.count {
            if flags(page: found[index]) == 0x01 { found += children(of: found[index]) }
            index += 1
        }
        return found
    }

    /// Returns whether a page belongs to the tree of records.
    package func isInUse(_ page: Int) -> Bool { pages(from: recordRoot).contains(page) }

    /// Returns the last offset of some bytes in the file, which is on a page of the last transaction.
    package func offset(of text: [UInt8]) -> Int? {
        bytes.indices.reversed().first { bytes[$0] == text[0] && bytes[$0...].starts(with: text) }
    }
}
