#if Sealing
import DataStoreSystem

/// The key that a store asks a program for.
///
/// ```swift
/// let source = SealingKeySource { request in
///     try await SealingKey(number: request.number ?? 1, bytes: keychain.bytes(of: "profiles"))
/// }
/// ```
public struct SealingKeyRequest: Sendable {
    /// The number of the key, or `nil` if the program chooses a key for a new store.
    public let number: UInt32?

    /// The label of the key, or an empty string.
    package let label: String

    /// How to derive the key from a passphrase, or `nil` if the store's key was not derived, or the store is new.
    package let derivation: PassphraseDerivation?

    /// Creates the request for the key of a new store, or with a number for the key of an existing store.
    package init(number: UInt32? = nil, label: String = "", derivation: PassphraseDerivation? = nil) {
        self.number = number
        self.label = label
        self.derivation = derivation
    }
}

/// Where a program keeps its sealing keys: a file, the environment, the output of a command, a passphrase, or anything
/// that a closure can reach.
///
/// ```swift
/// let keys = SealingKeySource.file("/etc/my-program/key")
/// let others = SealingKeySource { request in
///     try await SealingKey(number: request.number ?? 1, bytes: keychain.bytes(of: "profiles"))
/// }
/// ```
///
/// A file, a variable and the output of a command contain one line per key, as
/// ``SealingKey/write(toNewFileAt:)`` writes it. The last line is the key for new stores.
///
/// There are three failures, and none changes the store: `missingSealingKey` if the program has no such key,
/// `wrongSealingKey` if the key is another one, and `sealingKeyUnavailable` if the key cannot be given now, e.g.
/// because the device is locked. A program must not make a new key after any of them.
public struct SealingKeySource: Sendable {
    private let find: @Sendable (SealingKeyRequest) async throws -> SealingKey?

    /// Creates a source from a closure of the program.
    ///
    /// - Parameter find: A closure that returns the requested key, or `nil` if the program does not have it. It throws
    ///   if the key cannot be given now.
    public init(_ find: @escaping @Sendable (SealingKeyRequest) async throws -> SealingKey?) { self.find = find }

    /// Returns the requested key, or the key for a new store.
    ///
    /// - Throws: `DataStoreError` with the code `missingSealingKey`, `wrongSealingKey` or `sealingKeyUnavailable`, or
    ///   `CancellationError`.
    package func key(for request: SealingKeyRequest = SealingKeyRequest()) async throws -> SealingKey {
        let key: SealingKey?
        do {
            key = try await find(request)
        } catch let error where !(error is DataStoreError || error is CancellationError) {
            throw DataStoreError.sealingKeyUnavailable("the program cannot get its sealing key now", underlying: error)
        }
        guard let key, request.number == nil || request.number == key.number else {
            throw DataStoreError.missingSealingKey(request)
        }
        return key
    }
}

extension SealingKeySource {
    /// Reads the keys from a file.
    ///
    /// The file must belong to the user of the process, and nobody else may have access to it (mode 0600 or 0400). A
    /// symbolic link is not followed.
    public static func file(_ path: String) -> SealingKeySource {
        SealingKeySource { request in try SealingKey.read(request.number, fromFileAt: path) }
    }

    /// Reads the keys from an environment variable.
    ///
    /// Other processes of the user can read the environment of a process, and child processes inherit it.
    public static func environment(_ name: String) -> SealingKeySource {
        SealingKeySource { request in
            // The text is copied at once. No program may change its environment while another thread reads it.
            guard let text = unsafe getenv(name).map({ unsafe String(cString: $0) }) else { return nil }
            return try SealingKey.find(request.number, inText: Array(text.utf8), of: "the variable \(name)")
        }
    }

    /// Reads the keys from the output of a command, which `/bin/sh` runs, e.g. `pass show my-program/key`.
    ///
    /// The command has no input, and must exit with 0. Its errors are those of the process.
    public static func command(_ command: String) -> SealingKeySource {
        SealingKeySource { request in
            let text = try await Thread.run { try output(of: command, $0) }
            return try SealingKey.find(request.number, inText: text, of: "the output of the command")
        }
    }

    /// Derives the key from a passphrase, with scrypt (RFC 7914) and parameters that the store keeps.
    ///
    /// A derivation needs 128 MiB of memory. Whoever has the store can try passphrases, so choose a long one.
    ///
    /// - Parameter passphrase: A closure that returns the passphrase, e.g. asks the user for it.
    /// - Returns: The source.
    public static func passphrase(_ passphrase: @escaping @Sendable () async throws -> String) -> SealingKeySource {
        SealingKeySource { request in
            // This source cannot provide a key that was not derived from a passphrase.
            guard request.number == nil || request.derivation != nil else { return nil }
            let derivation = request.derivation ?? PassphraseDerivation()
            let text = try await passphrase()
            return try await Thread.run { _ in
                try derivation.key(from: text, number: request.number ?? 1, label: request.label)
            }
        }
    }
}
#else
/// Sealed fields need the trait `Sealing`:
///
/// ```swift
/// .package(path: "../UserProfile", traits: ["Sealing"])
/// ```
@available(*, unavailable, message: "add traits: [\"Sealing\"] to the dependency on UserProfile")
public typealias SealingKeySource = Never
#endif
