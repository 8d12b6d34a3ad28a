import DataStoreSystem

extension StorageLocation {
    /// Opens the store, runs a closure on it and closes it.
    ///
    /// The kind verifies each record: a damaged store must not crash the program, nor lose records in a copy.
    func withStore<Result>(_ body: (any DataStore) async throws -> Result) async throws -> Result {
        try await kind.verifying.open(at: address, report: nil).closing(after: body)
    }

    /// Opens the store, runs a closure on it and closes it. Throws a `DataStoreError` if no store exists at the
    /// location or if its records do not outlive the process.
    func withExistingStore<Result>(_ body: (any DataStore) async throws -> Result) async throws -> Result {
        try await requireStore()
        return try await withStore(body)
    }

    /// Returns whether a store exists at the location: whether its data file exists, or, for a kind without a data
    /// file, what the kind answers.
    package func exists() async throws -> Bool {
        guard let file = kind.dataFile(at: address) else { return try await kind.exists(at: address) }
        return try FileStatus.ifExists(path: file) != nil
    }

    /// Throws a `DataStoreError` if no store exists at the location or if its records do not outlive the process.
    package func requireStore() async throws {
        try requirePersistence()
        guard try await !exists() else { return }
        // If something else exists at the path, this call fails with the reason. It does not create the store.
        await (try kind.open(at: address, report: nil)).close()
        throw DataStoreError.missing(path: description).adding(operation: "open the store")
    }

    /// Throws a `DataStoreError` if the records do not outlive the process.
    func requirePersistence() throws(DataStoreError) {
        guard !kind.isPersistent else { return }
        throw DataStoreError(
            .unsupported, "it is not persistent; choose a persistent store", operation: "use the store",
            path: description)
    }

    /// Throws a `DataStoreError` if the first write would create more than one directory. If several directories
    /// are missing, the path is probably misspelled.
    package func requireParentDirectory() throws {
        guard let file = kind.dataFile(at: address) else { return }
        let parent = Path(Path(file).parent).parent
        guard try FileStatus.ifExists(path: parent) == nil else { return }
        throw DataStoreError(
            .notAStore, "the directory \(parent.debugDescription) does not exist; create it first",
            operation: "create the store", path: description)
    }

    /// Throws a `DataStoreError` if the target of a copy is this store.
    ///
    /// If both kinds of stores have a data file, the function compares the devices and inodes of the files, which are
    /// different stores if one does not exist. If a kind has no data file, the function compares the locations.
    func requireOther(_ target: StorageLocation) throws {
        var isSame = self == target
        if let file = kind.dataFile(at: address), let targetFile = target.kind.dataFile(at: target.address) {
            let status = try FileStatus.ifExists(path: file)
            isSame = try status != nil && FileStatus.ifExists(path: targetFile)?.id == status?.id
        }
        guard isSame else { return }
        throw DataStoreError(
            .unsupported, "the source is the same store; choose another target", operation: "copy to the store",
            path: target.description)
    }
}

extension FileStatus {
    /// Returns the attributes of the file at a path, or `nil` if no file exists there. Symbolic links are followed.
    static func ifExists(path: String) throws(DataStoreError) -> FileStatus? {
        do throws(DataStoreError) {
            return try FileStatus.of(path: path, followingLinks: true)
        } catch {
            guard let code = error.errno, [ENOTDIR, ELOOP, ENAMETOOLONG].contains(code) else { throw error }
            return nil
        }
    }
}
