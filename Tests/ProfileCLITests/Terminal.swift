import Foundation
import Synchronization
import Testing

/// A program in its own pseudo-terminal, controlled by a simulated user.
final class Terminal: Sendable {
    private struct State {
        var output: [UInt8] = []
        var status: Int32?
    }

    struct NoTerminal: Error { let call: String }
    struct UnexpectedEnd: Error { let output: String }

    let process: pid_t
    private let master: Int32
    private let state = Mutex(State())

    /// Starts a program.
    ///
    /// - Parameters:
    ///   - arguments: The path of the program and its arguments.
    ///   - environment: The complete environment.
    ///   - directory: The working directory.
    ///   - columns: The width of the terminal.
    /// - Throws: ``NoTerminal``.
    init(_ arguments: [String], environment: [String: String], directory: String, columns: Int) throws {
        // Swift does not import posix_openpt(3) and related functions. On Linux they make these calls.
        master = unsafe open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
        var (number, isLocked): (Int32, Int32) = (0, 0)
        guard master >= 0, unsafe ioctl(master, 0x8004_5430, &number) == 0,  // TIOCGPTN
            unsafe ioctl(master, 0x4004_5431, &isLocked) == 0  // TIOCSPTLCK
        else { throw NoTerminal(call: "ptmx") }
        Self.resize(master, columns)
        // Both structures are used only until the program has started.
        var actions = unsafe posix_spawn_file_actions_t()
        unsafe posix_spawn_file_actions_init(&actions)
        defer { unsafe posix_spawn_file_actions_destroy(&actions) }
        unsafe posix_spawn_file_actions_addopen(&actions, 0, "/dev/pts/\(number)", O_RDWR | O_NOCTTY, 0)
        unsafe posix_spawn_file_actions_adddup2(&actions, 0, 1)
        unsafe posix_spawn_file_actions_adddup2(&actions, 0, 2)
        // Each command executes the next: in a new session, with this controlling terminal, in the directory.
        let all = ["/usr/bin/setsid", "--ctty", "/usr/bin/env", "-C", directory] + arguments
        // The arguments are freed after the start, when the program has its own copy.
        var words = unsafe all.map { unsafe strdup($0) } + [nil]
        var variables = unsafe environment.map { unsafe strdup("\($0)=\($1)") } + [nil]
        defer { unsafe (words + variables).forEach { unsafe free($0) } }
        var process: pid_t = 0
        guard unsafe posix_spawn(&process, all[0], &actions, nil, &words, &variables) == 0 else {
            close(master)
            throw NoTerminal(call: "posix_spawn")
        }
        self.process = process
        Thread.detachNewThread { [self] in readAll() }
    }

    deinit { close(master) }

    /// Reads until no process has the terminal open any more, then waits for the program.
    private func readAll() {
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = unsafe read(master, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { break }
            state.withLock { $0.output += buffer[..<count] }
        }
        var status: Int32 = 0
        while unsafe waitpid(process, &status, 0) < 0, errno == EINTR {}
        state.withLock { $0.status = status }
    }

    // MARK: Input

    func type(_ text: String) {
        let bytes = Array(text.utf8)
        _ = unsafe write(master, bytes, bytes.count)
    }

    /// Changes the width of the terminal.
    func resize(columns: Int) { Self.resize(master, columns) }

    private static func resize(_ master: Int32, _ columns: Int) {
        var size = winsize(ws_row: 24, ws_col: UInt16(columns), ws_xpixel: 0, ws_ypixel: 0)
        _ = unsafe ioctl(master, UInt(TIOCSWINSZ), &size)
    }

    // MARK: Output

    /// All output so far.
    var output: String { String(decoding: state.withLock(\.output), as: UTF8.self) }

    /// Waits until a text appears in the output.
    func wait(for text: String) async throws {
        while !output.contains(text) {
            guard state.withLock(\.status) == nil else { throw UnexpectedEnd(output: output) }
            try await Task.sleep(for: .milliseconds(5))
        }
    }

    /// Waits for the end of the program.
    ///
    /// - Returns: The exit code, or 128 plus the signal number if a signal terminated the program.
    func end() async throws -> Int32 {
        while true {
            if let status = state.withLock(\.status) {
                return status & 0x7F == 0 ? status >> 8 & 0xFF : 128 + (status & 0x7F)
            }
            try await Task.sleep(for: .milliseconds(5))
        }
    }
}

extension ProfileCLI {
    /// Starts the program in a terminal.
    func terminal(
        _ arguments: String..., in store: Store, columns: Int = 80, with variables: [String: String] = [:],
        ignoring signal: String? = nil
    ) throws -> Terminal {
        try terminal(arguments, in: store, columns: columns, with: variables, ignoring: signal)
    }

    /// Starts the program with a list of arguments in a terminal.
    func terminal(
        _ arguments: [String], in store: Store?, columns: Int = 80, with variables: [String: String] = [:],
        ignoring signal: String? = nil
    ) throws -> Terminal {
        let program = try Self.programDirectory.get().appending(path: "profile-cli").path
        return try Terminal(
            (signal.map { ["/usr/bin/env", "--ignore-signal=\($0)"] } ?? []) + [program] + arguments
                + (store.map { ["--store", $0.text] } ?? []),
            environment: ["HOME": home.path, "TERM": "xterm-256color"].merging(variables) { $1 },
            directory: directory.path, columns: columns)
    }
}
