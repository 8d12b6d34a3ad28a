import DataStoreCore

/// Functions of processes that use a store at the same time.
enum Rendezvous {
    /// Registers this process in the store, and waits until all others have opened it.
    static func wait(in store: any DataStore, _ process: Int, of processCount: Int) async throws {
        let key = try Key(collection: "processes", id: "\(process)")
        try await retrying { try await store.write { try $0.put([:], for: key) } }
        for _ in 0..<6000 {
            let count = try await store.read { try $0.records(in: Scan("processes")).count }
            if count == processCount { return }
            CurrentProcess.sleep(milliseconds: 10)
        }
        throw Arguments.Problem(description: "the other processes have not started")
    }

    /// Repeats an operation while other processes hold the lock for too long, as on a busy disk. In that case nothing
    /// was changed.
    @discardableResult
    static func retrying<Result>(_ body: () async throws -> Result) async throws -> Result {
        while true {
            do {
                return try await body()
            } catch let error as DataStoreError where error.code == .busy {
                continue
            }
        }
    }
}
