#if Sealing
import CDataStoreSystem
import DataStoreSystem

// A command of the shell that prints a key, e.g. a password manager.
extension SealingKeySource {
    /// Runs a command and returns its output. If the task is cancelled, the shell is terminated.
    ///
    /// The command has no input, and shares the errors of the process. It has no time limit, because it may ask the
    /// user.
    static func output(of command: String, _ cancellation: Cancellation) throws -> [UInt8] {
        try reserveStandardStreams()
        var output: Int32 = -1
        // The command is read, and the descriptor is set, before the call returns.
        let process = unsafe up_spawn_shell(command, &output)
        guard process > 0 else { throw failure("the command cannot be started", errno) }
        defer { close(output) }
        let printed: [UInt8]
        do {
            printed = try contents(of: output, cancellation)
        } catch {
            kill(process, SIGTERM)
            _ = wait(for: process)
            throw error
        }
        let status = wait(for: process)
        guard status == 0 else {
            let end = status.map { $0 & 0x7F == 0 ? "exited with \($0 >> 8)" : "was ended by signal \($0 & 0x7F)" }
            throw failure("the command \(end ?? "left no status")", nil)
        }
        return printed
    }

    /// Reads the output up to its end.
    private static func contents(of descriptor: Int32, _ cancellation: Cancellation) throws -> [UInt8] {
        var printed: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4096)
        while printed.count <= SealingKey.maximumTextByteCount {
            try cancellation.check()
            var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            // The structure and the buffer are used only until the calls return.
            if unsafe poll(&waiting, 1, 50) <= 0 { continue }
            let count = unsafe read(descriptor, &buffer, buffer.count)
            if count == 0 { return printed }
            if count > 0 { printed += buffer[..<count] }
            if count < 0, errno != EINTR { throw failure("the output of the command cannot be read", errno) }
        }
        throw failure("the command prints more than \(SealingKey.maximumTextByteCount) bytes", nil)
    }

    /// Waits for the end of a process, and returns its status.
    private static func wait(for process: Int32) -> Int32? {
        var status: Int32 = 0
        // The status is filled before the call returns.
        while unsafe waitpid(process, &status, 0) < 0 {
            if errno != EINTR { return nil }
        }
        return status
    }

    private static func failure(_ reason: String, _ code: Int32?) -> DataStoreError {
        let cause = code.map { " (\(DataStoreError.meaning(ofErrorNumber: $0).reason))" } ?? ""
        return .sealingKeyUnavailable("\(reason)\(cause); no key was printed")
    }
}
#endif
