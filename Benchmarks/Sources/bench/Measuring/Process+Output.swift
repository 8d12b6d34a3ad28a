import Foundation

extension Process {
    /// Runs a program until it ends.
    ///
    /// - Parameters:
    ///   - program: The executable file of the program.
    ///   - arguments: The arguments of the program.
    /// - Returns: The output, which must fit into the buffer of a pipe, and the exit status.
    /// - Throws: An error if the program cannot be started.
    static func output(of program: URL?, _ arguments: [String]) async throws -> (text: String, status: Int32) {
        let process = Process()
        process.executableURL = program
        process.arguments = arguments
        let output = Pipe()
        process.standardOutput = output
        try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
            process.terminationHandler = { _ in continuation.resume() }
            do {
                try process.run()
            } catch {
                process.terminationHandler = nil
                continuation.resume(throwing: error)
            }
        }
        let text = String(decoding: try output.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
        return (text, process.terminationStatus)
    }
}
