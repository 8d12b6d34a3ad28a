extension SchemaStore {
    /// Repairs references to records that do not exist, e.g. of a salvaged store, or before a program declares a
    /// reference over existing records. The references of the store and of the schema are repaired by their rules.
    ///
    /// A record is deleted if the rule is `cascade`. If it is `clear`, the id is removed from the record. The records
    /// that refer to a deleted one are found by the indexes of the references, so each collection is scanned once. Each
    /// write repairs up to 1,000 records, and deletes or changes the records that refer to them.
    ///
    /// - Parameters:
    ///   - restricted: The rule for references that restrict deletions. With `restrict`, their records stay the same.
    ///   - isDryRun: Whether to change nothing.
    /// - Returns: One sentence for each reference that is broken, which states what happens to its records, and one for
    ///   each of the first records. The last sentences state how many records are deleted because they refer to deleted
    ///   ones; a dry run does not count them.
    /// - Throws: `CancellationError` if the task is cancelled, or `DataStoreError` if the store cannot be written, e.g.
    ///   with the code `brokenReference` if the deletion of a record is restricted, or `full` if more than 1,000,000
    ///   records refer to the ones that a write deletes. The writes before it stay.
    @discardableResult
    package func repairReferences(
        restricted: Reference.DeletionRule = .restrict, isDryRun: Bool = false
    ) async throws -> [String] {
        let rules = try await store.read { [schema] transaction in
            let stored = try transaction.rules()
            return try (stored.adding(schema) ?? stored).changing { $0.rules.replaceRestrictions(by: restricted) }
        }
        let writer = isDryRun ? nil : try writer(by: rules)
        var report: [String] = []
        var removedCounts: [String: Int] = [:]
        for (name, own) in try rules.all() where !own.references.isEmpty {
            report += try await repair(own.references, of: name, by: rules, with: writer, &removedCounts)
        }
        for (name, count) in removedCounts.sorted(by: { $0.key < $1.key }) where count > 0 {
            report.append("\(count) records of \(name) that referred to deleted records are deleted, too")
        }
        return report
    }

    /// Returns a store that builds the indexes of references. The schema itself would declare the references, which is
    /// refused while they are broken.
    private func writer(by rules: StoreRules) throws -> SchemaStore {
        var schema = schema.withoutDeclarations
        schema.formUnion(
            try Schema(rules.all().map { .init($0.name, indexes: $0.rules.completing([])) }))
        return SchemaStore(store, schema: schema, now: now)
    }

    /// Repairs the references of a collection with the given store, or only finds them without one.
    private func repair(
        _ references: [Reference], of collection: String, by rules: StoreRules, with writer: SchemaStore?,
        _ removedCounts: inout [String: Int]
    ) async throws -> [String] {
        var broken: [Reference: BrokenReferences] = [:]
        var last: String?
        repeat {
            try Task.checkCancellation()
            let batch: RepairBatch =
                if let writer {
                    try await writer.write { [last, now] transaction in
                        try transaction.repair(references, of: collection, after: last, by: rules, at: now())
                    }
                } else {
                    try await store.read { [last, now] transaction in
                        try rules.repairable(references, of: collection, after: last, at: now(), in: transaction)
                    }
                }
            for found in batch.found { broken[found.reference, default: BrokenReferences()].add(found) }
            removedCounts.merge(batch.removedCounts) { $0 + $1 }
            last = batch.last
        } while last != nil
        return references.flatMap { reference in
            guard let found = broken[reference] else { return [String]() }
            return [reference.repair(of: found, in: collection)] + found.findings
        }
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

/// The broken references of the next records of a collection, the id of the last record that was read, or `nil` if no
/// others follow, and the number of records by collection that are deleted because they refer to deleted ones.
private typealias RepairBatch = (found: [BrokenReference], last: String?, removedCounts: [String: Int])

extension StoreRules {
    /// Returns the broken references of the next records of a collection, without the other ones of records that are
    /// deleted, and the id of the last record that was read, or `nil` if no others follow.
    fileprivate func repairable(
        _ references: [Reference], of collection: String, after last: String?, at now: Timestamp,
        in transaction: borrowing ReadTransaction
    ) throws(DataStoreError) -> RepairBatch {
        let batch = try broken(references, of: collection, after: last, at: now, in: transaction)
        let removed = Set(batch.found.filter { $0.reference.deletionRule == .cascade }.map(\.from))
        let found = batch.found.filter { $0.reference.deletionRule == .cascade || !removed.contains($0.from) }
        return (found, batch.last, [:])
    }
}

extension WriteTransaction {
    fileprivate mutating func repair(
        _ references: [Reference], of collection: String, after last: String?, by rules: StoreRules, at now: Timestamp
    ) throws -> RepairBatch {
        let maintenance = maintenance as? RecordMaintenance
        maintenance?.repair(by: rules)
        var batch = try rules.repairable(references, of: collection, after: last, at: now, in: reading)
        for (key, found) in Dictionary(grouping: batch.found, by: \.from) {
            guard let old = try record(for: key) else { continue }
            if found.contains(where: { $0.reference.deletionRule == .cascade }) {
                try remove(key)
                continue
            }
            let cleared = found.filter { $0.reference.deletionRule == .clear }
            if cleared.isEmpty { continue }
            let record = cleared.reduce(old) { $1.reference.clearing($1.to.id, in: $0) }
            try put(RecordView(record), for: key, replacing: .read(old))
        }
        batch.removedCounts = try maintenance?.finish(in: backend) ?? [:]
        return batch
    }
}
