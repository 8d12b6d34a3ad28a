import Foundation
import Subprocess

/// The built program `store-probe`, run as a separate process.
enum Probe {
    /// Compares a store with an intact one through liblmdb, and writes to it.
    ///
    /// - Parameters:
    ///   - path: The store.
    ///   - reference: The intact store.
    ///   - collections: The collections to compare.
    ///   - closedStreams: The standard streams to close, as redirections of the shell.
    /// - Returns: The difference, or `nil` if the stores are equal.
    /// - Throws: An error if the program cannot be started.
    static func difference(
        of path: String, from reference: String, in collections: [String], closedStreams: String = ""
    ) async throws -> String? {
        let command = ["-c", "exec store-probe \"$@\" \(closedStreams)", "sh", path, reference]
        let result = try await Subprocess.run(
            .name("sh"), arguments: Arguments(command + collections),
            environment: .custom(["PATH": "\(try directory.get().path):/usr/bin:/bin"]), input: .none,
            output: .string(limit: 1 << 16), error: .string(limit: 1 << 20))
        if case .exited(0) = result.terminationStatus { return nil }
        return "\(result.terminationStatus): \(result.standardError)"
    }

    /// The answers of a store that may be damaged.
    enum Answers {
        case read(rightCount: Int, errorCount: Int, wrongCount: Int, firstWrong: String)
        case crash(String)
    }

    /// Reads a store in a separate process, and compares the answers with those of an intact one.
    static func answers(
        of path: String, from reference: String, in collections: [String], verifiesPages: Bool
    ) async throws -> Answers {
        let option = verifiesPages ? "--verified-answers" : "--answers"
        let result = try await Subprocess.run(
            .name("store-probe"), arguments: Arguments([option, path, reference] + collections),
            environment: .custom(["PATH": try directory.get().path]), input: .none, output: .string(limit: 1 << 16),
            error: .discarded)
        let words = result.standardOutput.split(separator: " ", maxSplits: 3).map(String.init)
        let numbers = words.prefix(3).compactMap { Int($0) }
        guard case .exited(0) = result.terminationStatus, numbers.count == 3 else {
            return .crash("\(result.terminationStatus)")
        }
        return .read(
            rightCount: numbers[0], errorCount: numbers[1], wrongCount: numbers[2], firstWrong: words.last ?? "")
    }

    private struct NotBuilt: Error {}

    /// The directory of the built program, which is also the directory of the running tests.
    private static let directory = Result<URL, any Error>(catching: {
        let bundles = Bundle.allBundles.filter { $0.bundleURL.pathExtension == "xctest" }.map(\.bundleURL)
        let executables = [Bundle.main.executableURL, CommandLine.arguments.first.map { URL(filePath: $0) }]
        let directories = (executables.compactMap(\.self) + bundles).map { $0.deletingLastPathComponent() }
        guard
            let directory = directories.first(where: {
                FileManager.default.isExecutableFile(atPath: $0.appending(path: "store-probe").path)
            })
        else { throw NotBuilt() }
        return directory.standardizedFileURL
    })
}
