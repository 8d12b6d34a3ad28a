#if Sealing
import Crypto
import DataStoreCore
import Foundation
import Testing

@testable import UserProfileSealing

/// A directory that is removed with the object.
final class TemporaryDirectory: Sendable {
    let url: URL

    init() throws {
        url = FileManager.default.temporaryDirectory.appending(path: "sealing-\(UUID())")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: url) }

    func path(_ name: String) -> String { url.appending(path: name).path }

    /// Writes a file with the given permissions, and returns its path.
    func write(_ text: String, to name: String = "key", mode: Int = 0o600) throws -> String {
        try Data(text.utf8).write(to: url.appending(path: name))
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path(name))
        return path(name)
    }
}

/// Returns the code of the `DataStoreError` that a closure throws, or `nil` if it returns.
func code(_ body: () async throws -> Void) async throws -> DataStoreError.Code? {
    do {
        try await body()
        return nil
    } catch let error as DataStoreError {
        return error.code
    }
}

/// Runs a task on a thread that no other task uses, so that the task may block it.
final class BlockingExecutor: TaskExecutor {
    private let queue = DispatchQueue(label: "BlockingExecutor")

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        // The closure keeps the executor alive until the job has run.
        queue.async { unsafe job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}

extension SealingKey {
    /// The secret bytes.
    var bytes: [UInt8] { unsafe material.withUnsafeBytes { unsafe Array($0) } }
}

extension SealingKeyring {
    /// A new keyring that may seal any number of messages.
    static func unlimited() throws -> SealingKeyring {
        let key = try SealingKey.random(number: 1)
        var envelope = try SealingEnvelope(for: key)
        let keyring = try envelope.open(with: key)
        #expect(keyring.allow(try envelope.reserve(SealingEnvelope.maximumMessageCount)))
        return keyring
    }
}

extension String {
    /// The bytes of hexadecimal digits.
    var hexadecimal: [UInt8] {
        get throws {
            let digits = try utf8.map { try #require(Character(Unicode.Scalar($0)).hexDigitValue) }
            return stride(from: 0, to: digits.count, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
        }
    }
}
#endif
