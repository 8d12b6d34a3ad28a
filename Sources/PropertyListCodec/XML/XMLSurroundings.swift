import DataStoreCore
import DataStoreMemory

/// What stands around our entry in an XML file: it is written back byte for byte.
struct XMLSurroundings: Sendable {
    private let before: [UInt8]
    private let after: [UInt8]

    /// Those of a new file, with entries of other programs that were saved from another one.
    ///
    /// - Parameter others: entries with their keys, as they stood there.
    init(others: [ArraySlice<UInt8>] = []) {
        let beginning = """
            <?xml version="1.0" encoding="UTF-8"?>
            <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
            <plist version="1.0">
            <dict>

            """
        before = Array(beginning.utf8) + others.flatMap { [0x09] + $0 + [0x0A] }
        after = Array("</dict>\n</plist>\n".utf8)
    }

    /// The bytes of the file with an entry for records in it.
    func around(_ records: RecordTree, capacity: Int) -> [UInt8] {
        var writer = XMLWriter(capacity: capacity)
        writer.append(before)
        writer.append(records)
        writer.append(after)
        return writer.bytes
    }

    /// Those of a file that was read.
    init(_ file: XMLFile, in bytes: [UInt8]) {
        if let ours = file.ours {
            // Each line of ours begins with its own indentation and ends with a line feed.
            before = Self.linesBefore(bytes[..<ours.lowerBound])
            after = Array(bytes[ours.upperBound...].drop { $0 == 0x20 || $0 == 0x09 }.trimmingLineFeed)
        } else if file.root.isEmpty {
            before = Array(bytes[..<file.root.open.lowerBound]) + Array("<dict>\n".utf8)
            after = Array("</dict>".utf8) + bytes[file.root.open.upperBound...]
        } else {
            before = Self.linesBefore(bytes[..<file.root.close])
            after = Array(bytes[file.root.close...])
        }
    }

    /// Whole lines: without the indentation of the one that follows, and with an end of the last.
    private static func linesBefore(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
        let trimmed = bytes.dropLast(bytes.reversed().prefix { $0 == 0x20 || $0 == 0x09 }.count)
        return Array(trimmed) + (trimmed.last == 0x0A ? [] : [0x0A])
    }
}

extension ArraySlice<UInt8> {
    fileprivate var trimmingLineFeed: ArraySlice<UInt8> {
        first == 0x0D && dropFirst().first == 0x0A ? dropFirst(2) : first == 0x0A ? dropFirst() : self
    }
}
