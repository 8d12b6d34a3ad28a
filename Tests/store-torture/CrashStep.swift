/// One save of the crash test.
struct CrashStep: Sendable {
    /// Which record a change puts; what is in it follows from that.
    struct Content: Hashable, Sendable {
        let task: Int
        let step: Int
        let index: Int
    }

    /// One change; no content: a removal.
    struct Change: Sendable {
        let id: String
        let content: Content?
    }

    /// What the closure throws where the step is to leave nothing behind.
    struct Interruption: Error {}

    /// In one transaction.
    let changes: [Change]

    /// Whether the closure throws after its changes.
    let isThrowing: Bool

    /// Whether the step counts itself in the shared record, too.
    var isCounted: Bool { changes.count > 1 }
}
