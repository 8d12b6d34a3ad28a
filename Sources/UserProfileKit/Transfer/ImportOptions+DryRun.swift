package import ProfileFormats
package import UserProfileDomain

extension ImportOptions {
    /// Validates all lines of an input as an import does, but saves nothing.
    ///
    /// - Parameters:
    ///   - now: The current time. A birthday must not be after it.
    ///   - skipped: A closure that receives the error of each invalid line.
    ///   - progress: A closure that receives the progress after each batch of users.
    ///   - read: A closure that returns the next bytes of the input, in chunks of any size, and `nil` or an empty array
    ///     at the end.
    /// - Returns: The progress with the number of users that an import would save, and the number of lines that it
    ///   would skip.
    /// - Throws: `ProfileFormatError` if an invalid line prevents reading the following lines, the error of `read`, or
    ///   `CancellationError` if the task is cancelled.
    package func dryRun(
        now: Instant = .now, skipped: (ProfileFormatError) -> Void = { _ in },
        progress: (ImportCheckpoint) -> Void = { _ in }, from read: () throws -> [UInt8]?
    ) throws -> ImportCheckpoint {
        var options = self
        options.errorPolicy = .skip
        var lines = ImportLines(options, after: nil, now: now)
        var isOver = false
        while !isOver {
            isOver = try lines.readNext(from: read)
            while try lines.nextBatch(while: { false }, skipped) != nil { progress(lines.checkpoint) }
        }
        return lines.checkpoint
    }
}
