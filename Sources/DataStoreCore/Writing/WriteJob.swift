/// A pending write: its closure, and the task that waits for the result.
///
/// A store that commits on its own thread takes jobs from a ``WriteQueue``, runs each in a transaction, commits, and then finishes
/// them: any number of calls of ``run(in:)``, then exactly one of ``succeed()`` and ``fail(with:)``.
package protocol WriteJob: AnyObject, Sendable {
    /// Runs the closure and keeps its result for ``succeed()``.
    ///
    /// - Throws: what the closure throws, or `CancellationError` if the task was cancelled before the run.
    func run(in backend: any NativeWriteBackend) throws

    /// Resumes the task with the result of the last run.
    func succeed()

    /// Resumes the task with an error.
    func fail(with error: any Error)
}
