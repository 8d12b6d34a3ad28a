package import ProfileFormats
package import UserProfileDomain

extension ImportOptions {
    /// Looks at all lines of an input as an import does, and saves nothing.
    ///
    /// - Parameters:
    ///   - now: the present, which decides whether a birthday is still to come.
    ///   - skipped: is told of each line that has something wrong.
    ///   - progress: is told how far it has come, from time to time.
    ///   - read: gives the next bytes of the input, in pieces of any size, and nil or none at its end.
    /// - Returns: how many profiles an import would save, and how many lines it would skip.
    /// - Throws: `ProfileFormatError` where nothing after a line can be read, what `read` threw, `CancellationError`.
    package func tryOut(
        now: Instant = .now, skipped: (ProfileFormatError) -> Void = { _ in },
        progress: (ImportMark) -> Void = { _ in }, from read: () throws -> [UInt8]?
    ) throws -> ImportMark {
        var options = self
        options.errorPolicy = .skip
        var lines = ImportLines(options, after: nil, now: now)
        var isOver = false
        while !isOver {
            isOver = try lines.takeNext(from: read)
            while try lines.nextBatch(while: { false }, skipped) != nil { progress(lines.mark) }
        }
        return lines.mark
    }
}
