import Foundation
package import Subprocess

/// The built program `store-torture`, run as a process.
package enum TortureProgram {
    /// What a run of the program came to.
    package struct Outcome {
        /// What it wrote that nobody had read before.
        package let lines: [String]
        package let error: String
        package let status: TerminationStatus

        package init(lines: [String], error: String, status: TerminationStatus) {
            self.lines = lines
            self.error = error
            self.status = status
        }

        package var wasKilled: Bool { status == .signaled(9) }

        /// Whether it has done all it was asked to.
        package var isDone: Bool { status == .exited(0) }

        /// What each line begins with it told, in the order of the lines.
        package func lines(_ first: String) -> [String] {
            lines.filter { $0.hasPrefix("\(first) ") }.map { String($0.dropFirst(first.count + 1)) }
        }
    }

    /// The program while it runs.
    package struct Session {
        fileprivate typealias Running = Execution<CustomWriteInput, SequenceOutput, StringOutput<UTF8>>
        fileprivate let execution: Running
        fileprivate var lines: SubprocessOutputSequence.StringSequence<UTF8>.AsyncIterator

        /// The next line that it writes, or nil when it has ended.
        package mutating func line() async throws -> String? { try await lines.next() }

        /// Reads lines up to one.
        package mutating func wait(for expected: String) async throws {
            var others: [String] = []
            while let line = try await line() {
                if line == expected { return }
                others.append(line)
            }
            throw Missing(line: expected, others: others)
        }

        /// Ends its input, which some commands wait for.
        package func endInput() async throws { try await execution.standardInputWriter.finish() }

        /// Kills it, from any task.
        package var kill: @Sendable () -> Void {
            { [execution] in
                // It may have ended already; the status will tell.
                try? execution.send(signal: .kill)
            }
        }
    }

    /// Runs the program to its end.
    package static func run(_ arguments: [String]) async throws -> Outcome {
        try await run(.path(literal(path.get())), arguments) { _ in }
    }

    /// Runs the program, and does something meanwhile.
    package static func run(_ arguments: [String], _ body: (inout Session) async throws -> Void) async throws -> Outcome
    {
        try await run(.path(literal(path.get())), arguments, body)
    }

    /// Runs a script that calls the program as `"$0"`, with a small file system of its own mounted on a directory.
    package static func run(script: String, withFileSystemOn directory: String, megabytes: Int) async throws -> Outcome
    {
        let mount = "mount -t tmpfs -o size=\(megabytes)m tmpfs '\(directory)'"
        return try await run(
            .name("unshare"),
            ["--map-root-user", "--mount", "sh", "-ec", "\(mount)\n\(script)", path.get()]
        ) { _ in }
    }

    /// Whether this process may mount a file system in a name space of its own.
    @Sendable package static func canMount() async throws -> Bool {
        let directory = FileManager.default.temporaryDirectory.appending(path: "mount-\(UUID())")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: directory) }
        do {
            return try await run(script: "true", withFileSystemOn: directory.path, megabytes: 1).isDone
        } catch {
            // There is no such program here.
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

    /// A value that is written as a text. (The type of a path belongs to a package that this one does not depend on.)
    private static func literal<Value: ExpressibleByStringLiteral>(_ text: Value.StringLiteralType) -> Value {
        Value(stringLiteral: text)
    }

    private struct NotBuilt: Error {}

    /// The program ended before it wrote a line.
    private struct Missing: Error {
        let line: String
        let others: [String]
    }

    /// Where the program was built: beside the running tests, whatever directory and settings they were built with.
    private static let path = Result<String, any Error> {
        let bundles = Bundle.allBundles.filter { $0.bundleURL.pathExtension == "xctest" }.map(\.bundleURL)
        let executables = [Bundle.main.executableURL, CommandLine.arguments.first.map { URL(filePath: $0) }]
        let places = (executables.compactMap(\.self) + bundles).map {
            $0.deletingLastPathComponent().appending(path: "store-torture").standardizedFileURL.path
        }
        guard let place = places.first(where: { FileManager.default.isExecutableFile(atPath: $0) }) else {
            throw NotBuilt()
        }
        return place
    }
}

extension Result where Failure == any Error {
    fileprivate init(_ body: () throws -> Success) { self.init(catching: body) }
}
