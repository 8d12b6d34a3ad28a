/// An operation that was not synced, as parts that may reach the disk one without the other.
struct PendingOperation {
    /// A part that a disk writes completely or not at all.
    enum Part {
        /// The contents of a sector.
        case sector(file: Int, index: Int, image: [UInt8])
        /// A size that the file has at least.
        case extend(file: Int, size: Int)
        /// The size of the file.
        case truncate(file: Int, size: Int)
        /// Changes of entries that a file system makes together: one, or both of a rename.
        case entries([Entry])

        /// Returns whether a sync of a file or directory makes the part durable.
        func belongs(to node: Int) -> Bool {
            switch self {
            case .sector(let file, _, _), .extend(let file, _), .truncate(let file, _): file == node
            case .entries(let entries): entries.contains { $0.directory == node }
            }
        }

        /// Whether the part is metadata of a file.
        var isSize: Bool {
            switch self {
            case .extend, .truncate: true
            case .sector, .entries: false
            }
        }
    }

    /// A name in a directory, which refers to a node or is free.
    struct Entry {
        let directory: Int
        let name: String
        let node: Int?
    }

    var parts: [Part]
    /// Whether the parts are stores through a mapping. The kernel writes back only the latest contents.
    var isStore = false
}
