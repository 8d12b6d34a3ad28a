extension SchemaStore {
    /// Builds missing indexes that the schema declares, and rebuilds every invalid index of the store.
    ///
    /// To build an index of a collection of fewer than 1,000 records and less than 8 MiB, the function makes one write.
    /// For a larger collection it makes several writes, and other reads and writes run between them. Several programs
    /// can share the work, and an interruption loses only the current write. If all indexes are complete, the function
    /// only reads.
    ///
    /// A unique index is declared even if its collection is empty, so that programs that do not declare the index
    /// enforce it, too. A store in memory creates a non-unique index only when a query needs the index.
    ///
    /// - Parameter progress: A closure that receives the names of a collection and the indexed field, e.g.
    ///   `trips by title`, and an upper bound of the number of records that the build of the index has processed.
    /// - Throws: `DataStoreError` with the code `notUnique` if two records have the same value of a field that the
    ///   schema declares unique. The error names both records. If the index has never been complete, the store no
    ///   longer treats it as unique. `CancellationError` if the task is cancelled.
    public func buildIndexes(progress: (_ index: String, _ count: Int) -> Void = { _, _ in }) async throws {
        let names = try await store.read { transaction in
            try collections(in: transaction).filter { try needsBuild($0, in: transaction) }
        }
        for name in names {
            // A blocked index of another program does not prevent this program from opening the store. Writes that the
            // index cannot check are rejected.
            let blocked = try await build(name, progress).first { blocked in
                schema.indexes(of: name).contains {
                    $0.isUnique && blocked.index?.name.hasSameBytes(as: $0.name) == true
                }
            }
            if let cause = blocked?.underlying { throw cause }
        }
    }

    /// Compares the entries of all indexes with the records.
    ///
    /// - Parameter progress: A closure that receives the names of a collection and the indexed field, e.g.
    ///   `trips by title`, and the number of records that have been compared with the index.
    /// - Returns: A description of each index of the store, with the differences.
    /// - Throws: `DataStoreError`, e.g. with the code `corrupted` if a record is damaged.
    package func checkIndexes(
        progress: @escaping @Sendable (_ index: String, _ count: Int) -> Void = { _, _ in }
    ) async throws -> [IndexReport] {
        try await store.read { transaction in
            try collections(in: transaction).flatMap { name in
                let catalogue = try IndexCatalogue(of: name, in: transaction)
                let known = try catalogue.indexes.map { index in
                    try IndexReport(comparing: index, of: name, in: transaction) { count in
                        progress("\(name) by \(index.name)", count)
                    }
                }
                return known + catalogue.unknownNames.map { IndexReport(unknown: $0, of: name) }
            }
        }
    }

    /// Rebuilds all indexes of the store, e.g. after `profile-cli store check` has found a damaged one. The records
    /// stay as they are.
    ///
    /// ```swift
    /// try await storage.records.rebuildIndexes { index, count in print("\(index): \(count) records") }
    /// ```
    ///
    /// - Parameter progress: A closure that receives the index, e.g. `trips by title`, and the number of records
    ///   processed so far, at most.
    /// - Throws: The errors of ``buildIndexes(progress:)``.
    public func rebuildIndexes(progress: (_ index: String, _ count: Int) -> Void = { _, _ in }) async throws {
        try await store.write { transaction in
            for name in try collections(in: transaction.reading) {
                try transaction.backend.changeCatalogue(of: name) { $0.invalidateAll() }
            }
        }
        try await buildIndexes(progress: progress)
    }

    /// Removes an index with its entries. If the index was unique, records may have equal values from then on.
    ///
    /// A program that declares the index builds it again when it opens the store. Remove the declaration from all
    /// programs first.
    ///
    /// - Parameters:
    ///   - collection: The name of the collection.
    ///   - name: The name of the index, e.g. `title`.
    /// - Returns: Whether the index existed.
    /// - Throws: `DataStoreError` if the store cannot be written.
    @discardableResult
    public func removeIndex(of collection: String, named name: String) async throws -> Bool {
        // Under the empty collection name, the store keeps the last number assigned to an index.
        if collection.isEmpty { return false }
        var existed = false
        while try await store.write({ try $0.removeIndexStep(of: collection, named: name) }) { existed = true }
        return existed
    }

    /// Returns the name of every collection that contains records, has indexes, or is declared by the schema.
    private func collections(in transaction: borrowing ReadTransaction) throws(DataStoreError) -> [String] {
        var names = try transaction.collections()
        names.appendMissing(try schema.collections.map(\.name) + transaction.indexedCollections())
        return names
    }

    // MARK: Steps

    private func needsBuild(_ collection: String, in transaction: borrowing ReadTransaction) throws -> Bool {
        let declared = try transaction.rules().rules(of: collection).completing(schema.indexes(of: collection))
        let catalogue = try IndexCatalogue(of: collection, in: transaction)
        if !catalogue.satisfies(declared.filter(\.isUnique)) { return true }
        let backend = transaction.backend
        if backend.isInMemory {
            return try catalogue.indexes.contains { index in
                guard index.isUnique else { return false }
                do {
                    try backend.addIndexInMemory(index.definition, of: collection)
                    return false
                } catch let error as DataStoreError where error.code == .notUnique {
                    return true
                }
            }
        }
        if !catalogue.indexes.allSatisfy(\.isReady) { return true }
        if catalogue.satisfies(declared) { return false }
        return try !transaction.isEmpty(collection)
    }

    /// Completes the indexes of a collection.
    ///
    /// - Returns: An error for each unique index that cannot be completed because records have equal values.
    func build(
        _ collection: String, _ progress: (_ index: String, _ count: Int) -> Void
    ) async throws -> [DataStoreError] {
        let declared = schema.indexes(of: collection)
        var (current, count) = ("", 0)
        var blocked: [DataStoreError] = []
        while true {
            do {
                let skipped = blocked.compactMap { $0.index?.name }
                let name = try await store.write { transaction in
                    try transaction.buildStep(declared, of: collection, skipping: skipped, count: schema.indexStepCount)
                }
                guard let name else { return blocked }
                count = (name == current ? count : 0) + schema.indexStepCount
                current = name
                progress("\(collection) by \(name)", count)
            } catch let error as DataStoreError where error.code == .indexNotReady {
                guard let name = error.index?.name else { throw error }
                let isDeclared = declared.contains { $0.isUnique && $0.name.hasSameBytes(as: name) }
                // A withdrawn declaration of another program no longer blocks writes.
                if try await !withdraw(name, of: collection) || isDeclared { blocked.append(error) }
            }
        }
    }

    /// Makes a unique index non-unique after the caller has found records with equal values. Does nothing if the store
    /// already enforces the uniqueness.
    ///
    /// - Returns: Whether the index is now non-unique.
    private func withdraw(_ name: String, of collection: String) async throws -> Bool {
        try await store.write { transaction in
            var catalogue = try IndexCatalogue(of: collection, in: transaction.reading)
            // Another program may have withdrawn the declaration meanwhile, or a crash before the first step may have
            // left no declaration.
            guard var state = catalogue[name], state.isUnique else { return true }
            guard state.uniqueness == .pending else { return false }
            state.uniqueness = .no
            state.progress = .invalid
            catalogue[name] = state
            try catalogue.put(in: transaction.backend)
            return true
        }
    }
}

extension WriteTransaction {
    /// Runs one step of building the indexes of a collection.
    ///
    /// - Returns: The name of the index on which the step worked, or `nil` if no other step is needed: if all indexes
    ///   were complete, or if the store keeps its records in memory, where one step builds them all.
    /// - Throws: `DataStoreError` with the code `indexNotReady` if records have equal values of a unique field.
    fileprivate mutating func buildStep(
        _ declared: [IndexDefinition], of collection: String, skipping: [String], count: Int
    ) throws -> String? {
        var catalogue = try IndexCatalogue(of: collection, in: reading)
        let declared = try reading.rules().rules(of: collection).completing(declared)
        // A withdrawn declaration must not be declared again.
        for index in declared where !skipping.contains(where: index.name.hasSameBytes) {
            try catalogue.declare(index, in: backend)
        }
        // In memory, only unique indexes are built here. Queries create the others when they need them.
        let isInMemory = backend.isInMemory
        let incomplete = catalogue.indexes.filter { index in
            !index.isReady && (index.isUnique || !isInMemory) && !skipping.contains(where: index.name.hasSameBytes)
        }
        for index in incomplete {
            do throws(DataStoreError) {
                try catalogue.build(index, count: isInMemory ? nil : count, in: backend)
            } catch {
                guard error.code == .notUnique else { throw error }
                throw DataStoreError.indexNotReady(index.name, of: collection, cause: error)
            }
            // In memory, one step builds all incomplete indexes. If another process changed the file between two steps,
            // the second step would start again.
            if !isInMemory { break }
        }
        try catalogue.put(in: backend)
        return isInMemory ? nil : incomplete.first?.name
    }

    /// Runs one step of removing an index.
    ///
    /// - Returns: Whether the step removed something.
    fileprivate mutating func removeIndexStep(
        of collection: String, named name: String
    ) throws(DataStoreError) -> Bool {
        var catalogue = try IndexCatalogue(of: collection, in: reading)
        if let index = catalogue.index(named: name) {
            _ = try catalogue.remove(index, atMost: 1000, in: backend)
        } else if try !catalogue.removeUnknown(name, in: backend) {
            return false
        }
        try catalogue.put(in: backend)
        return true
    }
}

extension [String] {
    /// Appends the names that the array does not contain yet.
    mutating func appendMissing(_ names: [String]) {
        for name in names where !contains(where: name.hasSameBytes) { append(name) }
    }
}
