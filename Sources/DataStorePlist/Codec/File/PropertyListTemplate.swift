package import DataStoreCore

/// Everything in a property-list file except the records of the store. A write preserves it.
package enum PropertyListTemplate: Sendable {
    case xml(XMLTemplate)
    case binary(BinaryTemplate)

    /// Creates the template for a new file.
    package init(format: PropertyListFormat) {
        switch format {
        case .xml: self = .xml(XMLTemplate())
        case .binary: self = .binary(BinaryTemplate())
        }
    }

    /// The format of the file.
    package var format: PropertyListFormat {
        switch self {
        case .xml: .xml
        case .binary: .binary
        }
    }

    /// Returns the bytes of a file with the given records.
    ///
    /// - Parameters:
    ///   - capacity: The expected number of bytes.
    ///   - version: The format version. It must be 2 if the first records are declarations of unique fields, 3 if these
    ///     declarations also name breaking migrations, and otherwise 1. Programs that do not support the version reject
    ///     the file.
    ///   - forEachRecord: A closure that passes each record to its argument, in the order of the keys.
    /// - Returns: The bytes of the file.
    package func bytes(
        capacity: Int = 0, version: Int64 = 1, forEachRecord: (_ body: (Key, Record) -> Void) -> Void
    ) -> [UInt8] {
        switch self {
        case .xml(let template):
            var writer = XMLWriter(capacity: capacity)
            writer.append(template.before)
            writer.append(version: version, forEachRecord)
            writer.append(template.after)
            return writer.bytes
        case .binary(let template): return BinaryWriter.bytes(template, version: version, forEachRecord)
        }
    }
}
