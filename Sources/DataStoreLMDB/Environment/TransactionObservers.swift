import DataStoreCore
import DataStoreFiles
import Synchronization

/// Those who observe a store, and up to which transaction they were told.
///
/// Transactions have numbers that follow each other, whichever process they are of. Of those of this process the writer
/// says which keys they changed; of those of others, and in any case of doubt, all who observe are told to look.
final class TransactionObservers: Sendable {
    /// What there is to be seen of a store.
    private enum Sight: Equatable {
        case transaction(UInt64)
        case failure(String)
    }

    private struct State {
        /// What was seen last, and what of that those who observe were told.
        var seen: Sight?
        var told: Sight?
        /// The number of the transaction that this process commits just now: its writer tells of it.
        var committing: UInt64?

        /// Takes note of what is seen.
        mutating func isNew(_ sight: Sight) -> Bool {
            defer { seen = sight }
            return seen != sight
        }

        /// Takes note of what is to be told by who looks.
        mutating func isToBeTold(_ sight: Sight) -> Bool {
            guard case .transaction(var number) = sight else {
                defer { told = sight }
                return told != sight
            }
            if number == committing { number -= 1 }
            // Who looks may be late: meanwhile the writer has told of more.
            if case .transaction(let told) = told, told >= number { return false }
            told = .transaction(number)
            return true
        }
    }

    private let state = Mutex(State())
    private let observers = ChangeObservers()

    /// Whether there is nobody to be told.
    var isEmpty: Bool { observers.isEmpty }

    /// Begins to wake somebody.
    ///
    /// - Parameters:
    ///   - scope: of what there is to be told.
    ///   - wake: wakes.
    ///   - path: the directory of the store.
    ///   - generation: the number of the last transaction.
    /// - Returns: the observation.
    /// - Throws: `DataStoreError` where no thread can look for commits of other processes.
    func add(
        _ scope: ChangeScope, _ wake: @escaping @Sendable () -> Void, of path: String,
        generation: @escaping @Sendable () throws -> UInt64
    ) throws(DataStoreError) -> ChangeObservation {
        try observers.add(scope, wake) { () throws(DataStoreError) in
            // What is not there yet is told of.
            _ = look(generation)
            do throws(FileWatch.NoThread) {
                // The library writes the data file by calls, which the operating system tells of.
                return try FileWatch(places: { [Path(parent: path, name: "data.mdb")] }) { [self] in
                    look(generation)
                }
            } catch {
                throw LMDBError(code: error.code).mapped("observe the store", path: path)
            }
        }
    }

    /// Wakes everybody for the last time.
    func close() { observers.close() }

    /// Looks for transactions of other processes.
    ///
    /// - Returns: whether there was anything new.
    private func look(_ generation: () throws -> UInt64) -> Bool {
        let sight: Sight
        do {
            sight = .transaction(try generation())
        } catch {
            sight = .failure("\(error)")
        }
        let (isNew, isToBeTold) = state.withLock { ($0.isNew(sight), $0.isToBeTold(sight)) }
        if isToBeTold { observers.wake(nil) }
        return isNew
    }

    // MARK: The writer of this process

    /// A transaction is about to be committed.
    func willCommit(_ number: UInt64) { state.withLock { $0.committing = number } }

    /// A transaction was committed.
    ///
    /// - Parameters:
    ///   - number: its number.
    ///   - changes: what it has changed; nil where that is not known.
    func didCommit(_ number: UInt64, _ changes: ChangedKeys?) {
        let changes = state.withLock { state -> ChangedKeys? in
            state.committing = nil
            switch state.told {
            case .transaction(let told) where told >= number: return ChangedKeys()
            case .transaction(let told) where told == number - 1:
                state.told = .transaction(number)
                return changes
            default:
                // Others have committed in between.
                state.told = .transaction(number)
                return nil
            }
        }
        observers.wake(changes)
    }

    /// A transaction could not be committed; its number may be another's now.
    func didNotCommit() {
        state.withLock { $0.committing = nil }
        observers.wake(nil)
    }
}
