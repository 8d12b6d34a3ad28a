extension SchemaStore {
    /// Finds references to records that do not exist, e.g. after a part of a damaged store was salvaged.
    ///
    /// - Returns: The broken references of each collection that has some.
    /// - Throws: `DataStoreError` if the store cannot be read.
    package func brokenReferences() async throws -> [BrokenReferences] {
        try await store.read { [now] transaction in
            let rules = try transaction.rules()
            return try rules.all().map { name, own in
                try rules.broken(own.references, of: name, at: now(), in: transaction)
            }.filter { $0.count > 0 }
        }
    }
}

extension StoreRules {
    /// The number of records whose references are read at once.
    private static let batchCount = 1000

    /// Returns the references of a collection whose records do not exist.
    func broken(
        _ references: [Reference], of collection: String, at now: Timestamp, in transaction: borrowing ReadTransaction
    ) throws(DataStoreError) -> BrokenReferences {
        var broken = BrokenReferences()
        var last: String?
        repeat {
            let batch = try self.broken(references, of: collection, after: last, at: now, in: transaction)
            for reference in batch.found { broken.add(reference) }
            last = batch.last
        } while last != nil
        return broken
    }

    /// Returns the broken references of the next records of a collection, and the id of the last of these records if
    /// others follow.
    func broken(
        _ references: [Reference], of collection: String, after last: String?, at now: Timestamp,
        in transaction: borrowing ReadTransaction
    ) throws(DataStoreError) -> (found: [BrokenReference], last: String?) {
        var candidates: [BrokenReference] = []
        let next = try transaction.forEach(of: collection, after: last ?? "", limit: Self.batchCount) {
            key, view throws(DataStoreError) in
            for reference in references {
                candidates += try reference.ids(in: view).map { id in
                    BrokenReference(from: key, reference: reference, to: Key(stored: id, in: reference.target))
                }
            }
            return 0
        }
        // The targets are read after the scan of a batch, because a server runs one scan at a time.
        var found: [BrokenReference] = []
        for reference in candidates where try !exists(reference.to, at: now, in: transaction) {
            found.append(reference)
        }
        return (found, next)
    }
}

/// A reference to a record that does not exist.
package struct BrokenReference: Hashable, Sendable {
    /// The record with the reference.
    package let from: Key
    /// The reference whose field contains the id.
    let reference: Reference
    /// The missing record.
    package let to: Key
}

/// The references of a collection to records that do not exist.
package struct BrokenReferences: Hashable, Sendable {
    /// The maximum number of references that are listed.
    private static let listedCount = 20

    /// The first broken references.
    package private(set) var references: [BrokenReference] = []
    /// The number of all broken references.
    package private(set) var count = 0

    /// One sentence for each of the first references, and one with the number of all others.
    package var findings: [String] {
        let rest = count - references.count
        return references.map { broken in
            "the record \(broken.from) refers by \(broken.reference.field.path) to \(broken.to), which does not exist"
        }
            + (rest > 0 ? ["\(rest) more references of the same collection are broken"] : [])
    }

    /// The error of a program that declares the references, or `nil` if none is broken.
    var error: DataStoreError? {
        guard let first = references.first else { return nil }
        let field = first.reference.field.path
        let list = references.map { "\($0.from) to \($0.to)" }.joined(separator: ", ")
        var error = DataStoreError(
            .brokenReference,
            "\(count) references to \(first.to.collection) by \(field) are broken: \(list)"
                + (count > references.count ? ", …" : "") + "; delete or change these records first, or repair the "
                + "references", operation: "declare the reference \(field) of \(first.from.collection)")
        error.conflict =
            DataStoreError.brokenReference(from: first.from, by: field, to: first.to, isRemoval: false).conflict
        return error
    }

    mutating func add(_ reference: BrokenReference) {
        if references.count < Self.listedCount { references.append(reference) }
        count += 1
    }
}
