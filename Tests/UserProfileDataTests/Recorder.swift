import Synchronization

/// Records the values that it receives, in order, from any thread.
final class Recorder<Value: Sendable>: Sendable {
    private let state = Mutex<[Value]>([])
    var values: [Value] { state.withLock { $0 } }
    func add(_ value: Value) { state.withLock { $0.append(value) } }
}
