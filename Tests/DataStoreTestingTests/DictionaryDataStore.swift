import DataStoreCore
import Synchronization

/// A minimal store in a dictionary that fulfills the contract, or violates one point of it.
final class DictionaryDataStore: DataStore {
    /// A violation of the contract.
    enum Fault: CaseIterable {
        case commitsWhatThrew, hidesOwnChanges, losesUpdates
        case ordersByUnicode, takesSpellingsForOne, ignoresLimits, ignoresBounds
        case changesNumbers, staysOpen, ignoresCancellation, keepsChangesToItself
        case callsNobody, callsEverybody, callsNobodyWhenItCloses, callsWhoHasLetGo

        /// The requirement whose check finds the violation.
        var requirement: String {
            switch self {
            case .commitsWhatThrew, .hidesOwnChanges:
                "random operations have the same results as in a dictionary"
            case .losesUpdates:
                "concurrent read-modify-write loses no update, and a write that throws affects no other"
            case .takesSpellingsForOne: "keys contain any text of up to 480 bytes, and differ in each byte"
            case .ordersByUnicode, .ignoresLimits, .ignoresBounds:
                "scans are in unsigned byte order, with ranges, prefixes and limits in both directions"
            case .changesNumbers:
                "values of every kind are unchanged in records and views, also after reopening"
            case .staysOpen:
                "closing waits for active reads and writes, keeps acknowledged ones, and rejects later ones"
            case .ignoresCancellation: "a cancelled write is complete or has no effect"
            case .keepsChangesToItself: "a change changes the generation"
            case .callsNobody, .callsWhoHasLetGo, .callsNobodyWhenItCloses:
                "a released observation receives no calls, and closing notifies the others"
            case .callsEverybody: "a save notifies exactly the observers of its records"
            }
        }
    }

    private struct State {
        var records: [Key: Record] = [:]
        var generation: UInt64 = 0
        var isClosed = false
    }

    private actor Writer {
        func run<Result: Sendable>(_ body: @Sendable () throws -> Result) rethrows -> Result { try body() }
    }

    private let fault: Fault?
    private let state = Mutex(State())
    private let writer = Writer()
    private let observers = ChangeObservers()
    private let kept = Mutex<[ChangeObservation]>([])

    init(_ fault: Fault?) { self.fault = fault }

    func read<Result: Sendable>(_ body: @Sendable (borrowing ReadTransaction) throws -> Result) async throws -> Result {
        try body(ReadTransaction(DictionaryBackend(try records(), fault, cache: QueryCache())))
    }

    func write<Result: Sendable>(
        _ body: @escaping @Sendable (inout WriteTransaction) throws -> Result
    ) async throws -> Result {
        if fault == .losesUpdates {
            let before = try records()
            await Task.yield()
            return try commit(body, on: before)
        }
        return try await writer.run { [self] in
            if fault != .ignoresCancellation { try Task.checkCancellation() }
            return try commit(body, on: try records())
        }
    }

    func generation() async throws -> UInt64 {
        _ = try records()
        return fault == .keepsChangesToItself ? 0 : state.withLock { $0.generation }
    }

    func close() async {
        await writer.run { [self] in
            if fault != .staysOpen { state.withLock { $0.isClosed = true } }
        }
        if fault != .callsNobodyWhenItCloses { observers.close() }
    }

    func observe(
        _ scope: ChangeScope, _ wake: @escaping @Sendable (ChangedKeys) -> Void
    ) async throws(DataStoreError) -> ChangeObservation {
        let observation = try observers.add(scope, wake)
        if fault == .callsWhoHasLetGo { kept.withLock { $0.append(observation) } }
        return observation
    }

    private func commit<Result>(
        _ body: (inout WriteTransaction) throws -> Result, on records: [Key: Record]
    ) throws -> Result {
        let backend = DictionaryBackend(records, fault)
        var transaction = WriteTransaction(backend)
        do {
            let result = try body(&transaction)
            let changes = fault == .callsEverybody ? nil : backend.changedKeys
            state.withLock { state in
                state.records = backend.records
                state.generation += 1
            }
            if fault != .callsNobody { observers.wake(changes) }
            return result
        } catch {
            if fault == .commitsWhatThrew { state.withLock { $0.records = backend.records } }
            throw error
        }
    }

    private func records() throws -> [Key: Record] {
        try state.withLock { state in
            if state.isClosed { throw DataStoreError(.closed, "it was closed") }
            return state.records
        }
    }
}
