/// What is at a place where a store is kept.
public struct StoreInfo: Sendable, Hashable {
    /// A collection of records.
    public struct Collection: Sendable, Hashable {
        /// Its name, e.g. `users`.
        public let name: String
        /// How many records it has.
        public let recordCount: Int
    }

    /// How the pages of an LMDB store are used.
    public struct Pages: Sendable, Hashable {
        /// The size of a page in bytes.
        public let byteCount: Int
        /// How many there are.
        public let count: Int
        /// How many of these are free: the next saves use them.
        public let freeCount: Int
        /// How far the file may grow, in bytes, before it has to be mapped anew.
        public let mapByteCount: Int
        /// The number of the last transaction.
        public let lastTransaction: UInt64
        /// How many reads are under way, in all processes.
        public let readCount: Int
        /// The transaction that the oldest of them sees; nil where there is none.
        public let oldestReadTransaction: UInt64?
    }

    /// Where it is.
    public let location: StorageLocation
    /// The file that the records are in.
    public let file: String
    /// Its size in bytes.
    public let fileByteCount: Int
    /// How the file is written, in words.
    public let format: String
    /// The collections that have records, in byte order of their names.
    public let collections: [Collection]
    /// How pages are used; nil of a store that has none.
    public let pages: Pages?
}
