/// The bytes of a sealed value, of which everything but the value itself can be read without a key. The article
/// `SealedValues` of the module `UserProfileSealing` specifies them.
package struct SealedValue: Sendable {
    static let version: UInt8 = 1
    package static let fieldIDByteCount = 16
    package static let blindByteCount = 16
    static let nonceByteCount = 12
    static let tagByteCount = 16
    private static let fieldIDStart = 6
    private static let blindStart = fieldIDStart + fieldIDByteCount

    /// The kinds of sealed values, in the second byte.
    enum Kind: UInt8 {
        case opaque = 0
        case searchable = 1

        /// The number of bytes before the nonce.
        var headerByteCount: Int { blindStart + (self == .searchable ? blindByteCount : 0) }
    }

    package let bytes: [UInt8]
    let kind: Kind

    /// Reads the header of a sealed value, whose writer is not trusted.
    ///
    /// - Throws: `DataStoreError` with the code `unsupportedFormat` if the version or the kind is unknown, or
    ///   `corrupted` if bytes are missing.
    package init(_ bytes: [UInt8]) throws(DataStoreError) {
        guard bytes.count >= 2, bytes[0] != 0 else { throw .damagedSealedValue("its header is damaged") }
        guard bytes[0] == SealedValue.version, let kind = Kind(rawValue: bytes[1]) else {
            throw DataStoreError(
                .unsupportedFormat,
                "a sealed value has the version \(bytes[0]).\(bytes[1]), which this program does not know; use a newer "
                    + "program")
        }
        guard bytes.count >= kind.headerByteCount + SealedValue.nonceByteCount + SealedValue.tagByteCount else {
            throw .damagedSealedValue("bytes are missing")
        }
        self.bytes = bytes
        self.kind = kind
    }

    /// The number of the data key.
    package var keyNumber: UInt32 { bytes[2..<6].reduce(0) { $0 << 8 | UInt32($1) } }

    /// The id of the field.
    package var fieldID: ArraySlice<UInt8> {
        bytes[SealedValue.fieldIDStart..<SealedValue.fieldIDStart + SealedValue.fieldIDByteCount]
    }

    /// The blind, or `nil` if the value is opaque. With the same blind key, values of a field have equal blinds if they
    /// have equal comparable forms.
    package var blind: ArraySlice<UInt8>? {
        guard kind == .searchable else { return nil }
        return bytes[SealedValue.blindStart..<SealedValue.blindStart + SealedValue.blindByteCount]
    }

    /// Returns the bytes that the tag authenticates beside the ciphertext: the header and the id of the record.
    package func authenticatedBytes(inRecord id: String) -> [UInt8] {
        var authenticated: [UInt8] = []
        authenticated.reserveCapacity(kind.headerByteCount + id.utf8.count)
        authenticated += bytes[..<kind.headerByteCount]
        id.withBytes { authenticated.append($0) }
        return authenticated
    }

    /// The nonce, the ciphertext and the tag.
    package var box: ArraySlice<UInt8> { bytes[kind.headerByteCount...] }

    /// Returns the header of a value that is about to be sealed.
    package static func header(keyNumber: UInt32, fieldID: [UInt8], blind: [UInt8]?) -> [UInt8] {
        var header: [UInt8] = []
        header.reserveCapacity(Kind.searchable.headerByteCount)
        header.append(version)
        header.append((blind == nil ? Kind.opaque : .searchable).rawValue)
        for shift in [24, 16, 8, 0] { header.append(UInt8(truncatingIfNeeded: keyNumber >> shift)) }
        header += fieldID
        if let blind { header += blind }
        return header
    }

    // MARK: Values of unknown origin

    /// Returns the blind of a sealed value, or `nil` if the value is opaque or its header is unknown. A header without
    /// a content has a blind, too: queries compare with it.
    package static func blind(of bytes: [UInt8]) -> ArraySlice<UInt8>? {
        guard bytes.count >= Kind.searchable.headerByteCount, bytes[0] == version, bytes[1] == Kind.searchable.rawValue
        else { return nil }
        return bytes[blindStart..<Kind.searchable.headerByteCount]
    }

    /// Returns the bytes by which sorts and indexes order a sealed value: its blind, or the tag at its end, which is
    /// random.
    package static func comparableBytes(of bytes: [UInt8]) -> ArraySlice<UInt8> {
        blind(of: bytes) ?? bytes.suffix(tagByteCount)
    }
}

extension DataStoreError {
    /// A sealed value is damaged.
    package static func damagedSealedValue(_ damage: String, underlying: (any Error)? = nil) -> DataStoreError {
        DataStoreError(
            .corrupted, "a sealed value cannot be opened (\(damage)); restore a backup", underlying: underlying)
    }

    /// The program needs a key to read a sealed value.
    package static func sealedValue(_ field: String) -> DataStoreError {
        DataStoreError(
            .missingSealingKey,
            "the field \(field.escapingControlCharacters) is sealed; open the store with its sealing key")
    }
}
