#if Sealing
import Crypto
import CryptoExtras

/// The parameters with which scrypt (RFC 7914) derives a key from a passphrase. A store keeps them beside the keys that
/// the key opens.
package struct PassphraseDerivation: Hashable, Sendable {
    /// The binary logarithms of the accepted cost parameters N. One derivation needs N KiB of memory, so a store can
    /// neither demand more than 256 MiB nor a derivation that is cheap to guess.
    static let costs = 14...18
    private static let saltByteCount = 16

    /// The binary logarithm of the cost parameter N. The block size r is 8, and the parallelization p is 1.
    let cost: Int
    let salt: [UInt8]

    /// Creates parameters with a new salt. The default cost needs 128 MiB, and a third of a second on a server.
    package init(cost: Int = 17) {
        self.cost = cost
        salt = (0..<PassphraseDerivation.saltByteCount).map { _ in .random(in: 0...255) }
    }

    /// Reads the parameters from a store, whose writer is not trusted.
    ///
    /// - Throws: `DataStoreError` with the code `unsupportedFormat` if the algorithm is unknown, or `corrupted` if a
    ///   parameter is out of its bounds.
    init(record: Record) throws(DataStoreError) {
        guard record["algorithm"] == .string("scrypt") else {
            throw DataStoreError(
                .unsupportedFormat, "the passphrase needs an algorithm that this program does not know")
        }
        guard record.count == 5, record["r"] == .integer(8), record["p"] == .integer(1),
            case .integer(let n)? = record["n"],
            let cost = PassphraseDerivation.costs.first(where: { 1 << $0 == n }),
            case .data(let salt)? = record["salt"], salt.count == PassphraseDerivation.saltByteCount
        else { throw .damagedEnvelope("the parameters of the passphrase are out of bounds") }
        self.cost = cost
        self.salt = salt
    }

    var record: Record {
        [
            "algorithm": .string("scrypt"), "n": .integer(1 << cost), "r": .integer(8), "p": .integer(1),
            "salt": .data(salt),
        ]
    }

    /// Derives the key from a passphrase, compared by its UTF-8 bytes. The function takes long and blocks its thread.
    func key(from passphrase: String, number: UInt32, label: String) throws(DataStoreError) -> SealingKey {
        guard !passphrase.isEmpty else { throw .wrongSealingKey("the passphrase is empty") }
        let material: SymmetricKey
        do {
            material = try KDF.Scrypt.deriveKey(
                from: Array(passphrase.utf8), salt: salt, outputByteCount: SealingKey.byteCount, rounds: 1 << cost,
                blockSize: 8, parallelism: 1)
        } catch {
            throw DataStoreError(.full, "the key needs \(1 << (cost - 10)) MiB of memory", underlying: error)
        }
        return try SealingKey(number: number, label: label, material: material, derivation: self)
    }
}
#endif
