public import DataStoreCore

extension DataStore {
    /// Makes indexes for the records that are there, where that is not done, and waits for it. Reads and writes go on
    /// meanwhile: it takes many small transactions, and what was made stays where it is interrupted.
    ///
    /// - Parameters:
    ///   - indexes: the indexes.
    ///   - collection: the collection's name.
    ///   - progress: is told the index and how many records have been looked at, from time to time.
    /// - Throws: `DataStoreError`, with the code `notUnique` where two records have a value that only
    ///   one may have: it names both; `CancellationError`.
    public func buildIndexes(
        _ indexes: [RecordIndex], of collection: String,
        progress: (_ name: String, _ recordCount: Int) -> Void = { _, _ in }
    ) async throws {
        let scan = try Scan(collection, limit: 1)
        for index in indexes {
            let isMade = try await read { transaction in
                try transaction.backend.createIndexInMemory(index, of: collection)
                return try transaction.records(in: scan).isEmpty
                    || IndexCatalogue(of: collection, in: transaction)[index.name]?.isReady(index) == true
            }
            if isMade { continue }
            // Many enough that a commit does not count, few enough that other writes do not wait long.
            let count = 1000
            var seen = 0
            while try await write({ transaction in try transaction.step(index, of: collection, count: count) }) == .more
            {
                seen += count
                progress(index.name, seen)
            }
        }
    }

    /// Compares the entries of indexes with the records.
    ///
    /// - Parameters:
    ///   - indexes: the indexes.
    ///   - collection: the collection's name.
    /// - Returns: what was found, for each of them.
    /// - Throws: `DataStoreError`, e.g. with the code `corrupted` where a record is damaged.
    public func checkIndexes(_ indexes: [RecordIndex], of collection: String) async throws -> [IndexReport] {
        try await read { transaction in
            for index in indexes { try transaction.backend.createIndexInMemory(index, of: collection) }
            let catalogue = try IndexCatalogue(of: collection, in: transaction)
            return try indexes.map { try IndexReport($0, of: collection, catalogue[$0.name], in: transaction) }
        }
    }

    /// Makes indexes again, whatever is there of them: after ``checkIndexes(_:of:)`` has found one that is not right.
    ///
    /// - Parameters:
    ///   - indexes: the indexes.
    ///   - collection: the collection's name.
    ///   - progress: is told the index and how many records have been looked at, from time to time.
    /// - Throws: as ``buildIndexes(_:of:progress:)``.
    public func rebuildIndexes(
        _ indexes: [RecordIndex], of collection: String,
        progress: (_ name: String, _ recordCount: Int) -> Void = { _, _ in }
    ) async throws {
        try await write { transaction in
            var catalogue = try IndexCatalogue(of: collection, in: transaction.reading)
            for index in indexes { catalogue[index.name]?.progress = .outdated }
            try catalogue.put(in: transaction.backend)
        }
        try await buildIndexes(indexes, of: collection, progress: progress)
    }

    /// Removes an index: its entries, and that its values are unique where that was asked for. A write that knows it makes it
    /// again.
    ///
    /// - Parameters:
    ///   - collection: the collection's name.
    ///   - name: the name of the index.
    /// - Returns: whether there was one.
    /// - Throws: `DataStoreError`.
    @discardableResult
    public func removeIndex(of collection: String, named name: String) async throws -> Bool {
        var wasThere = false
        // The entries are removed in steps, too; only then nobody knows any more under which number they are.
        while try await write({ transaction in try transaction.removeStep(name, of: collection, count: 1000) }) {
            wasThere = true
        }
        return wasThere
    }
}

extension WriteTransaction {
    /// Does one step in making an index.
    fileprivate mutating func step(
        _ index: RecordIndex, of collection: String, count: Int
    ) throws(DataStoreError) -> IndexBuilder.Outcome {
        var catalogue = try IndexCatalogue(of: collection, in: reading)
        let outcome = try IndexBuilder(index, of: collection, in: backend).step(&catalogue, count: count)
        try catalogue.put(in: backend)
        return outcome
    }

    /// Does one step in removing an index.
    ///
    /// - Returns: whether there was something to do.
    fileprivate mutating func removeStep(
        _ name: String, of collection: String, count: Int
    ) throws(DataStoreError) -> Bool {
        var catalogue = try IndexCatalogue(of: collection, in: reading)
        guard let state = catalogue[name] else { return false }
        let isEmpty = try IndexBuilder.removeEntries(of: state, count: count, in: backend)
        catalogue[name]?.progress = .outdated
        if isEmpty { catalogue[name] = nil }
        try catalogue.put(in: backend)
        return true
    }
}

extension WriteTransaction {
    /// Maintains indexes of a collection from now on. When the collection is changed, all of its other indexes become invalid:
    /// ``RecordIndex`` explains why.
    ///
    /// - Parameters:
    ///   - indexes: the indexes that the program knows.
    ///   - collection: the collection's name.
    public mutating func maintain(_ indexes: [RecordIndex], of collection: String) {
        let maintenance = self.indexes as? IndexMaintenance ?? IndexMaintenance()
        self.indexes = maintenance
        maintenance.know(indexes, of: collection)
    }
}
