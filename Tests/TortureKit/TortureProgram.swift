import Foundation
package import Subprocess

/// The built program `store-torture`, run as a process.
package enum TortureProgram {
    /// The result of a run.
    package struct Outcome {
        /// The lines of output that were not read during the run.
        package let lines: [String]
        package let error: String
        package let status: TerminationStatus

        package init(lines: [String], error: String, status: TerminationStatus) {
            self.lines = lines
            self.error = error
            self.status = status
        }

        package var wasKilled: Bool { status == .signaled(9) }

        /// Whether the program has exited with 0.
        package var isDone: Bool { status == .exited(0) }

        /// Returns the remainder of each line that starts with a word, in the order of the lines.
        package func lines(_ first: String) -> [String] {
            lines.filter { $0.hasPrefix("\(first) ") }.map { String($0.dropFirst(first.count + 1)) }
        }
    }

    /// The running program.
    package struct Session {
        fileprivate typealias Running = Execution<CustomWriteInput, SequenceOutput, StringOutput<UTF8>>
        fileprivate let execution: Running
        fileprivate var lines: SubprocessOutputSequence.StringSequence<UTF8>.AsyncIterator

        /// Returns the next line of output, or `nil` when the program has ended.
        package mutating func line() async throws -> String? { try await lines.next() }

        /// Reads lines until an expected one.
        package mutating func wait(for expected: String) async throws {
            var others: [String] = []
            while let line = try await line() {
                if line == expected { return }
                others.append(line)
            }
            throw Missing(line: expected, others: others)
        }

        /// Closes its standard input, which some commands wait for.
        package func endInput() async throws { try await execution.standardInputWriter.finish() }

        /// A closure that kills the program, from any task.
        package var kill: @Sendable () -> Void {
            { [execution] in
                // The process may have ended already.
                try? execution.send(signal: .kill)
            }
        }
    }

    /// Runs the program several times at once, with the arguments of each process.
    package static func runAll(_ count: Int, _ arguments: (_ process: Int) -> [String]) async throws -> [Outcome] {
        try await withThrowingTaskGroup(of: Outcome.self) { group in
            for process in 0..<count {
                let words = arguments(process)
                group.addTask { try await run(words) }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
    }

    /// Runs the program to its end.
    package static func run(_ arguments: [String]) async throws -> Outcome {
        try await run(.path(literal(path.get())), arguments) { _ in }
    }

    /// Runs the program, and runs a closure in the meantime.
    package static func run(_ arguments: [String], _ body: (inout Session) async throws -> Void) async throws -> Outcome
    {
        try await run(.path(literal(path.get())), arguments, body)
    }

    /// Runs a script that calls the program as `"$0"`.
    package static func run(script: String) async throws -> Outcome {
        try await run(.name("sh"), ["-ec", script, path.get()]) { _ in }
    }

    /// Runs a script in a mount namespace of its own, and runs a closure in the meantime.
    static func runWithOwnMounts(
        script: String, _ body: (inout Session) async throws -> Void
    ) async throws -> Outcome {
        try await run(.name("unshare"), ["--mount", "sh", "-ec", script], body)
    }

    /// Runs a script that calls the program as `"$0"`, with a separate small file system mounted on a directory.
    package static func run(script: String, withFileSystemOn directory: String, megabytes: Int) async throws -> Outcome
    {
        let mount = "mount -t tmpfs -o size=\(megabytes)m tmpfs '\(directory)'"
        return try await run(
            .name("unshare"),
            ["--map-root-user", "--mount", "sh", "-ec", "\(mount)\n\(script)", path.get()]
        ) { _ in }
    }

    /// Returns whether this process may mount a file system in its own namespace.
    @Sendable package static func canMount() async throws -> Bool {
        let directory = FileManager.default.temporaryDirectory.appending(path: "mount-\(UUID())")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: directory) }
        do {
            return try await run(script: "true", withFileSystemOn: directory.path, megabytes: 1).isDone
        } catch {
            // The program is not installed.
            return false
        }
    }

    private static func run(
        _ executable: Executable, _ arguments: [String], _ body: (inout Session) async throws -> Void
    ) async throws -> Outcome {
        let result = try await Subprocess.run(
            executable, arguments: Arguments(arguments), input: .inputWriter, output: .sequence,
            error: .string(limit: 1 << 20)
        ) { execution in
            var session = Session(execution: execution, lines: execution.standardOutput.strings().makeAsyncIterator())
            try await body(&session)
            var lines: [String] = []
            while let line = try await session.line() { lines.append(line) }
            return lines
        }
        return Outcome(lines: result.closureResult, error: result.standardError, status: result.terminationStatus)
    }

    /// Creates a value from a string literal. The path type belongs to a package that this one does not depend on.
    private static func literal<Value: ExpressibleByStringLiteral>(_ text: Value.StringLiteralType) -> Value {
        Value(stringLiteral: text)
    }

    private struct NotBuilt: Error {}

    /// The program ended before it wrote an expected line.
    private struct Missing: Error {
        let line: String
        let others: [String]
    }

    /// The path of the built program, next to the running tests, for any build directory and configuration.
    private static let path = Result<String, any Error> {
        let bundles = Bundle.allBundles.filter { $0.bundleURL.pathExtension == "xctest" }.map(\.bundleURL)
        let executables = [Bundle.main.executableURL, CommandLine.arguments.first.map { URL(filePath: $0) }]
        let paths = (executables.compactMap(\.self) + bundles).map {
            $0.deletingLastPathComponent().appending(path: "store-torture").standardizedFileURL.path
        }
        guard let path = paths.first(where: { FileManager.default.isExecutableFile(atPath: $0) }) else {
            throw NotBuilt()
        }
        return path
    }
}

extension Result where Failure == any Error {
    fileprivate init(_ body: () throws -> Success) { self.init(catching: body) }
}
