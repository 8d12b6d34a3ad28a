package import ProfileFormats
package import UserProfileDomain

extension ImportOptions {
    /// Validates all lines of an input like an import, but saves nothing (a dry run).
    ///
    /// - Parameters:
    ///   - now: The current time, which determines whether a birthday is in the future.
    ///   - skipped: Receives the error of each invalid line.
    ///   - progress: Receives the progress after each batch of profiles.
    ///   - read: Returns the next bytes of the input, in chunks of any size, and `nil` or an empty array at the end.
    /// - Returns: The number of profiles that an import would save, and the number of lines that it would skip.
    /// - Throws: `ProfileFormatError` if no line after an invalid one can be read; `CancellationError`; what `read`
    ///   throws.
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
