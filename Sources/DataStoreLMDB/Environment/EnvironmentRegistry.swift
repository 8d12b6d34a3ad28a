import DataStoreCore

/// The environments that are open in this process, one a file however often it is opened.
///
/// LMDB locks with `fcntl`, whose locks belong to the process: were a file open twice, closing one would drop the locks
/// of the other. So this one thing has to be known to the whole process.
final class EnvironmentRegistry: Sendable {
    static let shared = EnvironmentRegistry()

    private struct Entry {
        let environment: Environment
        var userCount: Int
    }

    private let entries = Monitor<[FileSystem.FileID: Entry]>([:])

    /// The environment of a directory: the one that is open already, or a new one.
    func open(_ path: String, maximumByteCount: Int) throws(DataStoreError) -> Environment {
        let dataFile = "\(path)/data.mdb"
        while true {
            let environment = try entries.withLock { entries throws(DataStoreError) -> Environment? in
                if case .file(let file, _) = try FileSystem.entry(at: dataFile), let entry = entries[file] {
                    guard entry.userCount > 0 else { return nil }
                    entries[file]?.userCount += 1
                    return entry.environment
                }
                let environment = try Environment(path: path, maximumByteCount: maximumByteCount)
                entries[environment.file] = Entry(environment: environment, userCount: 1)
                return environment
            }
            if let environment { return environment }
            // Its last user has let go and it is about to close: that needs no one's help but time.
            try waitUntilGone(dataFile)
        }
    }

    /// Lets go of an environment. With its last user it closes, when reads and writes under way are over.
    func release(_ environment: Environment, whenDone: @escaping @Sendable () -> Void) {
        let isLast = entries.withLock { entries in
            entries[environment.file]?.userCount -= 1
            return entries[environment.file]?.userCount == 0
        }
        guard isLast else { return whenDone() }
        environment.drain { [self] in
            // Still under the lock of the registry: nobody may open the file before it is closed.
            entries.withLock { entries in
                environment.close()
                entries[environment.file] = nil
            }
            whenDone()
        }
    }

    private func waitUntilGone(_ dataFile: String) throws(DataStoreError) {
        guard case .file(let file, _) = try FileSystem.entry(at: dataFile) else { return }
        entries.wait { entries -> Void? in (entries[file]?.userCount ?? 1) > 0 ? () : nil }
    }
}
