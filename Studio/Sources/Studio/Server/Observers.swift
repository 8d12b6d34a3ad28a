/// The observers of an actor's state.
struct Observers {
    private var continuations: [Int: AsyncStream<Void>.Continuation] = [:]
    private var lastNumber = 0

    /// Adds an observer.
    ///
    /// - Returns: The number of the observer, and a stream with an element for the start and after each notification.
    mutating func add() -> (number: Int, changes: AsyncStream<Void>) {
        let (changes, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        lastNumber += 1
        continuations[lastNumber] = continuation
        continuation.yield()
        return (lastNumber, changes)
    }

    mutating func remove(_ number: Int) { continuations[number] = nil }

    /// Notifies all observers.
    func notify() { for continuation in continuations.values { continuation.yield() } }
}
