import Foundation
import ProfileFormats
import Synchronization
import Testing
import UserProfileDomain
import UserProfileKit

/// Tests of import, export, copy and backup in this process.
@Suite struct TransferTests {
    private let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    static let persistentKinds = ["lmdb", "plist"]

    private static let lines = #"""
        {"id":"a,b \"c\"","mailAddress":"\"x y\"@example.com"}
        {"id":"me","birthday":"2011-08-01"}
        {"id":"né","mailAddress":"né@例え.jp","birthday":"1904-02-29"}
        {"id":"天気 😀"}

        """#

    /// An input that is delivered in chunks of a few bytes.
    private struct Pieces {
        private var rest: ArraySlice<UInt8>

        init(_ text: String) { rest = Array(text.utf8)[...] }

        mutating func next() -> [UInt8]? {
            defer { rest = rest.dropFirst(7) }
            return rest.isEmpty ? nil : Array(rest.prefix(7))
        }
    }

    private func location(_ kind: String, _ name: String = "store") throws -> StorageLocation {
        try StorageLocation(kind == "memory" ? "memory:" : "\(kind):\(directory.path(name))")
    }

    private func options(
        _ format: ProfileFormat = .jsonLines, _ policy: ImportOptions.ErrorPolicy = .stop, resumes: Bool = false,
        batchCount: Int = 2
    ) -> ImportOptions {
        ImportOptions(
            source: "input", format: format, errorPolicy: policy, resumes: resumes, batchCount: batchCount)
    }

    private func `import`(_ text: String, _ options: ImportOptions, to storage: UserProfileStorage) async throws
        -> (checkpoint: ImportCheckpoint, skipped: [Int64])
    {
        var pieces = Pieces(text)
        var skipped: [Int64] = []
        let checkpoint = try await storage.importUsers(
            options, skipped: { skipped.append($0.line) }, from: { pieces.next() })
        return (checkpoint, skipped)
    }

    private func export(
        _ storage: UserProfileStorage, _ format: ProfileFormat = .jsonLines, where filter: Filter<User>? = nil
    ) async throws -> String {
        let bytes = Mutex<[UInt8]>([])
        try await storage.exportUsers(format, where: filter) { piece in bytes.withLock { $0 += piece } }
        return String(decoding: bytes.withLock(\.self), as: UTF8.self)
    }

    private func export(_ location: StorageLocation) async throws -> String {
        let storage = try await UserProfileStorage.open(location)
        let text = try await export(storage)
        await storage.close()
        return text
    }

    private func fill(_ location: StorageLocation) async throws {
        let storage = try await UserProfileStorage.open(location)
        _ = try await `import`(Self.lines, options(), to: storage)
        await storage.close()
    }

    // MARK: Import and export

    @Test(
        "An imported export is an equal store", arguments: ["lmdb", "plist", "memory"],
        [ProfileFormat.jsonLines, .csv])
    func roundTrip(_ kind: String, _ format: ProfileFormat) async throws {
        let first = try await UserProfileStorage.open(location(kind, "first"))
        let second = try await UserProfileStorage.open(location(kind, "second"))
        #expect(try await `import`(Self.lines, options(), to: first).checkpoint.savedCount == 4)
        #expect(try await export(first) == Self.lines)
        let text = try await export(first, format)
        #expect(try await `import`(text, options(format), to: second).checkpoint.savedCount == 4)
        #expect(try await export(second) == Self.lines)
        #expect(try await second.unfinishedImport(options(format)) == nil)
        await first.close()
        await second.close()
    }

    @Test("A filter selects the users that are exported")
    func filteredExport() async throws {
        let storage = try await UserProfileStorage.open(.memory)
        _ = try await `import`(Self.lines, options(), to: storage)
        let text = try await export(storage, .csv, where: .exists(\.birthday))
        #expect(text == "id,mailAddress,birthday\nme,,2011-08-01\nné,né@例え.jp,1904-02-29\n")
        await storage.close()
    }

    @Test("An import replaces existing users, and the last line of a user applies")
    func replacedUsers() async throws {
        let storage = try await UserProfileStorage.open(.memory)
        _ = try await `import`(Self.lines, options(), to: storage)
        _ = try await `import`("birthday,id\n,me\n2000-01-01,x\n2001-01-01,x\n", options(.csv), to: storage)
        let text = try await export(storage)
        #expect(text.contains("{\"id\":\"me\"}\n") && text.contains("{\"id\":\"x\",\"birthday\":\"2001-01-01\"}\n"))
        await storage.close()
    }

    @Test("A dry run counts users and invalid lines")
    func dryRun() throws {
        var pieces = Pieces(Self.lines + "{\"id\":\"x\",\"birthday\":\"2011-02-29\"}\n[]\n")
        var skipped: [Int64] = []
        let checkpoint = try options().dryRun(skipped: { skipped.append($0.line) }, from: { pieces.next() })
        #expect(checkpoint.savedCount == 4 && checkpoint.skippedCount == 2 && skipped == [5, 6])
    }

    @Test("Invalid lines are skipped and reported with their numbers")
    func skippedLines() async throws {
        let storage = try await UserProfileStorage.open(.memory)
        let text = "id,birthday\na,2011-08-01\nb,2011-8-1\nc,\nd\ne,\n"
        let (checkpoint, skipped) = try await `import`(text, options(.csv, .skip), to: storage)
        #expect(checkpoint.savedCount == 3 && checkpoint.skippedCount == 2 && skipped == [3, 5])
        #expect(try await export(storage, .csv) == "id,mailAddress,birthday\na,,2011-08-01\nc,,\ne,,\n")
        await storage.close()
    }

    @Test("An import that stopped resumes after the last saved line, if the input begins as before")
    func resumedImport() async throws {
        let storage = try await UserProfileStorage.open(.memory)
        let text = "id,birthday\na,2011-08-01\nb,2011-8-1\nc,\n"
        let error = await #expect(throws: ProfileFormatError.self) {
            _ = try await `import`(text, options(.csv), to: storage)
        }
        #expect(error?.line == 3)
        #expect(try await storage.unfinishedImport(options(.csv))?.position.lineCount == 2)

        let changed = await #expect(throws: DataStoreError.self) {
            let other = text.replacing("a,2011", with: "a,2010")
            _ = try await `import`(other, options(.csv, resumes: true), to: storage)
        }
        #expect(changed?.code == .unsupported && changed?.reason.contains("up to line 2 has changed") == true)

        try await storage.users.delete(UserID("a"))
        let corrected = text.replacing("2011-8-1", with: "2011-08-01")
        #expect(try await `import`(corrected, options(.csv, resumes: true), to: storage).checkpoint.savedCount == 3)
        #expect(try await export(storage, .csv) == "id,mailAddress,birthday\nb,,2011-08-01\nc,,\n")
        #expect(try await storage.unfinishedImport(options(.csv)) == nil)
        await storage.close()
    }

    // MARK: Copy and backup

    @Test(
        "A copy has the same users, and replaces a store only on request", arguments: persistentKinds,
        persistentKinds)
    func copy(_ kind: String, _ otherKind: String) async throws {
        let (source, target) = (try location(kind, "source"), try location(otherKind, "target"))
        try await fill(source)
        #expect(try await source.copy(to: target) == 4)
        #expect(try await export(target) == Self.lines)

        let storage = try await UserProfileStorage.open(source)
        try await storage.users.delete(.me)
        await storage.close()
        let error = await #expect(throws: DataStoreError.self) { try await source.copy(to: target) }
        #expect(error?.code == .notAStore)
        #expect(try await export(target) == Self.lines)
        #expect(try await source.copy(to: target, replacing: true) == 3)
        #expect(try await export(target) == export(source))
        #expect(try await target.check() == [])
    }

    @Test("A store is not copied to itself, from a missing store, or to and from memory")
    func rejectedCopies() async throws {
        let source = try location("lmdb")
        try await fill(source)
        let link = directory.url.appending(path: "link")
        try FileManager.default.createSymbolicLink(
            at: link, withDestinationURL: directory.url.appending(path: "store"))
        for (from, to, code) in [
            (try location("lmdb", "nothing"), source, .noStore), (source, .lmdb(link.path), .unsupported),
            (source, .memory, .unsupported), (.memory, source, .unsupported),
        ] as [(StorageLocation, StorageLocation, DataStoreError.Code)] {
            let error = await #expect(throws: DataStoreError.self) { try await from.copy(to: to, replacing: true) }
            #expect(error?.code == code, "\(from) to \(to)")
        }
        #expect(try await export(source) == Self.lines)
    }

    @Test("A backup is a store with the same users, and replaces nothing", arguments: persistentKinds)
    func backup(_ kind: String) async throws {
        let source = try location(kind)
        try await fill(source)
        try await source.backUp(to: directory.path("backup"))
        #expect(try await export(location(kind, "backup")) == Self.lines)
        await #expect(throws: (any Error).self) { try await source.backUp(to: directory.path("backup")) }
        #expect(try await export(location(kind, "backup")) == Self.lines)
    }
}
