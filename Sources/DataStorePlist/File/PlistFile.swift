import DataStoreCore
import Synchronization

/// The file of a store: read when it has changed, replaced as a whole when it is written.
final class PlistFile: Sendable {
    /// Contents with the stamp of the file that they were read from.
    private struct Cached {
        let contents: PlistContents
        let stamp: FileStamp?
        /// The bytes, as long as a change could leave the same stamp; nil when none can, or where there is no file.
        let unsettledBytes: [UInt8]?
    }

    private struct State {
        var cached: Cached?
        /// How many different contents there were.
        var generation: UInt64 = 0
    }

    let path: String
    private let newFormat: PlistDataStore.Format
    private let state = Mutex(State())

    /// - Parameters:
    ///   - path: the file.
    ///   - newFormat: the format of a file that is not there yet.
    init(path: String, newFormat: PlistDataStore.Format) {
        self.path = path
        self.newFormat = newFormat
    }

    /// What is in the file now.
    func contents() throws(DataStoreError) -> PlistContents {
        // Asked before the lock is taken: readers do not wait for each other's calls.
        let stamp = try FileSystem.stamp(of: path)
        return try state.withLock { state throws(DataStoreError) in try current(&state, stamp).contents }
    }

    /// How many different contents were in the file when it was looked at.
    func generation() throws(DataStoreError) -> UInt64 {
        let stamp = try FileSystem.stamp(of: path)
        return try state.withLock { state throws(DataStoreError) in
            _ = try current(&state, stamp)
            return state.generation
        }
    }

    /// Whether the file is there.
    func exists() throws(DataStoreError) -> Bool { try FileSystem.stamp(of: path) != nil }

    private func current(_ state: inout State, _ stamp: FileStamp?) throws(DataStoreError) -> Cached {
        if let cached = state.cached, cached.stamp == stamp, cached.unsettledBytes == nil { return cached }
        // The stamp may be from before somebody else has looked.
        let current = try load(try FileSystem.stamp(of: path), reusing: state.cached)
        let isSame = state.cached.map { $0.stamp == current.stamp && $0.unsettledBytes == current.unsettledBytes }
        if isSame != true { state.generation += 1 }
        state.cached = current
        return current
    }

    /// Puts other contents into the file. The lock must be held.
    func replace(with contents: PlistContents) throws(DataStoreError) {
        let bytes = contents.serialized()
        // A symbolic link stays one: what it points to is replaced.
        let target = try FileSystem.target(of: path)
        let old = try FileSystem.stamp(of: target)
        do {
            let stamp = try FileSystem.replace(target, with: bytes, old: old)
            state.withLock { state in
                state.generation += 1
                state.cached = stamp.map { Cached(contents: contents, stamp: $0, unsettledBytes: nil) }
            }
        } catch {
            // What is in the file is not certain now: it is read again.
            state.withLock { $0.cached = nil }
            throw error
        }
    }

    /// Runs a closure while it holds the lock between processes, and between stores of this one.
    func withLock<Result>(_ body: () throws(DataStoreError) -> Result) throws(DataStoreError) -> Result {
        try FileSystem.makeDirectory(FileSystem.parent(of: path))
        let lock = try FileLock(FileSystem.target(of: path) + ".lock")
        do throws(DataStoreError) {
            let result = try body()
            lock.release()
            return result
        } catch {
            lock.release()
            throw error
        }
    }

    private func load(_ stamp: FileStamp?, reusing old: Cached?) throws(DataStoreError) -> Cached {
        guard let stamp else {
            return Cached(contents: PlistContents(format: newFormat), stamp: nil, unsettledBytes: nil)
        }
        let (bytes, found, isSettled) = try FileSystem.readStable(path, stamp)
        guard let found else { return try load(nil, reusing: nil) }
        let unsettled = isSettled ? nil : bytes
        if let old, old.unsettledBytes == bytes {
            return Cached(contents: old.contents, stamp: found, unsettledBytes: unsettled)
        }
        do {
            return Cached(contents: try PlistContents(bytes), stamp: found, unsettledBytes: unsettled)
        } catch {
            throw error.adding(operation: "read the file", path: path)
        }
    }
}
