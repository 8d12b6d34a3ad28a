import DataStoreSystem
import RecordFraming

/// A group commit, which runs the closures of several writes in one serializable transaction, commits once, and then
/// resumes all callers. Only the writer thread uses this object.
///
/// If a closure throws, the overlay is restored, so the closure leaves no change and the other writes are unaffected.
/// The error is reported after the commit, because the commit verifies what the closure has read.
final class GroupCommit: WriteCommitter {
    private typealias Result = WriteRound.Result

    /// The maximum number of writes in a transaction. A longer transaction is more likely to conflict with another one.
    private static let maximumCount = 256

    /// The number of conflicts after which an attempt locks out other writers. A long transaction, e.g. a step of a
    /// migration, could conflict with short ones again and again.
    private static let conflictLimit = 4

    private let link: ServerLink
    private let observers: ChangeObservers
    /// The frames of index states that the next transaction is expected to find, or `nil` for a missing record.
    private var predictions: [Key: [UInt8]?] = [:]
    private var lastSlot = -1

    init(_ link: ServerLink, _ observers: ChangeObservers) {
        self.link = link
        self.observers = observers
    }

    func commit(_ round: WriteRound) {
        let writes = round.writes
        var batches = stride(from: 0, to: writes.count, by: Self.maximumCount)
            .map { Array(writes[$0..<min($0 + Self.maximumCount, writes.count)]) }
        batches.reverse()
        // A write that waited for others for long still gets some time.
        let submitted = writes.lazy.map(\.submitted).min() ?? .now
        let (timeout, minimum) = (link.connections.options.timeout, PostgresDataStore.Options.lastAnswerTimeout)
        let deadline = max(submitted + timeout, .now + min(timeout, minimum))
        var arrivals = { round.arrivals(after: $0, atMost: Self.maximumCount) }
        while let batch = batches.popLast() {
            let error = commit(batch, of: round, until: deadline, arrivals, &batches)
            // If no server was reachable before the deadline, the other batches do not try to connect again.
            if let error, error.server?.isConnectionLost == true, .now >= deadline {
                return round.fail(batches.joined(), with: error)
            }
            arrivals = { _ in [] }
        }
    }

    /// Commits a batch and resumes its callers. In the first attempt, adds writes that arrive meanwhile to the batch.
    ///
    /// If the server rejects the transaction, or a record that it would replace is damaged, each write must run in a
    /// transaction of its own, so that the rejected one does not affect the others. The writes are then added to
    /// `batches`.
    ///
    /// - Returns: The error with which the callers were resumed, if the commit failed.
    private func commit(
        _ batch: [PendingWrite], of round: WriteRound, until deadline: ContinuousClock.Instant,
        _ arrivals: @escaping (Int) -> [PendingWrite], _ batches: inout [[PendingWrite]]
    ) -> DataStoreError? {
        var (batch, arrivals) = (batch, arrivals)
        var (backoff, conflictCount) = (Backoff(), 0)
        while true {
            let opening: [Statement] = conflictCount < GroupCommit.conflictLimit ? [.begin] : [.begin, .lock]
            do throws(DataStoreError) {
                let results = try attempt(&batch, arrivals, opening, until: deadline)
                // The callers can then read with this connection.
                link.release()
                round.finish(results)
                return nil
            } catch {
                // A server that refuses a connection rejects no write.
                let wasConnected = link.isConnected
                link.release()
                let failure = error.server
                if failure?.isConflict == true { conflictCount += 1 }
                if failure?.isTemporary == true, backoff.wait(until: deadline) {
                    arrivals = { _ in [] }
                    continue
                }
                // Only the write that the server rejects, or that would replace a damaged record, fails.
                let isRejected =
                    wasConnected && failure?.isTemporary == false
                    && ![.unavailable, .notAStore].contains(error.code)
                if batch.count > 1, error.code == .corrupted || isRejected && .now < deadline {
                    batches += batch.reversed().map { [$0] }
                    return nil
                }
                round.fail(batch, with: error)
                return error
            }
        }
    }

    private func attempt(
        _ batch: inout [PendingWrite], _ arrivals: (Int) -> [PendingWrite], _ opening: [Statement],
        until deadline: ContinuousClock.Instant
    ) throws(DataStoreError) -> [Result] {
        let connection = try link.connected(until: deadline)
        guard !connection.defaultsToReadOnly else {
            throw DataStoreError(
                .readOnly,
                "the server's setting default_transaction_read_only is on, e.g. because its disk is full; turn it off")
        }
        let slot: WriterSlot
        do throws(DataStoreError) {
            if connection.format == nil, let results = try create(connection, batch) { return results }
            slot = try claimSlot(connection)
        } catch {
            // The session may be in a failed transaction.
            link.discard()
            throw error
        }
        let token = WriterSlot.makeToken()
        let server = ServerTransaction(link, connection, opening: opening, deadline: deadline)
        let writer = Writer(server, predictions: predictions)
        let results: [Result]
        do throws(DataStoreError) {
            results = try run(&batch, arrivals, in: writer)
            try writer.sendChanges(slot, token)
        } catch {
            abort(connection, after: writer.failure)
            // A record may be replaced only because of a wrong prediction.
            let isMispredicted = writer.isMispredicted || error.code == .corrupted && !predictions.isEmpty
            guard writer.failure == nil, isMispredicted else { throw error }
            predictions = [:]
            return try attempt(&batch, { _ in [] }, opening, until: deadline)
        }
        if server.hasBegun {
            try commit(writer, connection, slot, token, until: deadline)
            if !writer.overlay.isEmpty, !observers.isEmpty { observers.wake(writer.overlay.changedKeys) }
        }
        return results
    }

    /// Runs the closures of a batch, and of writes that arrive meanwhile, which it adds to the batch.
    ///
    /// - Returns: The writes, each with the error that its closure threw, if any.
    /// - Throws: `DataStoreError` if the transaction must be aborted. `writer` then contains the reason.
    private func run(
        _ batch: inout [PendingWrite], _ arrivals: (Int) -> [PendingWrite], in writer: Writer
    ) throws(DataStoreError) -> [Result] {
        var results: [Result] = []
        while results.count < batch.count {
            for write in batch[results.count...] {
                let overlay = writer.overlay
                let error = write.runError(in: writer)
                if error != nil { writer.overlay = overlay }
                results.append((write, error))
                if let failure = writer.failure { throw failure }
                if writer.isMispredicted { throw Writer.mispredictionError }
            }
            batch += arrivals(results.count)
        }
        return results
    }

    /// Creates the store if it does not exist yet and a closure of the batch changes a record.
    ///
    /// - Returns: The results of the closures if none of them changes a record. Otherwise returns `nil`, and the
    ///   closures must run again in the existing store.
    private func create(_ connection: Connection, _ batch: [PendingWrite]) throws(DataStoreError) -> [Result]? {
        var results: [Result] = []
        for write in batch {
            let backend = RecordTreeTransaction.trial()
            let error = write.runError(in: backend)
            results.append((write, error))
            guard backend.isStopped || error == nil && backend.hasChanges else { continue }
            try connection.executeInTransaction(Connection.creation(of: link.connections.target.schema))
            try connection.describe(link.connections.target.schema)
            return nil
        }
        return results
    }

    /// Returns the slot of the writer, and acquires one if the connection is new. If all slots are in use, adds one,
    /// because the tokens of a shared slot might be replaced before a writer looks for its own.
    private func claimSlot(_ connection: Connection) throws(DataStoreError) -> WriterSlot {
        if let slot = connection.slot { return slot }
        // Another writer may acquire the added slot first.
        for _ in 0..<WriterSlot.count {
            let found = try connection.execute(.claim, [.bigint(lastSlot)])
            guard found.count > 0 else {
                _ = try connection.execute(.addSlot)
                continue
            }
            let slot = WriterSlot(
                number: Int(found.integer(0, 0)), newestToken: WriterSlot.tokens(found.bytes(0, 1)).first)
            connection.slot = slot
            lastSlot = slot.number
            return slot
        }
        throw PostgresError(
            sqlState: PostgresError.lockTimeout, "all rows of the table writers are in use", isConnectionLost: false
        ).mapped()
    }

    private func abort(_ connection: Connection, after error: DataStoreError?) {
        do throws(DataStoreError) {
            guard !connection.isLost, error?.server?.isTransient != true else { return link.discard() }
            try connection.reset()
            _ = try connection.execute(.rollback)
        } catch {
            link.discard()
        }
    }

    // MARK: Committing

    /// Commits a transaction whose changes have been sent. If the connection is lost and the transaction has changes,
    /// determines the outcome with ``isCommitted(_:_:_:until:)``.
    ///
    /// The server must already have answered a statement of the transaction. The snapshot of the transaction is then
    /// older than the update of the writer's row in ``isCommitted(_:_:_:until:)``.
    ///
    /// - Throws: `DataStoreError` if the transaction was not committed. The code is `outcomeUnknown` if the outcome
    ///   cannot be determined.
    private func commit(
        _ writer: Writer, _ connection: Connection, _ slot: WriterSlot, _ token: [UInt8],
        until deadline: ContinuousClock.Instant
    ) throws(DataStoreError) {
        // Half of the time is left to determine the outcome.
        let end = max(deadline, .now + link.connections.options.progressTimeout)
        connection.deadline = .now + (end - .now) / 2
        do throws(DataStoreError) {
            try connection.send(.commit)
            try connection.sync()
            // If this commit fails, the predictions may be wrong, but the next transaction verifies them.
            predictions = writer.nextPredictions
            let tag = try connection.lastResult().tag
            guard tag == "COMMIT" else {
                throw PostgresError("the server did not commit (\(tag))", isConnectionLost: false).mapped()
            }
            if !writer.overlay.isEmpty { connection.slot?.newestToken = token }
        } catch {
            guard let failure = error.server, failure.isConnectionLost else {
                abort(connection, after: error)
                throw error
            }
            link.discard()
            // Without changes, only the verification of the reads is lost.
            if writer.overlay.isEmpty { throw error }
            guard try isCommitted(token, slot, failure, until: end) else { throw error }
        }
    }

    /// Determines the outcome of a commit during which the connection was lost.
    ///
    /// - Returns: Whether the transaction was committed.
    /// - Throws: `DataStoreError` with the code `outcomeUnknown` if no server answers in time, if the lost transaction
    ///   does not end in time, or if the row of the writer no longer shows the outcome.
    private func isCommitted(
        _ token: [UInt8], _ slot: WriterSlot, _ failure: PostgresError, until deadline: ContinuousClock.Instant
    ) throws(DataStoreError) -> Bool {
        var backoff = Backoff()
        var cause: any Error = failure
        repeat {
            do throws(DataStoreError) {
                let found = try link.connected(until: deadline).execute(.fence, [.bigint(slot.number)])
                let tokens = found.count > 0 ? WriterSlot.tokens(found.bytes(0, 0)) : nil
                if let isCommitted = tokens.flatMap({ slot.isCommitted(token, in: $0) }) { return isCommitted }
                break
            } catch {
                cause = error
                if error.server?.isTransient == true { link.discard() }
            }
        } while backoff.wait(until: deadline)
        throw DataStoreError(
            .outcomeUnknown,
            "the connection was lost during the commit, and the outcome cannot be determined; read the records before "
                + "you retry: \(failure)",
            underlying: cause)
    }
}

extension Overlay {
    /// The changed keys, for observers.
    fileprivate var changedKeys: ChangedKeys {
        var changes = records.changedKeys(since: RecordTree())
        changes.formUnion(removed.changedKeys(since: RecordTree()))
        return changes
    }
}
