import DataStoreCore
import DataStorePlist
import Foundation
import Testing
import TortureKit

/// Tests on a file system that stores file times as whole seconds, and gives a new file the inode of a removed one.
@Suite(.enabled("root can mount a file system in a loop device here", TortureProgram.canMountLoopDevice))
struct CoarseFileTimesTests {
    private let subject: PlistSubject
    private let key: Key

    init() throws {
        subject = try PlistSubject()
        key = try Key(collection: "c", id: "a")
    }

    @Test("Updates of two stores are all kept, also through a symbolic link", arguments: [false, true])
    func updates(isLinked: Bool) async throws {
        try await TortureProgram.withCoarseFileTimes(in: subject.directory) { [key] disk in
            let path = "\(disk)/profile.plist"
            if isLinked {
                try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: "target.plist")
            }
            let (first, second) = (try PlistDataStore(path: path), try PlistDataStore(path: path))
            // The size of the file never changes.
            try await first.write { try $0.put(["n": .integer(100)], for: key) }
            for round in 1...12 {
                _ = try first.read { try $0.record(for: key) }
                for store in [second, second, first] {
                    try await store.write { transaction in
                        guard case .integer(let count) = try transaction.record(for: key)?["n"] else { return }
                        try transaction.put(["n": .integer(count + 1)], for: key)
                    }
                }
                let count = Int64(100 + 3 * round)
                #expect(try first.read { try $0.record(for: key) } == ["n": .integer(count)])
                #expect(try second.read { try $0.record(for: key) } == ["n": .integer(count)])
            }
            await first.close()
            await second.close()
        }
    }

    @Test("An edit in the same second is read, and the next save keeps it")
    func edits() async throws {
        try await TortureProgram.withCoarseFileTimes(in: subject.directory) { [key] disk in
            let file = URL(filePath: "\(disk)/profile.plist")
            let store = try PlistDataStore(path: file.path)
            try await store.write { try $0.put(["text": .string("a")], for: key) }
            for letter in "bcdefghi" {
                _ = try store.read { try $0.record(for: key) }
                let text = try String(contentsOf: file, encoding: .utf8)
                let edited = text.replacing(/<string>.</, with: "<string>\(letter)<")
                try edited.write(to: file, atomically: false, encoding: .utf8)
                let other = try Key(collection: "c", id: "other")
                try await store.write { try $0.put(["text": .string("\(letter)")], for: other) }
                #expect(try store.read { try $0.record(for: key) } == ["text": .string("\(letter)")])
            }
            await store.close()
        }
    }
}
