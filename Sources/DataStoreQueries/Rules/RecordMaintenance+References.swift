extension RecordMaintenance {
    /// The maximum number of referring records that are changed before the next ones are found.
    private static let batchCount = 1000

    /// Notes that a record with references has been stored.
    ///
    /// Most records refer to records that exist. If one of them is removed later in the transaction, its removal finds
    /// the referring record.
    func noteReferences(
        _ references: [Reference], of record: borrowing RecordView, for key: Key,
        replacing old: borrowing ReplacedRecord,
        in backend: any WriteBackend
    ) throws(DataStoreError) {
        for reference in references {
            let ids = try reference.ids(in: record)
            switch old {
            case .stored(let old): if try reference.ids(in: old) == ids { continue }
            default: break
            }
            for id in ids where try !exists(Key(stored: id, in: reference.target), in: backend) {
                referring.append(key)
                return
            }
        }
    }

    /// Returns whether a record exists and has not expired.
    func exists(_ key: Key, in backend: any WriteBackend) throws(DataStoreError) -> Bool {
        try rules(in: backend).exists(key, at: now(), in: ReadTransaction(backend))
    }

    /// Applies the deletion rules to the records that refer to removed ones, and checks the references of the
    /// transaction.
    ///
    /// - Returns: The number of records that the deletion rules have removed, by collection.
    /// - Throws: `DataStoreError` with the code `brokenReference` if a record refers to a missing one, `full` if the
    ///   rules would change too many records, or `indexNotReady` if the index of a reference is incomplete.
    @discardableResult
    func finish(in backend: any WriteBackend) throws(DataStoreError) -> [String: Int] {
        if removed.isEmpty, referring.isEmpty { return [:] }
        var removedCounts: [String: Int] = [:]
        let rules = try rules(in: backend)
        func isRestricted(_ reference: Reference) -> Bool { restrictsAll || reference.deletionRule == .restrict }
        var (next, count) = (0, 0)
        // Deletions that the rules cause are appended to the list.
        while next < removed.count {
            let target = removed[next]
            next += 1
            if try exists(target, in: backend) { continue }
            for (collection, reference) in rules.references(to: target.collection) where !isRestricted(reference) {
                let changed = try apply(reference, of: collection, to: target, &count, in: backend)
                if reference.deletionRule == .cascade { removedCounts[collection, default: 0] += changed }
            }
        }
        // A referring record may have been removed after the record to which it refers.
        for target in removed where try !exists(target, in: backend) {
            for (collection, reference) in rules.references(to: target.collection) where isRestricted(reference) {
                guard let id = try referrers(to: target, reference, in: collection, limit: 1, backend).first
                else { continue }
                throw .brokenReference(
                    from: Key(stored: id, in: collection), by: reference.field.path, to: target, isRemoval: true)
            }
        }
        for key in referring where !isRepair {
            guard let record = try ReadTransaction(backend).record(for: key) else { continue }
            for reference in try rules.rules(of: key.collection).references {
                for id in try reference.ids(in: RecordView(record)) {
                    let target = Key(stored: id, in: reference.target)
                    guard try !exists(target, in: backend) else { continue }
                    throw .brokenReference(from: key, by: reference.field.path, to: target, isRemoval: false)
                }
            }
        }
        (referring, removed) = ([], [])
        return removedCounts
    }

    /// Removes or changes the records of a collection that refer to a removed record. Returns their number.
    private func apply(
        _ reference: Reference, of collection: String, to target: Key, _ count: inout Int, in backend: any WriteBackend
    ) throws(DataStoreError) -> Int {
        let start = count
        while true {
            let ids = try referrers(to: target, reference, in: collection, limit: Self.batchCount, backend)
            if ids.isEmpty { return count - start }
            count += ids.count
            guard count <= schema.maximumCascadeCount else {
                throw DataStoreError(
                    .full,
                    "more than \(schema.maximumCascadeCount) records would be changed, because they refer to "
                        + "deleted records; delete them in several transactions first",
                    operation: "remove a record", key: target)
            }
            for id in ids {
                let key = Key(stored: id, in: collection)
                if reference.deletionRule == .cascade {
                    _ = try remove(key, in: backend)
                } else if let old = try ReadTransaction(backend).record(for: key) {
                    let record = reference.clearing(target.id, in: old)
                    guard record != old else {
                        throw .damaged(index: reference.field.name, "\(key) does not refer to \(target)")
                    }
                    try put(RecordView(record), for: key, replacing: .read(old), in: backend)
                }
            }
        }
    }

    /// Returns the ids of records that refer to a record, found by the index of the reference.
    func referrers(
        to target: Key, _ reference: Reference, in collection: String, limit: Int, _ backend: any WriteBackend
    ) throws(DataStoreError) -> [String] {
        let index = try index(on: reference.field, of: collection, in: backend)
        var ids: [String] = []
        for value in reference.indexedValues(for: target.id) where ids.count < limit {
            ids += try index.ids(
                of: value.indexText, in: collection, limit: limit - ids.count, ReadTransaction(backend))
        }
        return ids
    }

    /// Returns the complete index of a field. A store in memory builds it.
    private func index(
        on field: QueryField, of collection: String, in backend: any WriteBackend
    ) throws(DataStoreError) -> Index {
        if backend.isInMemory {
            try backend.addIndexInMemory(IndexDefinition(field), of: collection)
            forget(collection)
        }
        let index = try maintained(of: collection, in: backend).indexes.first { $0.field == field }
        guard let index, index.isReady else { throw .indexNotReady(field.name, of: collection) }
        return index
    }
}

extension DataStoreError {
    /// Returns the error which states that a record refers to a record that does not exist.
    ///
    /// - Parameters:
    ///   - referrer: The record with the reference.
    ///   - field: The path of the field.
    ///   - target: The record to which it refers.
    ///   - isRemoval: Whether the transaction has removed the target. Otherwise it has stored the referrer.
    /// - Returns: The error, with the code `brokenReference`.
    static func brokenReference(
        from referrer: Key, by field: String, to target: Key, isRemoval: Bool
    ) -> DataStoreError {
        let other = isRemoval ? referrer : target
        var error = DataStoreError(
            .brokenReference,
            isRemoval
                ? "the record \(referrer) still refers to it by the field \(field); delete or change it first"
                : "the field \(field) refers to the record \(target), which does not exist; save it first",
            operation: isRemoval ? "remove a record" : "save a record", key: isRemoval ? target : referrer)
        error.conflict = Conflict(collection: other.collection, id: other.id, fields: [field])
        return error
    }
}
