import DataStoreCore
import DataStoreQueries
import TortureKit

/// `migrate PATH newer`: migrates a store, see ``MigrationRun``. Writes `opening`, `batch` after each batch, and
/// `done`.
///
/// `migrate PATH older NUMBER`: saves records from a number on without the migrations, until a save is rejected. Writes
/// `saved` after the first one, and the code of the error.
struct MigrateCommand {
    private let location: StoreLocation
    private let firstNumber: Int?

    init(_ arguments: inout Arguments) throws {
        location = try arguments.location()
        firstNumber = try arguments.text("program") == "older" ? try arguments.number("first number") : nil
    }

    func run() throws {
        let store = try location.open()
        try CurrentThreadExecutor.run { [self] in
            if let firstNumber {
                try await save(from: firstNumber, in: SchemaStore(store, schema: MigrationRun.olderSchema()))
            } else {
                Output.line("opening")
                try await SchemaStore(store, schema: MigrationRun.schema()).migrate { _, _ in Output.line("batch") }
                Output.line("done")
            }
            await store.close()
        }
    }

    private func save(from first: Int, in store: SchemaStore) async throws {
        for number in first... {
            do {
                try await store.write { transaction in
                    let entry = try MigrationRun.entry(number)
                    try transaction.put(entry.record, for: entry.key)
                }
                if number == first { Output.line("saved") }
                CurrentProcess.sleep(milliseconds: 5)
            } catch let error as DataStoreError where error.code == .busy {
                continue
            } catch let error as DataStoreError {
                return Output.line("\(error.code)")
            }
        }
    }
}
