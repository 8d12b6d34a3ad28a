import CDataStoreSystem
import DataStoreCore
import DataStoreLMDB
import DataStorePlist
import DataStoreSystem
import DataStoreTesting
import Foundation
import Testing

/// Tests that a failure has the same message in each kind of store.
@Suite struct StoreErrorTests {
    /// A persistent kind of store, and how to break a store of it.
    enum Kind: CaseIterable {
        case lmdb, plist

        func open(_ path: String) throws -> any DataStore {
            switch self {
            case .lmdb: try LMDBDataStore(path: path, options: .init(lockTimeout: .milliseconds(50)))
            case .plist: try PlistDataStore(path: path, lockTimeout: .milliseconds(50))
            }
        }

        func backUp(_ path: String, to target: String) async throws {
            switch self {
            case .lmdb: try await LMDBDataStore(path: path).backup(to: target)
            case .plist: try await PlistDataStore(path: path).backup(to: target)
            }
        }

        /// The file that holds the records.
        func dataFile(_ path: String) -> String { self == .lmdb ? "\(path)/data.mdb" : path }

        /// The file and the byte that a process locks while it writes.
        func writeLock(_ path: String) -> (file: String, byte: Int64) {
            self == .lmdb ? ("\(path)/data.mdb", 1 << 62 + 1) : ("\(path).lock", 0)
        }

        /// Returns the bytes of a data file with the format version 9.
        func withNewerFormat(_ bytes: Data) -> Data {
            switch self {
            case .lmdb:
                // Both meta pages have the version after their header of 16 bytes and the magic number.
                var changed = bytes
                for page in [0, Int(sysconf(Int32(_SC_PAGESIZE)))] { changed[page + 20] = 9 }
                return changed
            case .plist:
                let text = String(decoding: bytes, as: UTF8.self)
                return Data(text.replacing("<integer>2</integer>", with: "<integer>9</integer>").utf8)
            }
        }
    }

    /// A failure, and the beginning of its message with PATH for each path and N for each number.
    enum Fault: CaseIterable {
        case otherFile, fileInPath, damaged, newerFormat, unreadable, unwritable, missing, exists, locked, closed

        var message: String {
            switch self {
            case .otherFile: "could not open the store at PATH: not a store; choose another path"
            case .fileInPath: "could not open the store at PATH: a part of the path is not a directory; check the path"
            case .damaged:
                "could not open the store at PATH: the store is damaged; "
                    + "run profile-cli store check, or restore a backup"
            case .newerFormat:
                "could not open the store at PATH: format version N is not supported, only N; use the program that "
                    + "wrote the store"
            case .unreadable, .unwritable:
                "could not open the store at PATH: permission denied; check the owner and the permissions of the path"
            case .missing: "could not back up the store at PATH: the store does not exist; check the path"
            case .exists: "could not back up the store at PATH: PATH already exists; choose a new path"
            case .locked:
                "could not write to the store at PATH: another process has held the lock for N seconds; retry"
            case .closed: "could not read the store at PATH: the store is closed; open it again"
            }
        }

        /// The superuser has all permissions.
        static let testable = allCases.filter { geteuid() != 0 || ![.unreadable, .unwritable].contains($0) }
    }

    private let directory: TemporaryDirectory
    private let key: Key

    init() throws {
        directory = try TemporaryDirectory()
        key = try Key(collection: "users", id: "me")
    }

    @Test(
        "A failure has one message in all kinds of stores", .timeLimit(.minutes(5)),
        arguments: Fault.testable, Kind.allCases)
    func message(_ fault: Fault, _ kind: Kind) async throws {
        let path = directory.path("store")
        var failure: (any Error)?
        do {
            try await provoke(fault, kind, path)
        } catch {
            failure = error
        }
        let error = try #require(failure as? DataStoreError)
        #expect(error.path?.hasPrefix(path) == true)
        #expect(Self.normalized("\(error)") == fault.message)
    }

    @Test(
        "An exhausted resource is named in the error",
        arguments: [
            (ENOSPC, "space"), (EDQUOT, "quota"), (EFBIG, "file size"), (ENOMEM, "memory"),
            (EMFILE, "files in the process"),
            (ENFILE, "files in the system"), (ENOLCK, "locks"),
        ])
    func resource(_ code: Int32, _ name: String) {
        let meaning = DataStoreError.meaning(ofErrorNumber: code)
        #expect(meaning.code == .full && meaning.reason.contains(name))
    }

    private func provoke(_ fault: Fault, _ kind: Kind, _ path: String) async throws {
        switch fault {
        case .otherFile:
            try Data("to buy: milk".utf8).write(to: URL(filePath: path))
            _ = try kind.open(path)
        case .fileInPath:
            try Data("to buy: milk".utf8).write(to: URL(filePath: path))
            let store = try kind.open("\(path)/store")
            try await save(in: store)
        case .damaged:
            try await change(kind, path) { kind == .lmdb ? $0.prefix(8192) : $0.dropLast(60) }
            _ = try kind.open(path)
        case .newerFormat:
            try await change(kind, path, kind.withNewerFormat)
            _ = try kind.open(path)
        case .unreadable:
            try await change(kind, path) { $0 }
            try FileManager.default.setAttributes([.posixPermissions: 0], ofItemAtPath: kind.dataFile(path))
            _ = try kind.open(path)
        case .unwritable:
            try FileManager.default.setAttributes([.posixPermissions: 0o500], ofItemAtPath: directory.url.path)
            defer {
                try? FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: directory.url.path)
            }
            let store = try kind.open(path)
            try await save(in: store)
        case .missing: try await kind.backUp(path, to: directory.path("backup"))
        case .exists:
            try await change(kind, path) { $0 }
            try Data().write(to: URL(filePath: directory.path("backup")))
            try await kind.backUp(path, to: directory.path("backup"))
        case .locked:
            let store = try kind.open(path)
            try await save(in: store)
            let (file, byte) = kind.writeLock(path)
            try await Self.locking(file, byte) { try await save(in: store) }
        case .closed:
            let store = try kind.open(path)
            await store.close()
            _ = try await store.read { try $0.collections() }
        }
    }

    private func save(in store: any DataStore) async throws {
        let key = key
        try await store.write { try $0.put(["text": .string("some text")], for: key) }
    }

    /// Saves a record and changes the data file after the store is closed.
    private func change(_ kind: Kind, _ path: String, _ body: (Data) -> Data) async throws {
        let store = try kind.open(path)
        try await save(in: store)
        await store.close()
        let file = URL(filePath: kind.dataFile(path))
        try body(try Data(contentsOf: file)).write(to: file)
    }

    /// Runs a closure while another open file holds a lock, as another process would.
    private static func locking(_ path: String, _ byte: Int64, _ body: () async throws -> Void) async throws {
        let file = try FileHandle(forUpdating: URL(filePath: path))
        // The writer releases its lock shortly after the save returns.
        try await until { up_lock(file.fileDescriptor, byte, 1) == 0 }
        defer { try? file.close() }
        try await body()
    }

    /// Replaces paths and numbers, and removes the parts that only one kind of store has: the details in parentheses,
    /// and the path of a file within the store. The owner of a lock is not known on every system.
    private static func normalized(_ message: String) -> String {
        message.replacing(#/ \(.*\)/#, with: "").replacing(#/\/[^ :;]+/#, with: "PATH")
            .replacing("PATH: PATH: ", with: "PATH: ").replacing(#/\b[0-9]+(\.[0-9]+)?/#, with: "N")
            .replacing("process N has", with: "another process has")
    }
}
