import Foundation
import Subprocess

/// The built program `store-probe`, run as a separate process.
enum Probe {
    /// Compares a store with an intact one through liblmdb, and writes to it.
    ///
    /// - Returns: The difference, or `nil` if there is none.
    static func difference(of path: String, from reference: String, in collections: [String]) async throws -> String? {
        let result = try await Subprocess.run(
            .name("store-probe"), arguments: Arguments([path, reference] + collections),
            environment: .custom(["PATH": try directory.get().path]), input: .none, output: .string(limit: 1 << 16),
            error: .string(limit: 1 << 20))
        if case .exited(0) = result.terminationStatus { return nil }
        return "\(result.terminationStatus): \(result.standardError)"
    }

    private struct NotBuilt: Error {}

    /// The directory of the built program: the one of the running tests, for any build directory and configuration.
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
