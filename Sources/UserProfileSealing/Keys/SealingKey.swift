#if Sealing
import Crypto

/// A key of the program: 32 secret bytes with a number and a label. It opens the data keys of a store, which seal the
/// fields.
///
/// ```swift
/// let key = try SealingKey.random(number: 1, label: "production 2026")
/// try key.write(toNewFileAt: "/etc/my-program/key")
/// ```
///
/// Keep a copy of each key apart from the store: if a key is lost, so are the fields. To make a new key and keep it in
/// a file, call ``random(number:label:)`` and ``write(toNewFileAt:)``. A program gives its keys to the library through
/// a ``SealingKeySource``.
///
/// Descriptions, reflections and errors contain the number and the label, and never the bytes. On Linux, the memory of
/// the bytes is overwritten when the last copy of the key is released; on Apple platforms, CryptoKit keeps the bytes.
public struct SealingKey: Sendable {
    static let byteCount = 32

    /// The number by which a store names the key that opens it. Give each key of a program its own number.
    public let number: UInt32

    /// A name for messages, which a store keeps in plain text, e.g. `production 2026`.
    public let label: String

    /// The secret bytes.
    let material: SymmetricKey

    /// How the key was derived from a passphrase, or `nil` if it was not.
    let derivation: PassphraseDerivation?

    /// Creates a key from its bytes, e.g. from a keychain or a key-management service.
    ///
    /// - Parameters:
    ///   - number: The number of the key.
    ///   - label: A name for messages. It is not secret.
    ///   - bytes: 32 bytes from a random generator for cryptography.
    /// - Throws: `DataStoreError` with the code `wrongSealingKey` if there are not 32 bytes, or with the code `misuse`
    ///   if the label has control characters, spaces at its ends, or more than 100 bytes.
    public init(number: UInt32, label: String = "", bytes: [UInt8]) throws(DataStoreError) {
        guard bytes.count == SealingKey.byteCount else {
            throw .wrongSealingKey("a sealing key has \(SealingKey.byteCount) bytes, not \(bytes.count)")
        }
        try self.init(number: number, label: label, material: SymmetricKey(data: bytes))
    }

    init(
        number: UInt32, label: String, material: SymmetricKey, derivation: PassphraseDerivation? = nil
    ) throws(DataStoreError) {
        guard SealingKey.isValid(label: label) else {
            throw DataStoreError(
                .misuse,
                "the label of a sealing key has at most 100 bytes, no control characters, and no spaces at its ends")
        }
        self.number = number
        self.label = label
        self.material = material
        self.derivation = derivation
    }

    /// Makes a new key from the random generator of the system, e.g. `SealingKey.random(number: 2)` to change keys.
    ///
    /// - Parameters:
    ///   - number: The number of the key.
    ///   - label: A name for messages. It is not secret.
    /// - Returns: The key.
    /// - Throws: `DataStoreError` with the code `misuse` if the label is invalid, as in
    ///   ``init(number:label:bytes:)``.
    public static func random(number: UInt32, label: String = "") throws(DataStoreError) -> SealingKey {
        try SealingKey(number: number, label: label, material: SymmetricKey(size: .bits256))
    }

    static func isValid(label: String) -> Bool {
        label.utf8.count <= 100 && label.first != " " && label.last != " " && label.escapingControlCharacters == label
    }
}

extension SealingKey: CustomStringConvertible, CustomReflectable {
    /// The number and the label, e.g. `sealing key 3 (production 2026)`.
    public var description: String { SealingKey.name(number: number, label: label) }

    /// The number and the label, without the bytes.
    public var customMirror: Mirror { Mirror(self, children: ["number": number, "label": label]) }

    /// Returns the name of a key in messages. A label from a store has any characters.
    static func name(number: UInt32, label: String) -> String {
        "sealing key \(number)" + (label.isEmpty ? "" : " (\(label.escapedForMessage))")
    }
}
#else
/// Sealed fields need the trait `Sealing`:
///
/// ```swift
/// .package(path: "../UserProfile", traits: ["Sealing"])
/// ```
@available(*, unavailable, message: "add traits: [\"Sealing\"] to the dependency on UserProfile")
public typealias SealingKey = Never
#endif
