import Synchronization

/// A new file with mode 0600 and an unpredictable name, `.NAME.KIND-RANDOM`, until it is complete. If it is released
/// before, the file is removed.
///
/// Until the file is closed, a lock shows other processes that it is in use.
package final class UnfinishedFile: Sendable {
    /// The open file.
    package let file: File

    private let directory: Directory
    private let temporaryName: String
    private let name: String
    private let finished = Atomic(false)

    /// Creates the file.
    ///
    /// - Parameters:
    ///   - name: The name that the file gets.
    ///   - directory: The directory of the file.
    ///   - kind: The kind in the temporary name.
    /// - Throws: `DataStoreError` if the file cannot be created or locked.
    package init(_ name: String, in directory: Directory, _ kind: String) throws(DataStoreError) {
        for _ in 0..<100 {
            let temporary = Directory.temporaryName(for: name, kind)
            guard let file = try directory.create(temporary) else { continue }
            // Another process may have found and removed the file before it was locked.
            if file.lockAsTemporary(), try directory.status(of: temporary) != nil {
                (self.file, self.directory, temporaryName, self.name) = (file, directory, temporary, name)
                return
            }
            directory.remove(temporary)
        }
        throw DataStoreError(
            .busy, "the system does not lock new files; check the file system and its security policy, and retry",
            path: directory.path(of: name))
    }

    deinit {
        if !isFinished { directory.remove(temporaryName) }
    }

    /// Whether the file has its name.
    package var isFinished: Bool { finished.load(ordering: .relaxed) }

    /// A path that refers to the file even after its directory has been moved.
    package var path: String { "\(directory.pathOfDescriptor)/\(temporaryName)" }

    /// Makes the contents durable, and gives the file its name.
    ///
    /// - Parameter replaces: Whether to replace an existing file.
    /// - Returns: Whether the file has its name. It is `false` if the name exists and `replaces` is `false`.
    /// - Throws: `DataStoreError` if the file cannot be synced or renamed. If only the sync of the directory failed,
    ///   the file has its name.
    @discardableResult
    package func finish(replaces: Bool = true) throws(DataStoreError) -> Bool {
        try file.sync()
        return try directory.syncing { () throws(DataStoreError) in
            guard try directory.rename(temporaryName, to: name, replaces: replaces) else { return false }
            finished.store(true, ordering: .relaxed)
            return true
        }
    }
}
