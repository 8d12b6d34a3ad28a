import Foundation
import Subprocess
import Testing

/// The built program, run as a process in a home directory of its own, which goes with this object.
final class ProfileCLI: Sendable {
    /// What a run of the program came to.
    struct Outcome {
        fileprivate let status: TerminationStatus
        let output: String
        let error: String

        /// The exit code.
        var code: Int32 { status.code }

        var lines: [String] {
            output.split(separator: "\n", omittingEmptySubsequences: false).dropLast().map(String.init)
        }
    }

    /// Everything of this test: the home directory and whatever stores stand beside it.
    let directory: URL
    let home: URL

    init() throws {
        // A temporary directory may be a link to its place, and paths are compared.
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
    ///   - arguments: its arguments.
    ///   - store: where everything is kept, as the option --store; nil: without the option.
    ///   - variables: what its environment has beside PATH and HOME.
    ///   - input: its standard input.
    /// - Returns: how it ended and what it wrote.
    /// - Throws: where it cannot be started.
    @discardableResult
    func run(
        _ arguments: String..., in store: Store? = nil, with variables: [String: String] = [:], input: String = ""
    ) async throws -> Outcome {
        try await run("profile-cli", arguments + option(store), with: variables, input: Array(input.utf8))
    }

    /// Runs the program with a list of arguments and any bytes as its standard input.
    @discardableResult
    func run(
        _ arguments: [String], in store: Store? = nil, with variables: [String: String] = [:], input: [UInt8] = []
    ) async throws -> Outcome {
        try await run("profile-cli", arguments + option(store), with: variables, input: input)
    }

    /// Runs the program with a pseudo-terminal for its standard output and error.
    func runInTerminal(_ arguments: String..., in store: Store) async throws -> Outcome {
        let words = ["profile-cli"] + arguments + option(store)
        let command = words.map { "'\($0)'" }.joined(separator: " ")
        let outcome = try await run("script", ["-qec", command, "/dev/null"], with: [:], input: [])
        // A terminal ends a line with a carriage return, too.
        return Outcome(
            status: outcome.status, output: outcome.output.replacing("\r\n", with: "\n"), error: outcome.error)
    }

    /// Runs a command of the shell, which finds the program by its name.
    func shell(_ command: String) async throws -> Outcome {
        try await run("sh", ["-c", command], with: [:], input: [])
    }

    /// Starts the program and kills it after a while, if it has not ended.
    ///
    /// - Returns: the exit code, 137 of a program that was killed.
    func runAndKill(_ arguments: String..., in store: Store?, after delay: Duration) async throws -> Int32 {
        try await Subprocess.run(
            .name("profile-cli"), arguments: Arguments(arguments + option(store)), environment: environment([:]),
            workingDirectory: literal(directory.path), input: .none, output: .discarded, error: .discarded
        ) { execution in
            try await Task.sleep(for: delay)
            // It may have ended already.
            try? execution.send(signal: .kill)
        }.terminationStatus.code
    }

    /// Runs the program to its end, and does something with it meanwhile.
    ///
    /// - Returns: its exit code.
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
        let result = try await Subprocess.run(
            .name(program), arguments: Arguments(arguments), environment: environment(variables),
            workingDirectory: literal(directory.path), input: .array(input), output: .string(limit: 1 << 20),
            error: .string(limit: 1 << 20))
        return Outcome(
            status: result.terminationStatus, output: result.standardOutput, error: result.standardError)
    }

    /// Nothing of the caller's environment: it may have settings of the program. A server of a test may be slow where
    /// much else runs.
    private func environment(_ variables: [String: String]) throws -> Environment {
        let programs = try Self.programDirectory.get().path
        let own = [
            "PATH": "\(programs):/usr/local/bin:/usr/bin:/bin", "HOME": home.path, "PROFILE_FORECAST_TIMEOUT": "10m",
        ]
        let all = own.merging(variables) { $1 }
        return .custom(Dictionary(uniqueKeysWithValues: all.map { (Environment.Key(stringLiteral: $0), $1) }))
    }

    /// A value that is written as a text. (The type of a path belongs to a package that this one does not depend on.)
    private func literal<Value: ExpressibleByStringLiteral>(_ text: Value.StringLiteralType) -> Value {
        Value(stringLiteral: text)
    }

    // MARK: The program

    private struct NotBuilt: Error {}

    /// Where the program was built: beside the running tests, whatever directory and settings they were built with.
    static let programDirectory = Result<URL, any Error> {
        let bundles = Bundle.allBundles.filter { $0.bundleURL.pathExtension == "xctest" }.map(\.bundleURL)
        let executables = [Bundle.main.executableURL, CommandLine.arguments.first.map { URL(filePath: $0) }]
        let source = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        let places =
            (executables.compactMap(\.self) + bundles).map { $0.deletingLastPathComponent() } + [
                source.deletingLastPathComponent().appending(path: ".build/debug")
            ]
        guard
            let place = places.first(where: {
                FileManager.default.isExecutableFile(atPath: $0.appending(path: "profile-cli").path)
            })
        else { throw NotBuilt() }
        return place.standardizedFileURL
    }
}

extension TerminationStatus {
    /// The exit code; of a program that a signal ended what a shell makes of it.
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
