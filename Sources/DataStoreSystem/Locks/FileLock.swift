import CDataStoreSystem
package import Synchronization

/// An exclusive lock on a byte of a file. It excludes other processes and other stores of this process. The lock is
/// released when the value is destroyed or the process ends.
///
/// It is an open file description lock. Closing another descriptor of the file does not release it, and only a process
/// that may write to the file can hold it. A waiting process polls, because the operating system cannot wait for such a
/// lock with a time limit.
///
/// If a process releases the lock and acquires it again at once, a waiting process rarely polls in between. A store
/// that had to wait for the lock therefore assumes that other processes are also waiting, and passes `true` for
/// `isYielding` the next time. The initializer then pauses for several polling intervals, in which another process can
/// acquire the lock.
package struct FileLock: ~Copyable {
    /// The interval between the first attempts, in microseconds. After a long wait, the interval is up to ten times as
    /// long, because each attempt takes processor time.
    private static let pause: UInt32 = 100

    /// A closure that is called each second while a lock is awaited. It receives the path of the file, and in the first
    /// second the id of the process that holds the lock, if it is known. It is called on any thread. A program that
    /// interacts with a person sets it.
    package static let waitObserver = Mutex<(@Sendable (_ path: String, _ process: Int32?, _ second: Int) -> Void)?>(
        nil)

    /// The maximum total wait, as a multiple of the time limit. When the time limit is reached, it starts again if
    /// other processes have made progress.
    private static let maximumExtensions = 10

    private let file: File
    private let byte: Int64

    /// Whether another process or store held the lock at the first attempt, so that the caller had to wait.
    package let hasWaited: Bool

    /// Acquires a lock.
    ///
    /// - Parameters:
    ///   - file: A file that is open for writing.
    ///   - byte: The offset of the byte to lock, which may be beyond the end of the file.
    ///   - timeout: The time limit. If other processes have made progress when the limit is reached, it starts again.
    ///     The total wait is at most ten times the limit.
    ///   - isYielding: Whether to pause before the first attempt, so that waiting processes can acquire the lock first.
    ///   - progress: A closure that returns a value that changes with each write of another process.
    /// - Throws: `DataStoreError` with the code `busy` if the time limit is reached without progress, or the maximum
    ///   total wait is reached. The code is `inputOutput` if the file cannot be locked.
    package init<Progress: Equatable>(
        _ file: File, byte: Int64 = 0, timeout: Duration, isYielding: Bool = false,
        progress: () throws(DataStoreError) -> Progress
    ) throws(DataStoreError) {
        if isYielding { usleep(4 * Self.pause) }
        hasWaited = try Self.wait(for: file, byte, timeout, progress)
        self.file = file
        self.byte = byte
    }

    deinit { _ = up_unlock(file.descriptor, byte) }

    /// Releases the lock.
    package consuming func release() {}

    /// Waits until the lock is acquired.
    ///
    /// - Returns: Whether another process or store held the lock at the first attempt.
    private static func wait<Progress: Equatable>(
        for file: File, _ byte: Int64, _ timeout: Duration, _ progress: () throws(DataStoreError) -> Progress
    ) throws(DataStoreError) -> Bool {
        if try acquire(file, byte) { return false }
        let clock = ContinuousClock()
        let start = clock.now
        var deadline = start + timeout
        var second = 0
        var seen = try progress()
        var extensions = 0
        while try !acquire(file, byte) {
            let time = clock.now
            let seconds = start.duration(to: time) / .seconds(1)
            if Int(seconds) > second {
                second += 1
                waitObserver.withLock(\.self)?(file.path, second == 1 ? file.lockOwner(ofByte: byte) : nil, second)
            }
            if time > deadline {
                let now = try progress()
                extensions += 1
                guard now != seen, extensions < maximumExtensions else {
                    let owner = file.lockOwner(ofByte: byte).map { "process \($0)" } ?? "another process"
                    throw DataStoreError(
                        .busy, "\(owner) has held the lock for \(timeout * extensions); retry",
                        operation: "lock the file", path: file.path)
                }
                seen = now
                deadline = time + timeout
            }
            usleep(UInt32(min(max(1, 2 * seconds), 10) * Double(pause)))
        }
        return true
    }

    private static func acquire(_ file: File, _ byte: Int64) throws(DataStoreError) -> Bool {
        try checked(up_lock(file.descriptor, byte, 1), "lock the file", file.path, or: EAGAIN, EACCES, EINTR) != nil
    }
}

extension File {
    /// Acquires a shared lock on the byte at an offset, without waiting. The lock lasts until ``unlock(byte:)`` is
    /// called or the file is closed.
    ///
    /// - Throws: `DataStoreError` if the file cannot be locked, e.g. because another process holds an exclusive lock.
    package func lockShared(byte: Int64) throws(DataStoreError) {
        try checked(up_lock(descriptor, byte, 0), "lock the file", path)
    }

    /// Acquires an exclusive lock on the first byte, which shows other processes that a temporary file is in use. The
    /// lock lasts until the file is closed. If the file system has no locks, this function does nothing.
    ///
    /// - Returns: Whether the file can be used. It is `false` if another process is removing the file.
    func lockAsTemporary() -> Bool { up_lock(descriptor, 0, 1) == 0 || (errno != EAGAIN && errno != EACCES) }

    /// Releases the lock of this file on the byte at an offset. Errors are ignored.
    package func unlock(byte: Int64) { _ = up_unlock(descriptor, byte) }

    /// Returns whether any byte in a range of offsets is locked through another open file description, in any process.
    package func isLocked(_ bytes: Range<Int64>) throws(DataStoreError) -> Bool {
        if bytes.isEmpty { return false }
        let result = up_is_locked(descriptor, bytes.lowerBound, bytes.upperBound - bytes.lowerBound)
        return try checked(result, "query the locks of the file", path) == 1
    }
}

extension File {
    /// Returns the id of a process that holds an exclusive lock on a byte of the file. Returns `nil` if it is unknown:
    /// on a system without `/proc`, or if the process belongs to another user.
    ///
    /// The system call that tests a lock does not name the owner of an open file description lock.
    func lockOwner(ofByte byte: Int64) -> Int32? {
        guard let inode = try? status().id.inode, let processes = try? Self.names(in: "/proc") else { return nil }
        for process in processes.compactMap({ Int32($0) }) {
            let folder = "/proc/\(process)/fdinfo"
            for descriptor in (try? Self.names(in: folder)) ?? [] {
                let text = Self.text(of: "\(folder)/\(descriptor)")
                if text.map({ Self.holdsLock($0, inode, byte) }) == true { return process }
            }
        }
        return nil
    }

    /// Returns whether a text has a line such as `lock: 1: OFDLCK ADVISORY WRITE -1 fe:00:1234 0 EOF` for the byte.
    static func holdsLock(_ text: String, _ inode: UInt64, _ byte: Int64) -> Bool {
        text.split(separator: "\n").contains { line in
            let words = line.split { $0 == " " || $0 == "\t" }
            guard words.first == "lock:", words.count == 9, words[4] == "WRITE", words[6].hasSuffix(":\(inode)"),
                let first = Int64(words[7])
            else { return false }
            return first <= byte && byte <= Int64(words[8]) ?? .max
        }
    }

    private static func names(in path: String) throws(DataStoreError) -> [String] {
        try Directory.ifExists(path)?.names { $0.utf8.allSatisfy { (0x30...0x39).contains($0) } } ?? []
    }

    private static func text(of path: String) -> String? {
        guard let file = try? File.openForReading(path), let bytes = try? file.read(at: 0, count: 4096) else {
            return nil
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
