import Foundation
import Subprocess
import Testing

#if canImport(System)
import System
#else
import SystemPackage
#endif

/// The built program, run as a process in its own home directory, which is removed together with this object.
final class ProfileCLI: Sendable {
    /// The result of a run.
    struct Outcome {
        fileprivate let status: TerminationStatus
        let output: String
        let error: String

        var code: Int32 { status.code }

        var lines: [String] {
            output.split(separator: "\n", omittingEmptySubsequences: false).dropLast().map(String.init)
        }
    }

    /// The directory of this test: it contains the home directory and the stores.
    let directory: URL
    let home: URL

    init() throws {
        // The path of the temporary directory may contain a link, and tests compare paths.
        directory = FileManager.default.temporaryDirectory.resolvingSymlinksInPath()
            .appending(path: "profile-cli-\(UUID())")
        home = directory.appending(path: "home")
        try FileManager.default.createDirectory(at: home, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: directory) }

    // MARK: Running

    /// Runs the program to its end.
    ///
    /// - Parameters:
    ///   - arguments: The arguments.
    ///   - store: The value of the option --store, or `nil` to omit the option.
    ///   - variables: The environment variables besides PATH and HOME.
    ///   - input: The standard input.
    /// - Returns: The exit status and the output.
    /// - Throws: An error if the program cannot be started.
    @discardableResult
    func run(
        _ arguments: String..., in store: Store? = nil, with variables: [String: String] = [:], input: String = ""
    ) async throws -> Outcome {
        try await run("profile-cli", arguments + option(store), with: variables, input: Array(input.utf8))
    }

    /// Runs the program with a list of arguments and arbitrary bytes as standard input.
    @discardableResult
    func run(
        _ arguments: [String], in store: Store? = nil, with variables: [String: String] = [:], input: [UInt8] = []
    ) async throws -> Outcome {
        try await run("profile-cli", arguments + option(store), with: variables, input: input)
    }

    /// Runs the program with a pseudo-terminal as standard output and standard error.
    func runInTerminal(_ arguments: String..., in store: Store) async throws -> Outcome {
        let words = ["profile-cli"] + arguments + option(store)
        let command = words.map { "'\($0)'" }.joined(separator: " ")
        let outcome = try await run("script", ["-qec", command, "/dev/null"], with: [:], input: [])
        // A terminal ends a line with a carriage return and a line feed.
        return Outcome(
            status: outcome.status, output: outcome.output.replacing("\r\n", with: "\n"), error: outcome.error)
    }

    /// Runs a shell command, which finds the program by its name.
    func shell(_ command: String) async throws -> Outcome {
        try await run("sh", ["-c", command], with: [:], input: [])
    }

    /// Starts the program and kills it after a delay if it is still running.
    ///
    /// - Returns: The exit code; 137 if the program was killed.
    func runAndKill(_ arguments: String..., in store: Store?, after delay: Duration) async throws -> Int32 {
        try await Subprocess.run(
            .name("profile-cli"), arguments: Arguments(arguments + option(store)), environment: environment([:]),
            workingDirectory: literal(directory.path), input: .none, output: .discarded, error: .discarded
        ) { execution in
            try await Task.sleep(for: delay)
            // The process may have ended already.
            try? execution.send(signal: .kill)
        }.terminationStatus.code
    }

    /// Runs the program to its end, and runs a closure in the meantime.
    ///
    /// - Returns: The exit code.
    func start(
        _ arguments: [String], in store: Store,
        _ body: (Execution<NoInput, SequenceOutput, DiscardedOutput>) async throws -> Void
    ) async throws -> Int32 {
        try await Subprocess.run(
            .name("profile-cli"), arguments: Arguments(arguments + option(store)), environment: environment([:]),
            workingDirectory: literal(directory.path), input: .none, output: .sequence, error: .discarded
        ) { execution in
            try await body(execution)
        }.terminationStatus.code
    }

    private func option(_ store: Store?) -> [String] { store.map { ["--store", $0.text] } ?? [] }

    private func run(
        _ program: String, _ arguments: [String], with variables: [String: String], input: [UInt8]
    ) async throws -> Outcome {
        // The input comes from a file. Subprocess would write it to a pipe, and if the program ended before it has read
        // all, the signal SIGPIPE would end the tests.
        let file = FileManager.default.temporaryDirectory.appending(path: "profile-cli-input-\(UUID())")
        try Data(input).write(to: file)
        let opened = Result { try FileDescriptor.open(FilePath(file.path), .readOnly) }
        try FileManager.default.removeItem(at: file)
        let result = try await Subprocess.run(
            .name(program), arguments: Arguments(arguments), environment: environment(variables),
            workingDirectory: literal(directory.path),
            input: .fileDescriptor(opened.get(), closeAfterSpawningProcess: true), output: .string(limit: 1 << 20),
            error: .string(limit: 1 << 20))
        return Outcome(
            status: result.terminationStatus, output: result.standardOutput, error: result.standardError)
    }

    /// Nothing is inherited from the caller's environment, which may contain settings of the program. Time limits are
    /// long because a test server may be slow on a busy machine.
    private func environment(_ variables: [String: String]) throws -> Environment {
        let programs = try Self.programDirectory.get().path
        let own = [
            "PATH": "\(programs):/usr/local/bin:/usr/bin:/bin", "HOME": home.path, "PROFILE_FORECAST_TIMEOUT": "10m",
        ]
        let all = own.merging(variables) { $1 }
        return .custom(Dictionary(uniqueKeysWithValues: all.map { (Environment.Key(stringLiteral: $0), $1) }))
    }

    /// Creates a value from a string literal. The path type belongs to a package that this one does not depend on.
    private func literal<Value: ExpressibleByStringLiteral>(_ text: Value.StringLiteralType) -> Value {
        Value(stringLiteral: text)
    }

    // MARK: The program

    private struct NotBuilt: Error {}

    /// The directory of the built program, which is also the directory of the running tests.
    static let programDirectory = Result<URL, any Error> {
        let bundles = Bundle.allBundles.filter { $0.bundleURL.pathExtension == "xctest" }.map(\.bundleURL)
        let executables = [Bundle.main.executableURL, CommandLine.arguments.first.map { URL(filePath: $0) }]
        let source = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        let candidates =
            (executables.compactMap(\.self) + bundles).map { $0.deletingLastPathComponent() } + [
                source.deletingLastPathComponent().appending(path: ".build/debug")
            ]
        guard
            let file = candidates.first(where: {
                FileManager.default.isExecutableFile(atPath: $0.appending(path: "profile-cli").path)
            })
        else { throw NotBuilt() }
        return file.standardizedFileURL
    }
}

extension TerminationStatus {
    /// The exit code, or the code that a shell reports for a program that was terminated by a signal.
    fileprivate var code: Int32 {
        switch self {
        case .exited(let code): code
        case .signaled(let signal): 128 + signal
        }
    }
}

extension Result where Failure == any Error {
    fileprivate init(_ body: () throws -> Success) { self.init(catching: body) }
}
