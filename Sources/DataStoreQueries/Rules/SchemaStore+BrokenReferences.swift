package import DataStoreCore

extension SchemaStore {
    /// Finds references to records that do not exist, e.g. after a part of a damaged store was salvaged.
    ///
    /// - Returns: The broken references of each collection that has some.
    /// - Throws: `DataStoreError` if the store cannot be read.
    package func brokenReferences() async throws -> [BrokenReferences] {
        try await store.read { [now] transaction in
            let rules = try transaction.rules()
            var found: [BrokenReferences] = []
            for name in rules.names {
                let references = try rules.rules(of: name).references
                let broken = try rules.broken(references, of: name, at: now(), in: transaction)
                if broken.count > 0 { found.append(broken) }
            }
            return found
        }
    }

    /// Repairs references to records that do not exist, e.g. of a salvaged store, or before a program declares a
    /// reference over existing records. The references of the store and of the schema are repaired by their rules.
    ///
    /// A record is deleted if the rule is `cascade`. If it is `clear`, the id is removed from the record. Each write
    /// repairs up to 1,000 records, so other writes do not wait long.
    ///
    /// - Parameters:
    ///   - restricted: The rule for references that restrict deletions. With `restrict`, their records stay the same.
    ///   - isDryRun: Whether to change nothing.
    /// - Returns: One sentence for each reference that is broken, which states what happens to its records, and one for
    ///   each of the first records. A repair may break other references, which are repaired and returned, too.
    /// - Throws: `CancellationError` if the task is cancelled, or `DataStoreError` if the store cannot be written, e.g.
    ///   with the code `brokenReference` if the deletion of a record is restricted.
    @discardableResult
    package func repairReferences(
        restricted: Reference.DeletionRule = .restrict, isDryRun: Bool = false
    ) async throws -> [String] {
        let rules = try await store.read { [schema] transaction in
            let stored = try transaction.rules()
            return try stored.adding(schema) ?? stored
        }
        var report: [String] = []
        while true {
            var (repaired, left): ([String], [String]) = ([], [])
            for name in rules.names {
                for reference in try rules.rules(of: name).references {
                    var reference = reference
                    if reference.deletionRule == .restrict { reference.deletionRule = restricted }
                    let broken = try await repair(reference, of: name, rules, isDryRun: isDryRun)
                    guard broken.count > 0 else { continue }
                    let sentences = [reference.repair(of: broken, in: name)] + broken.findings
                    if reference.deletionRule == .restrict { left += sentences } else { repaired += sentences }
                }
            }
            report += repaired
            if isDryRun || repaired.isEmpty { return report + left }
        }
    }

    private func repair(
        _ reference: Reference, of collection: String, _ rules: StoreRules, isDryRun: Bool
    ) async throws -> BrokenReferences {
        if isDryRun || reference.deletionRule == .restrict {
            return try await store.read { [now] transaction in
                try rules.broken([reference], of: collection, at: now(), in: transaction)
            }
        }
        // A write with the schema itself would declare the references, which is refused while they are broken.
        let writer = SchemaStore(store, schema: schema.withoutDeclarations, now: now)
        var broken = BrokenReferences()
        var last: String?
        repeat {
            try Task.checkCancellation()
            let batch = try await writer.write { [last, now] transaction in
                let batch = try rules.broken(
                    [reference], of: collection, after: last, at: now(), in: transaction.reading)
                for (key, references) in Dictionary(grouping: batch.found, by: \.from) {
                    guard let old = try transaction.record(for: key) else { continue }
                    if reference.deletionRule == .cascade {
                        try transaction.remove(key)
                    } else {
                        let cleared = references.reduce(old) { reference.clearing($1.to.id, in: $0) }
                        try transaction.put(cleared, for: key, replacing: .read(old))
                    }
                }
                return batch
            }
            for reference in batch.found { broken.add(reference) }
            last = batch.last
        } while last != nil
        return broken
    }
}

extension Reference {
    /// A sentence about the repair of broken references.
    fileprivate func repair(of broken: BrokenReferences, in collection: String) -> String {
        let repair =
            switch deletionRule {
            case .restrict: "they stay, because the reference restricts deletions; choose cascade or clear"
            case .cascade: "their records are deleted"
            case .clear: "they are removed from their records"
            }
        return "\(broken.count) references of \(collection) by \(field.path) to missing records of \(target): \(repair)"
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
    fileprivate func broken(
        _ references: [Reference], of collection: String, after last: String?, at now: Timestamp,
        in transaction: borrowing ReadTransaction
    ) throws(DataStoreError) -> (found: [BrokenReference], last: String?) {
        var candidates: [BrokenReference] = []
        var failure: DataStoreError?
        var (read, count): (String?, Int) = (nil, 0)
        let scan = Scan(stored: collection, ids: last.map { .after($0) } ?? .all, limit: Self.batchCount)
        try transaction.backend.scan(scan) { key, view in
            do throws(DataStoreError) {
                for reference in references {
                    for id in try reference.ids(in: view) {
                        let target = Key(stored: id, in: reference.target)
                        candidates.append(BrokenReference(from: key, field: reference.field.path, to: target))
                    }
                }
                (read, count) = (key.id, count + 1)
                return .next
            } catch {
                failure = error.adding(operation: "read a record", key: key)
                return .stop
            }
        }
        if let failure { throw failure }
        // The targets are read after the scan of a batch, because a server runs one scan at a time.
        var found: [BrokenReference] = []
        for reference in candidates where try !exists(reference.to, at: now, in: transaction) {
            found.append(reference)
        }
        return (found, count < Self.batchCount ? nil : read)
    }
}

/// A reference to a record that does not exist.
package struct BrokenReference: Hashable, Sendable {
    /// The record with the reference.
    package let from: Key
    /// The path of the field.
    package let field: String
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
        return references.map { "the record \($0.from) refers by \($0.field) to \($0.to), which does not exist" }
            + (rest > 0 ? ["\(rest) more references of the same collection are broken"] : [])
    }

    /// The error of a program that declares the references, or `nil` if none is broken.
    var error: DataStoreError? {
        guard let first = references.first else { return nil }
        let list = references.map { "\($0.from) to \($0.to)" }.joined(separator: ", ")
        var error = DataStoreError(
            .brokenReference,
            "\(count) references to \(first.to.collection) by \(first.field) are broken: \(list)"
                + (count > references.count ? ", …" : "") + "; delete or change these records first, or repair the "
                + "references", operation: "declare the reference \(first.field) of \(first.from.collection)")
        error.conflict =
            DataStoreError.brokenReference(from: first.from, by: first.field, to: first.to, isRemoval: false).conflict
        return error
    }

    fileprivate mutating func add(_ reference: BrokenReference) {
        if references.count < Self.listedCount { references.append(reference) }
        count += 1
    }
}
