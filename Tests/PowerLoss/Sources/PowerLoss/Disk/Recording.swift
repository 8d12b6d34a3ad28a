import CRecorder

/// Records the calls of this process that change files on the file system of a folder.
enum Recording {
    /// Runs a closure, and returns the calls during it.
    static func record(on folder: String, _ body: () async throws -> Void) async rethrows -> [Operation] {
        unsafe recorder_start(folder)
        do {
            try await body()
        } catch {
            _ = stop()
            throw error
        }
        return stop()
    }

    /// Records that everything up to a number is promised to be durable.
    static func acknowledge(_ number: Int) { recorder_acknowledge(UInt64(number)) }

    private static func stop() -> [Operation] {
        var count = 0
        // The log is valid until recording starts again.
        guard let log = unsafe recorder_stop(&count) else { return [] }
        return unsafe Operation.all(in: UnsafeRawBufferPointer(start: log, count: count))
    }
}
