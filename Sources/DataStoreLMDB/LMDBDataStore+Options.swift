extension LMDBDataStore {
    /// What a completed write survives. No mode can damage a store.
    public enum Durability: Sendable {
        /// Power loss. Data and meta page are both flushed before a write returns. This is the default.
        case durable

        /// The end of the process. Power loss may undo the last commits: only the data are flushed, and not the meta
        /// page that makes them valid. The store is then consistent, in the state of an earlier commit. Closing the
        /// store flushes. Writes that come one at a time are about twice as fast.
        case consistent
    }

    /// The options of a store.
    ///
    /// Within a process, a directory is open once, however many stores use it. The first store determines the sizes.
    /// Writes are durable as soon as one of the stores requires it.
    public struct Options: Sendable {
        /// What a completed write survives.
        package var durability: Durability

        /// The initial size of the map in bytes. The default is 64 GiB; a system with less room uses a smaller map.
        ///
        /// The map occupies address space, and neither memory nor disk. Its initial size is not a limit: the map grows
        /// when the data need more room, after active reads finish. It also follows the growth by other processes.
        package var initialMapByteCount: Int

        /// The maximum size of the data file in bytes; `nil` for no limit. A write beyond it fails with
        /// `DataStoreError.Code.full`.
        package var maximumByteCount: Int?

        /// The time to wait for a lock that another process holds without making progress. After that, an operation
        /// fails with `DataStoreError.Code.busy`.
        package var lockTimeout: Duration

        /// The age from which an active read is reported. Pages that a read may see are not reused, so the file grows
        /// while the read is active.
        package var longReadThreshold: Duration

        /// Whether every page is verified before it is used.
        package var verifiesPages: Bool

        /// A closure that receives the events of the store, for example to log them. It runs on a thread of the store
        /// and must return soon.
        package var report: (@Sendable (Event) -> Void)?

        /// Creates options. Each has a default.
        ///
        /// - Parameters:
        ///   - durability: What a completed write survives.
        ///   - initialMapByteCount: The initial size of the map in bytes.
        ///   - maximumByteCount: The maximum size of the data file in bytes.
        ///   - lockTimeout: The time to wait for a lock of another process.
        ///   - longReadThreshold: The age from which an active read is reported.
        ///   - verifiesPages: Whether every page is verified before it is used, so that a damaged file causes errors
        ///     instead of crashes and missing records. Reads then take several times as long. The first write checks
        ///     all pages of a store of up to 64 MiB.
        ///   - report: A closure that receives the events of the store.
        public init(
            durability: Durability = .durable, initialMapByteCount: Int = Int(clamping: Int64(64) << 30),
            maximumByteCount: Int? = nil, lockTimeout: Duration = .seconds(30),
            longReadThreshold: Duration = .seconds(5), verifiesPages: Bool = false,
            report: (@Sendable (Event) -> Void)? = nil
        ) {
            self.durability = durability
            self.initialMapByteCount = initialMapByteCount
            self.maximumByteCount = maximumByteCount
            self.lockTimeout = lockTimeout
            self.longReadThreshold = longReadThreshold
            self.verifiesPages = verifiesPages
            self.report = report
        }
    }

    /// An event that the operator of a store may want to know about. Later versions may add cases, so a `switch` needs
    /// a `default`.
    public enum Event: Sendable, Hashable, CustomStringConvertible {
        /// A read has been active for at least this time. It is reported again whenever its age has doubled.
        case longRead(age: Duration)
        /// The map has grown to this size.
        case mapGrew(byteCount: Int)
        /// Reader slots of killed processes were freed.
        case deadReadersCleared(count: Int)

        /// A sentence that describes the event.
        public var description: String {
            switch self {
            case .longRead(let age): "a read has been running for \(age); the file grows until it ends"
            case .mapGrew(let byteCount): "the map has grown to \(byteCount) bytes"
            case .deadReadersCleared(let count): "\(count) reader slots of killed processes were freed"
            }
        }
    }
}
