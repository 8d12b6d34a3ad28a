import Foundation
import Subprocess
import Testing

/// The built program `defaults-comparison`, run as a separate process.
enum ComparisonProgram {
    struct NotBuilt: Error {}

    /// Runs the program.
    ///
    /// - Parameters:
    ///   - arguments: The arguments.
    ///   - variables: The environment variables besides PATH.
    /// - Returns: Whether the program exited with 0, and its lines of output.
    /// - Throws: An error if the program cannot be started.
    static func run(_ arguments: String..., with variables: [String: String]) async throws -> (Bool, lines: [String]) {
        let environment = ["PATH": try directory().path, "SWIFT_BACKTRACE": "enable=no"].merging(variables) { $1 }
        let result = try await Subprocess.run(
            .name("defaults-comparison"), arguments: Arguments(arguments),
            environment: .custom(
                Dictionary(uniqueKeysWithValues: environment.map { (Environment.Key(stringLiteral: $0), $1) })),
            input: .none, output: .string(limit: 1 << 20), error: .discarded)
        let lines = result.standardOutput.split(separator: "\n").map(String.init)
        return (result.terminationStatus.isSuccess, lines)
    }

    /// Returns the directory of the built program, which is also the directory of the running tests.
    private static func directory() throws -> URL {
        let bundles = Bundle.allBundles.filter { $0.bundleURL.pathExtension == "xctest" }.map(\.bundleURL)
        let executables = [Bundle.main.executableURL, CommandLine.arguments.first.map { URL(filePath: $0) }]
        let directories = (executables.compactMap(\.self) + bundles).map { $0.deletingLastPathComponent() }
        guard
            let directory = directories.first(where: {
                FileManager.default.isExecutableFile(atPath: $0.appending(path: "defaults-comparison").path)
            })
        else { throw NotBuilt() }
        return directory.standardizedFileURL
    }
}
