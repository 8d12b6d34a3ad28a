/// What tells one state of a file from another without reading it.
struct FileStamp: Hashable {
    let device: UInt64
    let inode: UInt64
    let size: Int64
    /// When the contents were changed, in nanoseconds since 1970.
    let changed: Int64
    /// When the inode was changed, in nanoseconds since 1970.
    let inodeChanged: Int64
    /// The permissions.
    let mode: UInt32
    /// Whose file it is.
    let owner: UInt32
    let group: UInt32
    /// How many names it has; none where it was replaced or removed.
    let nameCount: UInt64

    /// Whether the file has not been changed for so long before `now` that a later change must show in the stamp.
    ///
    /// The kernel's clock for file times ticks in steps of up to ten milliseconds, and an inode's number may be used again
    /// at once; two changes within one step can leave the same stamp.
    func isSettled(at now: Int64) -> Bool { now &- max(changed, inodeChanged) > 20_000_000 }
}
