#if Sealing
import DataStoreCore
import Foundation
import Testing

@testable import UserProfileSealing

@Suite struct SealingKeySourceTests {
    private struct Locked: Error {}

    private let key: SealingKey
    private let request = SealingKeyRequest(number: 3, label: "office")

    init() throws { key = try SealingKey.random(number: 3, label: "office") }

    @Test("A closure gives a key, none, another one, or an error")
    func closures() async throws {
        let other = try SealingKey.random(number: 4)
        let (given, new) = (SealingKeySource { [key] _ in key }, SealingKeySource { _ in other })
        #expect(try await given.key(for: request).bytes == key.bytes)
        #expect(try await new.key(for: SealingKeyRequest()).number == 4)
        for source in [SealingKeySource { _ in nil }, SealingKeySource { _ in other }] {
            let error = await #expect(throws: DataStoreError.self) { try await source.key(for: request) }
            #expect(error?.code == .missingSealingKey && error?.reason.contains("sealing key 3 (office)") == true)
        }
        let locked = await #expect(throws: DataStoreError.self) {
            try await SealingKeySource { _ in throw Locked() }.key(for: request)
        }
        #expect(locked?.code == .sealingKeyUnavailable && locked?.underlying is Locked)
        await #expect(throws: CancellationError.self) {
            try await SealingKeySource { _ in throw CancellationError() }.key(for: request)
        }
    }

    @Test("A variable of the environment gives a key")
    func environment() async throws {
        // Another process, because a change of the environment must not meet a reader on another thread.
        await #expect(processExitsWith: .success) {
            let (key, request) = (try SealingKey.random(number: 3), SealingKeyRequest(number: 3))
            let source = SealingKeySource.environment("SEALING_TEST")
            #expect(try await code { _ = try await source.key(for: request) } == .missingSealingKey)
            unsafe setenv("SEALING_TEST", key.text, 1)
            #expect(try await source.key(for: request).bytes == key.bytes)
            unsafe setenv("SEALING_TEST", String(key.text.dropFirst()), 1)
            #expect(try await code { _ = try await source.key(for: request) } == .wrongSealingKey)
        }
    }

    @Test("The output of a command gives a key")
    func commands() async throws {
        let directory = try TemporaryDirectory()
        let path = try directory.write(key.text)
        #expect(try await SealingKeySource.command("cat \(path)").key(for: request).bytes == key.bytes)
        #expect(try await SealingKeySource.command("cat; cat \(path)").key(for: request).bytes == key.bytes)
        for (command, expected) in [
            ("true", .missingSealingKey), ("echo secret", .wrongSealingKey),
            ("cat \(path); exit 3", .sealingKeyUnavailable), ("cat \(path); kill -9 $$", .sealingKeyUnavailable),
            ("yes", .sealingKeyUnavailable), ("no-such-command-at-all 2>&-", .sealingKeyUnavailable),
        ] as [(String, DataStoreError.Code)] {
            let error = await #expect(throws: DataStoreError.self) {
                try await SealingKeySource.command(command).key(for: request)
            }
            #expect(error?.code == expected, "\(command)")
            #expect(!(error?.reason.contains("secret") ?? true))
        }
    }

    @Test("A command ends with its task")
    func cancellation() async throws {
        let request = request
        let task = Task { try await SealingKeySource.command("exec sleep 1000").key(for: request) }
        try await Task.sleep(for: .milliseconds(100))
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
    }

    @Test("A passphrase opens the store for which it was chosen, and another one is a wrong key")
    func passphrases() async throws {
        let derivation = PassphraseDerivation(cost: 14)
        let key = try derivation.key(from: "correct horse", number: 1, label: "")
        let envelope = try SealingEnvelope(record: try SealingEnvelope(for: key).record)
        #expect(envelope.request.derivation == derivation)
        let right = try await SealingKeySource.passphrase { "correct horse" }.key(for: envelope.request)
        #expect(try envelope.open(with: right).keys.count == 1)
        let wrong = try await SealingKeySource.passphrase { "correct horse " }.key(for: envelope.request)
        #expect(try await code { _ = try envelope.open(with: wrong) } == .wrongSealingKey)
        let empty = SealingKeySource.passphrase { "" }
        #expect(try await code { _ = try await empty.key(for: envelope.request) } == .wrongSealingKey)
        let directory = try TemporaryDirectory()
        #expect(try await code { try right.write(toNewFileAt: directory.path("key")) } == .misuse)

        // Another passphrase, with the same number and another salt.
        let new = try PassphraseDerivation(cost: 14).key(from: "battery staple", number: 1, label: "")
        let rewrapped = try envelope.rewrapped(from: right, to: new)
        #expect(rewrapped.request.derivation != derivation)
        #expect(try rewrapped.open(with: new).keys.count == 1)
        #expect(try await code { _ = try rewrapped.open(with: right) } == .wrongSealingKey)
    }

    @Test("A passphrase does not open a store whose key is random, and is not asked for")
    func passphraseOfAnotherStore() async throws {
        let source = SealingKeySource.passphrase { throw Locked() }
        #expect(try await code { _ = try await source.key(for: request) } == .missingSealingKey)
    }

    @Test("A new store gets a passphrase with the default cost")
    func newPassphrase() async throws {
        let key = try await SealingKeySource.passphrase { "correct horse" }.key(for: SealingKeyRequest())
        #expect(key.number == 1 && key.derivation?.cost == 17)
    }

    @Test("Parameters of a passphrase that need too much memory or time, or too little, are rejected")
    func hostileParameters() async throws {
        func expect(_ changes: [(String, Value?)], _ expected: DataStoreError.Code?) async throws {
            var record = PassphraseDerivation().record
            for (name, value) in changes { record[name] = value }
            let found = try await code { _ = try PassphraseDerivation(record: record) }
            #expect(found == expected, "\(changes)")
        }
        for n in [1 << 14, 1 << 17, 1 << 18] as [Int64] { try await expect([("n", .integer(n))], nil) }
        for n in [0, 1, 2, -1, 1 << 13, 1 << 19, 1 << 40, .max, .min, 131_071] as [Int64] {
            try await expect([("n", .integer(n))], .corrupted)
        }
        for value in [0, 1, 2, 9, 1 << 30, -8] as [Int64] {
            try await expect([("r", .integer(value))], .corrupted)
            if value != 1 { try await expect([("p", .integer(value))], .corrupted) }
        }
        try await expect([("n", .real(131_072))], .corrupted)
        for salt in [[], [1], [UInt8](repeating: 1, count: 17)] {
            try await expect([("salt", .data(salt))], .corrupted)
        }
        try await expect([("salt", nil)], .corrupted)
        try await expect([("other", .integer(1))], .corrupted)
        try await expect([("algorithm", .string("argon2id"))], .unsupportedFormat)
        try await expect([("algorithm", nil)], .unsupportedFormat)
    }
}
#endif
