#if Sealing
import DataStoreCore
import Foundation
import Testing

@testable import UserProfileSealing

@Suite struct SealingKeyTests {
    @Test("Neither descriptions nor reflections show the bytes")
    func descriptions() async throws {
        let key = try SealingKey(number: 3, label: "office", bytes: [UInt8](repeating: 0xAB, count: 32))
        var dumped = ""
        dump(key, to: &dumped)
        let texts = ["\(key)", String(reflecting: key), String(describing: Optional(key)), "\([key])", dumped]
        for text in texts {
            #expect(text.contains("office") && text.contains("3"))
            #expect(!text.lowercased().contains("abab") && !text.contains("171"))
        }
        #expect("\(key)" == "sealing key 3 (office)")
    }

    @Test("A key has 32 bytes and a printable label")
    func invalidKeys() async throws {
        for count in [0, 31, 33] {
            let bytes = [UInt8](repeating: 1, count: count)
            #expect(try await code { _ = try SealingKey(number: 1, bytes: bytes) } == .wrongSealingKey)
        }
        for label in ["a\n", " a", "a ", "\u{1B}[1m", String(repeating: "é", count: 51)] {
            #expect(try await code { _ = try SealingKey.random(number: 1, label: label) } == .misuse)
        }
        #expect(try SealingKey.random(number: 1).bytes != SealingKey.random(number: 1).bytes)
    }

    @Test("A text with several keys gives the key with a number, or the last one")
    func texts() throws {
        let keys = try [5, 1, 4_294_967_295].map {
            try SealingKey.random(number: $0, label: $0 == 1 ? "my laptop" : "")
        }
        let text = "# keys\r\n\n" + keys.map(\.text).joined(separator: "\n")
        func find(_ number: UInt32?) throws -> SealingKey? {
            try SealingKey.find(number, inText: Array(text.utf8), of: "the text")
        }
        for key in keys { #expect(try find(key.number)?.bytes == key.bytes) }
        #expect(try find(1)?.label == "my laptop")
        #expect(try find(nil)?.number == 4_294_967_295)
        #expect(try find(2) == nil)
        #expect(try SealingKey.find(nil, inText: [], of: "the text") == nil)
    }

    @Test("A text that is not a key is an error that does not quote it")
    func invalidTexts() async throws {
        let digits = String(repeating: "c0ffee42", count: 8)
        let line = "userprofile-key-1 1 \(digits)"
        for text in [
            digits, "userprofile-key-2 1 \(digits)", "userprofile-key-1 01 \(digits)", "userprofile-key-1 -1 \(digits)",
            "userprofile-key-1 4294967296 \(digits)", "userprofile-key-1  1 \(digits)", line.dropLast().description,
            String(line.dropLast(2)), line + "0", line + "00", line.replacing("c0", with: "ç0"), line + "  label",
            line + " a\u{7}", "\(line)\n\(line)", " " + line, line + "\u{0}",
            String(repeating: "#\n", count: 40_000) + line,
        ] {
            let error = #expect(throws: DataStoreError.self, "\(text)") {
                try SealingKey.find(nil, inText: Array(text.utf8), of: "the file")
            }
            #expect(error?.code == .wrongSealingKey && !"\(error?.description ?? "")".contains("ffee"))
        }
        let uppercase = line.replacing("c0ffee", with: "C0FFEE")
        #expect(try SealingKey.find(nil, inText: Array(uppercase.utf8), of: "the file")?.number == 1)
    }
}

@Suite struct KeyFileTests {
    private let directory: TemporaryDirectory
    private let key: SealingKey

    init() throws {
        directory = try TemporaryDirectory()
        key = try SealingKey.random(number: 3, label: "office")
    }

    private func read(_ path: String, number: UInt32? = 3) async throws -> SealingKey {
        try await SealingKeySource.file(path).key(for: SealingKeyRequest(number: number))
    }

    @Test("A new key file is private, and an existing file is never replaced")
    func write() async throws {
        let path = directory.path("key")
        try key.write(toNewFileAt: path)
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        #expect(attributes[.posixPermissions] as? Int == 0o600)
        #expect(try await read(path).bytes == key.bytes)
        let other = try SealingKey.random(number: 4)
        try FileManager.default.createSymbolicLink(
            atPath: directory.path("link"), withDestinationPath: directory.path("missing"))
        for name in ["key", "link", ".", ""] {
            #expect(try await code { try other.write(toNewFileAt: directory.path(name)) } == .misuse)
        }
        #expect(try await read(path).bytes == key.bytes)
        #expect(try FileManager.default.contentsOfDirectory(atPath: directory.url.path).sorted() == ["key", "link"])
        #expect(try await code { try key.write(toNewFileAt: directory.path("no/key")) } == .inputOutput)
    }

    @Test("A file to which others have access is not read", arguments: [0o644, 0o640, 0o604, 0o660, 0o620, 0o601])
    func permissions(_ mode: Int) async throws {
        let path = try directory.write(key.text, mode: mode)
        let error = await #expect(throws: DataStoreError.self) { try await read(path) }
        #expect(error?.code == .sealingKeyUnavailable && error?.reason.contains("chmod 600") == true)
    }

    @Test("A file that only its owner can read is read", arguments: [0o400, 0o600, 0o700])
    func privateFiles(_ mode: Int) async throws {
        #expect(try await read(try directory.write(key.text, mode: mode)).bytes == key.bytes)
    }

    @Test("A file of another user is not read", .enabled(if: geteuid() == 0))
    func owner() async throws {
        let path = try directory.write(key.text)
        #expect(unsafe chown(path, 12345, 12345) == 0)
        let error = await #expect(throws: DataStoreError.self) { try await read(path) }
        #expect(error?.code == .sealingKeyUnavailable && error?.reason.contains("another user") == true)
    }

    @Test("Links, directories and pipes are not read")
    func otherFiles() async throws {
        let path = try directory.write(key.text)
        try FileManager.default.createSymbolicLink(atPath: directory.path("link"), withDestinationPath: path)
        #expect(unsafe mkfifo(directory.path("pipe"), 0o600) == 0)
        for name in ["link", "pipe", "."] {
            let found = try await code { _ = try await read(directory.path(name)) }
            #expect(found == .sealingKeyUnavailable, "\(name)")
        }
    }

    @Test("A missing file and a missing number are a missing key; a short or long key is a wrong one")
    func contents() async throws {
        #expect(try await code { _ = try await read(directory.path("none")) } == .missingSealingKey)
        #expect(try await code { _ = try await read(directory.path("no/key")) } == .missingSealingKey)
        #expect(try await code { _ = try await read(try directory.write(key.text), number: 4) } == .missingSealingKey)
        #expect(try await code { _ = try await read(try directory.write(""), number: nil) } == .missingSealingKey)
        let line = key.text.replacing(" office\n", with: "")
        for text in [String(line.dropLast(2)), line + "00", String(repeating: "x", count: 100_000)] {
            #expect(try await code { _ = try await read(try directory.write(text)) } == .wrongSealingKey)
        }
        #expect(try await read(try directory.write(key.text), number: nil).number == 3)
    }
}
#endif
