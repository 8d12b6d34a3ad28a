/// One save of the crash test.
package struct CrashStep: Sendable {
    /// Which record a change puts; what is in it follows from that.
    package struct Content: Hashable, Sendable {
        package let task: Int
        package let step: Int
        package let index: Int
    }

    /// One change; no content: a removal.
    package struct Change: Sendable {
        package let id: String
        package let content: Content?
    }

    /// What the closure throws where the step is to leave nothing behind.
    package struct Interruption: Error {
        package init() {}
    }

    /// In one transaction.
    package let changes: [Change]

    /// Whether the closure throws after its changes.
    package let isThrowing: Bool

    package init(changes: [Change], isThrowing: Bool) {
        self.changes = changes
        self.isThrowing = isThrowing
    }

    /// Whether the step counts itself in the shared record, too.
    package var isCounted: Bool { changes.count > 1 }
}
