/// One save of the crash test.
package struct CrashStep: Sendable {
    /// Identifies the record that a change writes; its contents are derived from this.
    package struct Content: Hashable, Sendable {
        package let task: Int
        package let step: Int
        package let index: Int
    }

    /// A single change. A change without content is a removal.
    package struct Change: Sendable {
        package let id: String
        package let content: Content?
    }

    /// The error that the closure throws if the step must have no effect.
    package struct Interruption: Error {
        package init() {}
    }

    /// The changes, which are made in one transaction.
    package let changes: [Change]

    /// Whether the closure throws after its changes.
    package let isThrowing: Bool

    package init(changes: [Change], isThrowing: Bool) {
        self.changes = changes
        self.isThrowing = isThrowing
    }

    /// Whether the step is also counted in the shared record.
    package var isCounted: Bool { changes.count > 1 }
}
