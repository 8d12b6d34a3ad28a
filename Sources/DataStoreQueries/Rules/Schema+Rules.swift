package import DataStoreCore

extension Reference {
    /// The declaration of the reference as an operation of an error.
    fileprivate func declaration(of collection: String) -> String {
        "declare the reference \(field.name) of \(collection)"
    }
}

extension Schema.Collection {
    /// Throws a `DataStoreError` with the code `misuse` if no record can have the field of a rule, or if the field
    /// cannot have the values that the rule needs.
    func checkRules() throws(DataStoreError) {
        for reference in rules.references {
            let operation = reference.declaration(of: name)
            try Key.validate(collection: reference.target)
            if let problem = problem(with: reference.field) {
                throw DataStoreError(.misuse, problem, operation: operation)
            }
            if rules.references.count(where: { $0.field.stored == reference.field.stored }) > 1 {
                throw DataStoreError(
                    .misuse, "the field is declared twice; keep one of the references", operation: operation)
            }
            if reference.deletionRule == .clear, requiredFields.contains(reference.field.stored.name) {
                throw DataStoreError(
                    .misuse, "the field is required, so it cannot be cleared; make it optional, or choose another rule",
                    operation: operation)
            }
        }
        for (field, name) in [(rules.expiry, "expiry"), (rules.owner, "owner")] {
            guard let field else { continue }
            let problem = field.isSingle ? problem(with: field) : "\(field.name) has several values"
            if let problem { throw DataStoreError(.misuse, problem, operation: "declare the \(name) of \(self.name)") }
        }
        if let expiry = rules.expiry, let problem = fields.problem(with: expiry, .date, isRecord: false, of: recordName)
        {
            throw DataStoreError(.misuse, problem, operation: "declare the expiry of \(name)")
        }
    }

    private func problem(with field: QueryField) -> String? {
        guard field.components.isEmpty else { return "\(field.name) combines several fields" }
        return problem(with: field, nil, isRecord: false)
    }
}

extension StoreRules {
    /// Throws a `DataStoreError` with the code `misuse` if a reference restricts the deletion of records that expire.
    /// They end at their date, whatever refers to them.
    func checkRestrictions() throws(DataStoreError) {
        for name in names {
            for reference in try rules(of: name).references where reference.deletionRule == .restrict {
                guard try rules(of: reference.target).expiry != nil else { continue }
                throw DataStoreError(
                    .misuse,
                    "the records of \(reference.target) expire, so a reference cannot restrict their deletion; choose "
                        + "cascade or clear", operation: reference.declaration(of: name))
            }
        }
    }

    /// Checks that the records of a store follow the references that a schema adds.
    ///
    /// - Throws: `DataStoreError` with the code `brokenReference` if records refer to records that do not exist. The
    ///   error names the first ones.
    func check(
        of schema: Schema, replacing old: StoreRules, at now: Timestamp, in backend: any WriteBackend
    ) throws(DataStoreError) {
        for collection in schema.collections {
            let known = try old.rules(of: collection.name).references
            let added = collection.rules.references.filter { reference in
                !known.contains { $0.field == reference.field && $0.target.hasSameBytes(as: reference.target) }
            }
            if added.isEmpty { continue }
            let broken = try broken(added, of: collection.name, at: now, in: ReadTransaction(backend))
            if let first = broken.references.first { throw first.error(listing: broken) }
        }
    }

    /// Returns the references of a collection whose records do not exist.
    func broken(
        _ references: [Reference], of collection: String, at now: Timestamp, in transaction: borrowing ReadTransaction
    ) throws(DataStoreError) -> BrokenReferences {
        var broken = BrokenReferences()
        var candidates: [(from: Key, reference: Reference, to: Key)] = []
        var failure: DataStoreError?
        var last: String?
        repeat {
            candidates = []
            // The targets are read after the scan of a batch, because a server runs one scan at a time.
            let scan = Scan(stored: collection, ids: last.map { .after($0) } ?? .all, limit: 1000)
            last = nil
            var count = 0
            try transaction.backend.scan(scan) { key, view in
                do throws(DataStoreError) {
                    for reference in references {
                        for id in try reference.ids(in: view) {
                            candidates.append((key, reference, Key(stored: id, in: reference.target)))
                        }
                    }
                    (last, count) = (key.id, count + 1)
                    return .next
                } catch {
                    failure = error.adding(operation: "read a record", key: key)
                    return .stop
                }
            }
            if let failure { throw failure }
            if count < 1000 { last = nil }
            for (key, reference, target) in candidates {
                let expiry = try rules(of: reference.target).expiry
                let exists = try transaction.view(of: target) { view throws(DataStoreError) in
                    guard let expiry else { return true }
                    return try !view.hasExpired(by: expiry, at: now)
                }
                if exists != true { broken.add(BrokenReference(from: key, field: reference.field.path, to: target)) }
            }
        } while last != nil
        return broken
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

    fileprivate func error(listing all: BrokenReferences) -> DataStoreError {
        let first = DataStoreError.brokenReference(from: from, by: field, to: to, isRemoval: false)
        let list = all.references.map { "\($0.from) to \($0.to)" }.joined(separator: ", ")
        var error = DataStoreError(
            .brokenReference,
            "\(all.count) references to \(to.collection) by \(field) are broken: \(list)"
                + (all.count > all.references.count ? ", …" : "") + "; delete or change these records first",
            operation: "declare the reference \(field) of \(from.collection)")
        error.conflict = first.conflict
        return error
    }
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

    fileprivate mutating func add(_ reference: BrokenReference) {
        if references.count < Self.listedCount { references.append(reference) }
        count += 1
    }
}
