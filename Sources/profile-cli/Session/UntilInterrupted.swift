import Foundation
import Synchronization

/// Runs what has no end of its own until the program is told to end, by SIGINT (Ctrl-C) or SIGTERM, or nobody reads any more
/// what it writes.
enum UntilInterrupted {
    /// The descriptor that the handler of signals writes to.
    private static let bell = Atomic<Int32>(-1)

    static func run(_ body: @escaping @Sendable () async throws -> Void) async throws {
        // From now on a write that nobody can read fails, and says why.
        signal(SIGPIPE, SIG_IGN)
        let pipe = Pipe()
        bell.store(pipe.fileHandleForWriting.fileDescriptor, ordering: .sequentiallyConsistent)
        for number in [SIGINT, SIGTERM] {
            // A handler may do next to nothing but write(2).
            signal(number) { _ in
                var byte: UInt8 = 0
                _ = unsafe write(UntilInterrupted.bell.load(ordering: .sequentiallyConsistent), &byte, 1)
            }
        }
        let task = Task {
            do {
                try await body()
            } catch let error as OutputError where error.hasNoReader {
                // Whoever read it has had enough.
            }
        }
        pipe.fileHandleForReading.readabilityHandler = { handle in
            handle.readabilityHandler = nil
            task.cancel()
        }
        defer { pipe.fileHandleForReading.readabilityHandler = nil }
        try await task.value
    }
}
