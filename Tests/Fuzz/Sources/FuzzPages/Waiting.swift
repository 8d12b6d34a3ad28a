import Dispatch
import Synchronization

/// Runs an asynchronous function on another thread, and waits for its result. libFuzzer calls a synchronous function.
func waiting<Result: Sendable>(_ body: @escaping @Sendable () async -> Result) -> Result {
    let semaphore = DispatchSemaphore(value: 0)
    let result = Mutex<Result?>(nil)
    Task.detached {
        let value = await body()
        result.withLock { $0 = value }
        semaphore.signal()
    }
    semaphore.wait()
    guard let value = result.withLock(\.self) else { fatalError("the function has no result") }
    return value
}
