/// A write that waits for its turn: the closure, and the task that wants its result.
///
/// A store that commits on a thread of its own takes jobs from a ``WriteQueue``, runs each in a transaction, commits,
/// and only then finishes them: ``run(in:)`` any number of times, then exactly one of ``succeed()`` and ``fail(with:)``.
package protocol WriteJob: AnyObject, Sendable {
    /// Runs the closure and keeps its result for ``succeed()``.
    ///
    /// - Throws: what the closure threw, or `CancellationError` where the task has been cancelled before a run.
    func run(in backend: any NativeWriteBackend) throws

    /// Answers the task with the result of the last run.
    func succeed()

    /// Answers the task with an error.
    func fail(with error: any Error)
}
