import DataStoreCore
import TortureKit

/// `watch PATH COUNT`: observes the number that `saves` writes until it reaches COUNT.
///
/// Writes `watching` when it has the first state, `state N` for each further one, and at the end `open NAME…`: the
/// descriptors that were open during the observation.
struct WatchCommand {
    private let location: StoreLocation
    private let last: Int64

    init(_ arguments: inout Arguments) throws {
        location = try arguments.location()
        last = try arguments.number("last number")
    }

    func run() throws {
        let store = try location.open()
        try CurrentThreadExecutor.run { [last] in
            var states = store.updates(of: try WatchRun.key()).makeAsyncIterator()
            guard var number = try await states.next().map(WatchRun.number) else { return }
            Output.line("watching")
            while number < last, let state = try await states.next() {
                number = WatchRun.number(state)
                Output.line("state \(number)")
            }
            Output.line("open \(CurrentProcess.openDescriptors().joined(separator: " "))")
            await store.close()
        }
    }
}
