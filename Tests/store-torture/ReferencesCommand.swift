import DataStoreCore
import DataStoreQueries
import TortureKit

/// `references PATH PROCESS COUNT`: makes random changes of records with references. Its schema depends on its number,
/// see ``ReferenceRun``.
///
/// It starts when all processes have opened the store. Writes `broken REFERENCE` for each reference that is not true
/// after one of its transactions, `failed CODE REASON` for an unexpected error, and at the end `saved NUMBER` and
/// `refused NUMBER`.
struct ReferencesCommand {
    private let location: StoreLocation
    private let process: Int
    private let count: Int

    init(_ arguments: inout Arguments) throws {
        location = try arguments.location()
        process = try arguments.number("number of the process")
        count = try arguments.number("number of transactions")
    }

    func run() throws {
        let store = try location.open()
        try CurrentThreadExecutor.run { [self] in
            let writer = SchemaStore(store, schema: try ReferenceRun.schema(of: process))
            try await Rendezvous.wait(in: store, process, of: ReferenceRun.processCount)
            var (savedCount, refusedCount) = (0, 0)
            for _ in 0..<count {
                do {
                    try await Rendezvous.retrying { try await writer.write { try ReferenceRun.change(&$0) } }
                    savedCount += 1
                } catch let error as DataStoreError where error.code == .brokenReference {
                    refusedCount += 1
                } catch let error as DataStoreError {
                    Output.line("failed \(error.code) \(error.reason)")
                }
                let findings = try await store.read { try ReferenceRun.findings(in: $0) }
                for finding in findings { Output.line("broken \(finding)") }
            }
            Output.line("saved \(savedCount)")
            Output.line("refused \(refusedCount)")
            await store.close()
        }
    }
}
