extension LMDBDataStore {
    /// What a save that returned has survived. There is no mode that can damage a store.
    public enum Durability: Sendable {
        /// Power loss: data and meta page are both flushed before a save returns. The default.
        case durable

        /// The end of the process, but a power loss may undo the last commits: only the data are flushed, not the meta
        /// page that makes them count. What is there afterwards is whole, as some commit left it. Closing the store
        /// flushes. About twice as fast for saves that come one at a time.
        case consistent
    }

    /// How a store is opened.
    ///
    /// Within a process a directory is open once, however many stores use it. The first one decides on the sizes; saves
    /// are durable as soon as one of the stores asks for it.
    public struct Options: Sendable {
        /// What a save survives.
        package var durability: Durability

        /// How large a file is mapped at first: 64 GiB unless said otherwise, or what the system has room for. It is
        /// address space, neither memory nor disk, and no limit: where the data need more, the map grows, for which
        /// reads under way are waited for. It follows what other processes add.
        package var initialMapByteCount: Int

        /// The size that the data file may grow to, or nil for no bound. A save beyond it is
        /// `DataStoreError.Code.full`.
        package var maximumByteCount: Int?

        /// How long to wait for a lock that another process holds while it makes no progress, before an operation fails
        /// with `DataStoreError.Code.busy`.
        package var lockTimeout: Duration

        /// From what age on a read that is under way is reported. While a read goes on, no page that it may see is used
        /// again, so the file grows.
        package var longReadThreshold: Duration

        /// Is told what happens in the store, e.g. to log it. It is called on a thread of the store and must return
        /// soon.
        package var report: (@Sendable (Event) -> Void)?

        /// Makes options; each has its default.
        ///
        /// - Parameters:
        ///   - durability: what a save survives.
        ///   - initialMapByteCount: how large a file is mapped at first.
        ///   - maximumByteCount: the size that the data file may grow to.
        ///   - lockTimeout: how long to wait for a lock of another process.
        ///   - longReadThreshold: from what age on a read is reported.
        ///   - report: is told what happens.
        public init(
            durability: Durability = .durable, initialMapByteCount: Int = Int(clamping: Int64(64) << 30),
            maximumByteCount: Int? = nil, lockTimeout: Duration = .seconds(30),
            longReadThreshold: Duration = .seconds(5),
            report: (@Sendable (Event) -> Void)? = nil
        ) {
            self.durability = durability
            self.initialMapByteCount = initialMapByteCount
            self.maximumByteCount = maximumByteCount
            self.lockTimeout = lockTimeout
            self.longReadThreshold = longReadThreshold
            self.report = report
        }
    }

    /// Something that happened in a store and that who runs it may want to know. New ones may be added: a `switch`
    /// needs a `default`.
    public enum Event: Sendable, Hashable, CustomStringConvertible {
        /// A read has been under way for (at least) so long. It is told again each time its age has doubled.
        case longRead(age: Duration)
        /// The map has grown.
        case mapGrew(byteCount: Int)
        /// Slots of readers whose process had been killed were freed.
        case deadReadersCleared(count: Int)

        /// One sentence.
        public var description: String {
            switch self {
            case .longRead(let age): "a read has been under way for \(age); the file grows while it goes on"
            case .mapGrew(let byteCount): "the map has grown to \(byteCount) bytes"
            case .deadReadersCleared(let count): "\(count) reads of processes that were killed were cleared away"
            }
        }
    }
}
