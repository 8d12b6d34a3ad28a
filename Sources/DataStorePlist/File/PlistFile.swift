import DataStoreCore
import Foundation
import Synchronization

/// The file of a store: read when it has changed, replaced as a whole when it is written.
final class PlistFile: Sendable {
    /// Contents with the stamp and the bytes of the file that they were read from.
    private struct Cached {
        let contents: PlistContents
        let stamp: FileStamp?
        let bytes: Data?
        let isSettled: Bool
    }

    private struct State {
        var cached: Cached?
        /// How many different contents there were.
        var generation: UInt64 = 0

        mutating func keep(_ current: Cached) {
            if cached?.bytes != current.bytes { generation += 1 }
            cached = current
        }
    }

    let path: String
    private let newFormat: PropertyListSerialization.PropertyListFormat
    private let state = Mutex(State())

    /// - Parameters:
    ///   - path: the file.
    ///   - newFormat: the format of a file that is not there yet.
    init(path: String, newFormat: PropertyListSerialization.PropertyListFormat) {
        self.path = path
        self.newFormat = newFormat
    }

    /// What is in the file now.
    func contents() throws(DataStoreError) -> PlistContents {
        try state.withLock { state throws(DataStoreError) in try current(&state).contents }
    }

    /// How many different contents were in the file when it was looked at.
    func generation() throws(DataStoreError) -> UInt64 {
        try state.withLock { state throws(DataStoreError) in
            _ = try current(&state)
            return state.generation
        }
    }

    /// Whether the file is there.
    func exists() throws(DataStoreError) -> Bool { try FileSystem.stamp(of: path) != nil }

    private func current(_ state: inout State) throws(DataStoreError) -> Cached {
        let stamp = try FileSystem.stamp(of: path)
        if let cached = state.cached, cached.stamp == stamp, cached.isSettled { return cached }
        let current = try load(stamp, reusing: state.cached)
        state.keep(current)
        return current
    }

    /// Puts other contents into the file. The lock must be held.
    func replace(with contents: PlistContents) throws(DataStoreError) {
        let bytes = try contents.serialized()
        // A symbolic link stays one: what it points to is replaced.
        let target = try FileSystem.target(of: path)
        let old = try FileSystem.stamp(of: target)
        do {
            try FileSystem.replace(target, with: bytes, old: old)
            let stamp = try FileSystem.stamp(of: path)
            state.withLock {
                $0.keep(Cached(contents: contents, stamp: stamp, bytes: bytes, isSettled: false))
            }
        } catch {
            // What is in the file is not certain now: it is read again.
            state.withLock { $0.cached = nil }
            throw error
        }
    }

    /// Holds the lock between processes, and between stores of this one, until the handle is gone.
    func lock() throws(DataStoreError) -> FileHandle {
        try FileSystem.makeDirectory(FileSystem.parent(of: path))
        let target = try FileSystem.target(of: path)
        return try FileSystem.lock(target + ".lock")
    }

    private func load(_ stamp: FileStamp?, reusing old: Cached?) throws(DataStoreError) -> Cached {
        guard var stamp else {
            return Cached(contents: PlistContents(format: newFormat), stamp: nil, bytes: nil, isSettled: true)
        }
        // Somebody may write the file in place at this moment; a stable stamp means that nobody did.
        for _ in 0..<100 {
            let now = FileSystem.now()
            let bytes = try FileSystem.read(path)
            guard let after = try FileSystem.stamp(of: path) else { return try load(nil, reusing: nil) }
            guard after == stamp else {
                stamp = after
                continue
            }
            let contents: PlistContents
            if let old, old.bytes == bytes {
                contents = old.contents
            } else {
                do {
                    contents = try PlistContents(bytes)
                } catch {
                    throw error.adding(operation: "read the file", path: path)
                }
            }
            return Cached(contents: contents, stamp: stamp, bytes: bytes, isSettled: stamp.isSettled(at: now))
        }
        throw DataStoreError(
            .busy, "somebody changes it all the time; try again", operation: "read the file", path: path)
    }
}
