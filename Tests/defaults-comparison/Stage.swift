import Foundation
import Subprocess

/// A temporary preferences folder for one point and one side.
final class Stage: Sendable {
    /// The result of a run: its exit code, as a shell reports it, its output and its error messages.
    struct Outcome {
        let code: Int32
        let output: String
        let error: String
    }

    let side: Side
    private let directory: URL

    /// The file with the values.
    var file: URL { directory.appending(path: "\(side.suite).plist") }

    init(_ side: Side) throws {
        self.side = side
        directory = FileManager.default.temporaryDirectory.appending(path: "defaults-comparison-\(UUID())")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    }

    deinit {
        do {
            try FileManager.default.removeItem(at: directory)
        } catch {
            FileHandle.standardError.write(Data("\(directory.path) stays: \(error)\n".utf8))
        }
    }

    /// Runs this program as a program that uses preferences in the folder.
    func run(_ command: String..., options: [String] = []) async throws -> Outcome {
        let executable = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
        let variables = [
            "PATH": executable.deletingLastPathComponent().path, "HOME": directory.path,
            "XDG_CONFIG_HOME": directory.path, "SWIFT_BACKTRACE": "enable=no",
        ]
        let environment = variables.map { (Environment.Key(stringLiteral: $0), $1) }
        let result = try await Subprocess.run(
            .name(executable.lastPathComponent), arguments: Arguments(["child", side.rawValue] + command + options),
            environment: .custom(Dictionary(uniqueKeysWithValues: environment)), input: .none,
            output: .string(limit: 1 << 20), error: .string(limit: 1 << 20))
        let code: Int32 =
            switch result.terminationStatus {
            case .exited(let code): code
            case .signaled(let signal): 128 + signal
            }
        return Outcome(
            code: code, output: result.standardOutput.trimmingCharacters(in: .newlines),
            error: result.standardError.trimmingCharacters(in: .newlines))
    }

    /// Whether another program can read the file.
    var isWhole: Bool {
        do {
            let bytes = try Data(contentsOf: file)
            _ = try unsafe PropertyListSerialization.propertyList(from: bytes, options: [], format: nil)
            return true
        } catch {
            return false
        }
    }
}
