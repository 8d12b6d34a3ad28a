#if os(Linux)
import DataStoreCore
import DataStoreLMDB
import Foundation
import Testing

/// Tests of the operating system resources that a store holds and releases. Other tests run in this process at the same
/// time, so only paths in the directory of this test count.
@Suite struct OpenFilesTests {
    private let subject: LMDBSubject
    private let key: Key

    init() throws {
        subject = try LMDBSubject()
        key = try Key(collection: "c", id: "id")
    }

    @Test("Closing releases files and maps")
    func closingStore() async throws {
        for number in 0..<50 {
            let store = try LMDBDataStore(path: subject.path)
            try await store.write { [key] in try $0.put(["n": .integer(Int64(number))], for: key) }
            #expect(try store.read { try $0.record(for: key) } == ["n": .integer(Int64(number))])
            try expectOpen()
            await store.close()
            try expectNothingOpen()
        }
    }

    @Test("A store that is deinitialized releases files and maps")
    func deinitializedStore() async throws {
        for number in 0..<50 {
            let store = try LMDBDataStore(path: subject.path)
            try await store.write { [key] in try $0.put(["n": .integer(Int64(number))], for: key) }
            #expect(try store.read { try $0.record(for: key) } == ["n": .integer(Int64(number))])
        }
        // The environment is closed on its own thread. Reopening it waits for that thread, and `close` waits for this
        // store.
        let store = try LMDBDataStore(path: subject.path)
        await store.close()
        try expectNothingOpen()
    }

    @Test("Stores of one directory share files and maps")
    func sharedFiles() async throws {
        let first = try LMDBDataStore(path: subject.path)
        try await first.write { [key] in try $0.put([:], for: key) }
        let (descriptorCount, mapCount) = (try openPaths().count, try mappedPaths().count)
        var stores = try (0..<20).map { _ in try LMDBDataStore(path: subject.path) }
        for store in stores { #expect(try store.read { try $0.record(for: key) } == [:]) }
        #expect(try openPaths().count == descriptorCount)
        #expect(try mappedPaths().count == mapCount)
        stores.append(first)
        for store in stores { await store.close() }
        try expectNothingOpen()
    }

    @Test(
        "A program whose standard streams are closed cannot print into its stores",
        arguments: ["<&- >&-", ">&- 2>&-", "<&- >&- 2>&-"])
    func closedStreams(_ streams: String) async throws {
        let reference = try LMDBSubject()
        for path in [subject.path, reference.path] {
            let store = try LMDBDataStore(path: path)
            try await store.write { [key] in try $0.put(["n": .integer(1)], for: key) }
            await store.close()
        }
        let difference = try await Probe.difference(
            of: subject.path, from: reference.path, in: ["c"], closedStreams: streams)
        #expect(difference == nil)
    }

    @Test("A store that cannot be opened leaves no file open")
    func failedOpening() async throws {
        let store = try LMDBDataStore(path: subject.path)
        try await store.write { [key] in try $0.put([:], for: key) }
        await store.close()
        let dataFile = URL(filePath: "\(subject.path)/data.mdb")
        let good = try Data(contentsOf: dataFile)

        try await subject.raiseFormatVersion()
        try await expectRejections(.unsupportedFormat)
        for (bytes, code) in [
            (Data("no LMDB file, but long enough to have the head of one".utf8), DataStoreError.Code.notAStore),
            (good.prefix(9000), .corrupted),
        ] {
            try bytes.write(to: dataFile)
            try await expectRejections(code)
        }
        try FileManager.default.removeItem(atPath: subject.path)
        try FileManager.default.createDirectory(atPath: subject.path, withIntermediateDirectories: false)
        try PlainLMDB(subject.path).put(Array("theirs".utf8), for: Array("key".utf8))
        try await expectRejections(.notAStore)
    }

    private func expectRejections(_ code: DataStoreError.Code) async throws {
        for _ in 0..<10 {
            await #expect {
                let store = try LMDBDataStore(path: subject.path)
                await store.close()
            } throws: { ($0 as? DataStoreError)?.code == code }
        }
        try expectNothingOpen()
    }

    private func expectOpen() throws {
        #expect(try openPaths().contains { $0.hasSuffix("data.mdb") })
        #expect(try mappedPaths().contains { $0.hasSuffix("data.mdb") })
    }

    private func expectNothingOpen() throws {
        #expect(try openPaths() == [])
        #expect(try mappedPaths() == [])
    }

    /// Returns the targets of this process's file descriptors that are in the directory.
    private func openPaths() throws -> [String] {
        let directory = "/proc/self/fd"
        return try FileManager.default.contentsOfDirectory(atPath: directory).compactMap { name in
            do {
                return try FileManager.default.destinationOfSymbolicLink(atPath: "\(directory)/\(name)")
            } catch {
                // Another test has closed it in the meantime.
                return nil
            }
        }.filter(isHere)
    }

    /// Returns the files in the directory that are mapped into memory.
    private func mappedPaths() throws -> [String] {
        let handle = try FileHandle(forReadingFrom: URL(filePath: "/proc/self/maps"))
        var text = Data()
        // Reads in chunks: Foundation's read of a whole file stops at the first short chunk, and all chunks of this
        // file are short.
        while let piece = try handle.read(upToCount: 1 << 16), !piece.isEmpty { text += piece }
        try handle.close()
        let lines = String(decoding: text, as: UTF8.self).split(separator: "\n").map(String.init)
        #expect(lines.contains { $0.hasSuffix("[stack]") }, "up to the end, where the stack is")
        return lines.filter(isHere)
    }

    private func isHere(_ path: String) -> Bool { path.contains(subject.directory.lastPathComponent) }
}
#endif
