extension LMDBDataStore {
    /// The failures that a completed write survives. In both modes, the store stays consistent after a power loss.
    ///
    /// ```swift
    /// let cache = try LMDBDataStore(path: path, options: .init(durability: .consistent))
    /// ```
    public enum Durability: Sendable {
        /// A completed write survives a power loss, because the data and the meta page are flushed before the write
        /// returns. This is the default.
        case durable

        /// A completed write survives the end of the process. A power loss may undo the last commits.
        ///
        /// A write flushes only the data before it returns, and not the meta page that makes the data valid. Writes
        /// that are made one at a time are about twice as fast as with ``durable``. Closing the store flushes all
        /// commits.
        case consistent
    }

    /// The options of a store.
    ///
    /// ```swift
    /// let store = try LMDBDataStore(path: path, options: .init(maximumByteCount: 1 << 30))
    /// ```
    ///
    /// Several stores of a process may use the same directory with different options. The store that opened the
    /// directory first then determines `maximumByteCount` and the `lockTimeout` of writes for all of them. If one of
    /// the stores has the durability ``Durability/durable``, the writes of all of them are durable.
    public struct Options: Sendable {
        /// The failures that a completed write survives.
        package var durability: Durability

        /// The maximum size of the data file in bytes, or `nil` for 1 TiB. A write beyond the limit fails with
        /// `DataStoreError.Code.full`.
        ///
        /// The memory map of the file reserves address space of this size, but neither memory nor disk. A process with
        /// less address space uses a smaller map, and therefore has a lower limit. If a process with a higher limit
        /// enlarges the file beyond the limit of this one, this one must close and reopen the store.
        package var maximumByteCount: Int?

        /// The maximum time to wait for a lock that another process holds without making progress. After that, an
        /// operation fails with `DataStoreError.Code.busy`.
        package var lockTimeout: Duration

        /// The duration after which a running read is reported. Pages that a read may use are not reused, so the file
        /// may grow while the read runs.
        package var longReadThreshold: Duration

        /// Whether the store verifies every page before it uses the page.
        package var verifiesPages: Bool

        /// A closure that receives the events of the store, e.g. to log them. It runs on a thread of the store and must
        /// return quickly.
        package var report: (@Sendable (Event) -> Void)?

        /// Creates options. Each option has a default.
        ///
        /// - Parameters:
        ///   - durability: The failures that a completed write survives.
        ///   - maximumByteCount: The maximum size of the data file in bytes, or `nil` for 1 TiB.
        ///   - lockTimeout: The maximum time to wait for a lock of another process that makes no progress.
        ///   - longReadThreshold: The duration after which a running read is reported.
        ///   - verifiesPages: Whether the store verifies every page before it uses the page. If `true`, a damaged file
        ///     causes errors instead of crashes and missing records, but reads take several times as long. The first
        ///     write after opening then also checks all pages of a store of up to 64 MiB, or only the free list of a
        ///     larger store.
        ///   - report: A closure that receives the events of the store, or `nil` to disable reports.
        public init(
            durability: Durability = .durable, maximumByteCount: Int? = nil, lockTimeout: Duration = .seconds(30),
            longReadThreshold: Duration = .seconds(5), verifiesPages: Bool = false,
            report: (@Sendable (Event) -> Void)? = nil
        ) {
            self.durability = durability
            self.maximumByteCount = maximumByteCount
            self.lockTimeout = lockTimeout
            self.longReadThreshold = longReadThreshold
            self.verifiesPages = verifiesPages
            self.report = report
        }
    }

    /// An event in a store that may be worth logging. Later versions may add cases, so a `switch` needs a `default`.
    ///
    /// ```swift
    /// let options = LMDBDataStore.Options { event in logger.notice("\(event)") }
    /// ```
    public enum Event: Sendable, Hashable, CustomStringConvertible {
        /// A read has been running for at least this time. It is reported again whenever its age has doubled.
        case longRead(age: Duration)
        /// The store has freed this number of reader slots that killed processes had left in the lock file.
        case deadReadersCleared(count: Int)

        /// A sentence that describes the event.
        public var description: String {
            switch self {
            case .longRead(let age): "a read has been running for \(age); the file grows until it ends"
            case .deadReadersCleared(let count): "\(count) reader slots of killed processes were freed"
            }
        }
    }
}
