import CDataStoreLMDB
import DataStoreCore
import DataStoreLMDB
import DataStoreTesting
import Foundation
import Testing
import TortureKit

/// An LMDB environment in its own temporary directory, which is removed together with the subject.
final class LMDBSubject: DataStoreSubject {
    let directory: URL
    var path: String { directory.appending(path: "store").path }

    init() throws {
        directory = FileManager.default.temporaryDirectory.appending(path: "lmdb-\(UUID())")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: directory) }

    func open() async throws -> any DataStore { try LMDBDataStore(path: path) }

    func raiseFormatVersion() async throws {
        // A store that looks as if it had a newer format version: its version record is 4, with a correct checksum.
        let key = [0] + Array("format".utf8)
        let version: [UInt8] = [0xA1, 0x67] + Array("version".utf8) + [0x04]
        try PlainLMDB(path).put(LMDBSubject.frame(version, key: key), for: key)
    }

    func damage(_ key: Key) async throws {
        let bytes = Array(key.collection.utf8) + [0] + Array(key.id.utf8)
        let environment = try PlainLMDB(path)
        var value = try #require(try environment.get(bytes))
        value[value.count - 3] ^= 0x01
        try environment.put(value, for: bytes)
    }

    func snapshot() async throws -> [String: [UInt8]] {
        ["data.mdb": Array(try Data(contentsOf: URL(filePath: "\(path)/data.mdb")))]
    }

    /// Returns the bytes of a frame: version, checksum of key and body, body.
    static func frame(_ body: [UInt8], key: [UInt8]) -> [UInt8] {
        let sum = crc32c(key + body)
        return [1] + [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: sum >> $0) } + body
    }

    /// An independent CRC-32C implementation, bit by bit.
    private static func crc32c(_ bytes: [UInt8]) -> UInt32 {
        ~bytes.reduce(~0) { crc, byte in
            (0..<8).reduce(crc ^ UInt32(byte)) { crc, _ in crc >> 1 ^ (crc & 1 == 1 ? 0x82F6_3B78 : 0) }
        }
    }
}

extension LMDBSubject: TortureSubject {
    var storeArguments: [String] { [] }

    func findings(of store: any DataStore) async throws -> [String] {
        try await (#require(store as? LMDBDataStore)).check().findings.map { "\($0)" }
    }
}
