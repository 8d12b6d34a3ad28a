import DataStoreCore

extension Environment {
    /// Copies the environment, as it is now and without its free pages, to a new directory. The map must stay as it is.
    ///
    /// The copy is made beside its place, under another name, and gets its name when it is whole and durable.
    func backUp(to path: String) throws(DataStoreError) {
        let parent = FileSystem.parent(of: path)
        let unfinished = "\(parent)/.\(FileSystem.name(of: path)).unfinished"
        try FileSystem.makeDirectory(unfinished)
        try FileSystem.locking(unfinished) { () throws(DataStoreError) in
            // Another process may have made a backup there while this one waited for the lock.
            do throws(DataStoreError) {
                guard case .nothing = try FileSystem.entry(at: path) else {
                    throw DataStoreError(
                        .notAStore, "there is something at \(path) already; a backup is made at a new place")
                }
                // What is there already is from a backup that was killed.
                FileSystem.remove(Environment.dataFile(unfinished))
                try FileSystem.write(Environment.dataFile(unfinished)) { file throws(DataStoreError) in
                    try map.raw.copy(to: file)
                }
                try FileSystem.sync(unfinished)
                try FileSystem.rename(unfinished, to: path)
            } catch {
                FileSystem.remove(Environment.dataFile(unfinished))
                FileSystem.removeDirectory(unfinished)
                throw error
            }
        }
        try FileSystem.sync(parent)
    }
}
