import DataStoreCore
import DataStorePlist
import DataStoreTesting
import Foundation
import Testing
import TortureKit

/// A property-list file in its own temporary directory, which is removed together with the subject.
final class PlistSubject: DataStoreSubject {
    let format: PlistDataStore.Format
    let directory: URL
    var path: String { file.path }
    var file: URL { directory.appending(path: "profile.plist") }

    init(_ format: PlistDataStore.Format = .xml) throws {
        self.format = format
        directory = FileManager.default.temporaryDirectory.appending(path: "plist-\(UUID())")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: directory) }

    func open() async throws -> any DataStore { try PlistDataStore(path: file.path, format: format) }

    func raiseFormatVersion() async throws {
        try edit { root in
            var ownEntry = try #require(root["UserProfile"] as? [String: Any])
            ownEntry["$format"] = 4
            root["UserProfile"] = ownEntry
        }
    }

    /// Creates a file of the next format version with a record.
    func fillAndRaiseFormatVersion() async throws {
        let store = try await open()
        try await store.write { try $0.put([:], for: Key(collection: "c", id: "a")) }
        await store.close()
        try await raiseFormatVersion()
    }

    func damage(_ key: Key) async throws {
        try edit { root in
            var ownEntry = try #require(root["UserProfile"] as? [String: Any])
            var records = try #require(ownEntry[key.collection] as? [String: Any])
            records[key.id] = "not a dictionary"
            ownEntry[key.collection] = records
            root["UserProfile"] = ownEntry
        }
    }

    func snapshot() async throws -> [String: [UInt8]] { ["file": Array(try Data(contentsOf: file))] }

    /// Changes the file as another program would, keeping its format.
    func edit(_ change: (inout [String: Any]) throws -> Void) throws {
        let format: PropertyListSerialization.PropertyListFormat = format == .xml ? .xml : .binary
        var root = try parsed()
        try change(&root)
        try PropertyListSerialization.data(fromPropertyList: root, format: format, options: 0).write(to: file)
    }

    /// Returns the contents of the file as another program reads them.
    func parsed() throws -> [String: Any] {
        let bytes = try Data(contentsOf: file)
        let root = try unsafe PropertyListSerialization.propertyList(from: bytes, options: [], format: nil)
        return try #require(root as? [String: Any])
    }
}

extension PlistSubject: TortureSubject {
    var storeArguments: [String] { ["--store", "plist"] }

    /// Checks that another program can read the file, and that the directory contains nothing else but the lock and
    /// temporary files of killed saves.
    func findings(of store: any DataStore) async throws -> [String] {
        let names = try FileManager.default.contentsOfDirectory(atPath: directory.path)
        let known: Set = ["profile.plist", "profile.plist.lock"]
        var findings = names.filter { !known.contains($0) && !$0.hasPrefix(".profile.plist.saving-") }
            .map { "there is a file \($0)" }
        if names.contains("profile.plist") {
            do { _ = try parsed() } catch { findings.append("the file cannot be parsed: \(error)") }
        }
        return findings
    }
}
