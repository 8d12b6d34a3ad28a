/// The row of a writer in the table `writers`. Each commit of the writer changes it, so the row tells whether a commit
/// took place.
///
/// The row contains the random tokens of the last transactions. After a connection was lost during a commit, the writer
/// updates the row with a new connection. The update waits for the lost transaction, or makes it fail, because its
/// snapshot is older. After that, the transaction was committed if and only if the row contains its token.
struct WriterSlot {
    /// The number of rows. A writer usually has a row of its own, because two writers of one row conflict.
    static let count = 64
    static let tokenByteCount = 16
    /// The number of tokens in a row. It is more than one, because another writer may take over the row.
    static let tokenCount = 8

    /// The number of the row.
    let number: Int

    /// Returns a random token.
    static func makeToken() -> [UInt8] {
        var generator = SystemRandomNumberGenerator()
        return (0..<tokenByteCount).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
    }

    /// Returns whether the tokens of a row contain a token.
    static func tokens(_ tokens: [UInt8], contain token: [UInt8]) -> Bool {
        stride(from: 0, to: tokens.count, by: tokenByteCount).contains { tokens[$0...].starts(with: token) }
    }
}
