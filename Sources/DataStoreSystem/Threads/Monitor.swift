/// A state that a mutex protects, with a condition variable to wait for changes. `Synchronization.Mutex` has no
/// condition variable.
///
/// - Safety: `@unchecked Sendable` and `@safe` because the functions below access the state only while they hold the
///   mutex, and the pointers do not leave this object.
@safe
package final class Monitor<State>: @unchecked Sendable {
    // The memory of all three is allocated once, so their addresses never change. It is freed when no reference to the
    // monitor exists. The state is behind a pointer, because the runtime then does not check accesses for overlaps. The
    // mutex already excludes overlaps.
    private let state: UnsafeMutablePointer<State>
    private let mutex: UnsafeMutablePointer<pthread_mutex_t>
    private let condition: UnsafeMutablePointer<pthread_cond_t>

    package init(_ state: State) {
        unsafe self.state = .allocate(capacity: 1)
        unsafe self.state.initialize(to: state)
        unsafe mutex = .allocate(capacity: 1)
        unsafe condition = .allocate(capacity: 1)
        unsafe pthread_mutex_init(mutex, nil)
        #if canImport(Darwin)
        unsafe pthread_cond_init(condition, nil)
        #else
        // The condition variable uses the monotonic clock, which is never set.
        var attributes = pthread_condattr_t()
        unsafe pthread_condattr_init(&attributes)
        unsafe pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
        unsafe pthread_cond_init(condition, &attributes)
        unsafe pthread_condattr_destroy(&attributes)
        #endif
    }

    deinit {
        unsafe pthread_cond_destroy(condition)
        unsafe pthread_mutex_destroy(mutex)
        unsafe condition.deallocate()
        unsafe mutex.deallocate()
        unsafe state.deinitialize(count: 1)
        unsafe state.deallocate()
    }

    /// Reads or changes the state without waking waiting threads.
    package func withLock<Result, Failure: Error>(
        _ body: (inout State) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        lock()
        defer { unlock() }
        return unsafe try body(&state.pointee)
    }

    /// Changes the state and wakes all waiting threads.
    package func change<Result, Failure: Error>(
        _ body: (inout State) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        // The threads are woken after the mutex is released. Otherwise they would wait for the mutex.
        defer { unsafe pthread_cond_broadcast(condition) }
        return try withLock(body)
    }

    /// Waits until `body` returns a value other than `nil`, and returns this value. `body` runs at once and again after
    /// each wake-up, while the mutex is held.
    package func wait<Result>(_ body: (inout State) -> Result?) -> Result {
        lock()
        defer { unlock() }
        while true {
            if let result = unsafe body(&state.pointee) { return result }
            unsafe pthread_cond_wait(condition, mutex)
        }
    }

    /// Waits until `body` returns a value other than `nil`, up to a maximum time. If the time is `nil`, the wait is
    /// unlimited.
    ///
    /// - Returns: The result of `body`, or `nil` if the time was exceeded.
    package func wait<Result>(atMost time: Duration?, _ body: (inout State) -> Result?) -> Result? {
        guard let time else { return wait(body) }
        let end = ContinuousClock.now + time
        lock()
        defer { unlock() }
        while true {
            if let result = unsafe body(&state.pointee) { return result }
            let left = end - ContinuousClock.now
            guard left > .zero else { return nil }
            wait(left)
        }
    }

    /// Acquires the mutex without a closure, for a critical section that spans two functions.
    package func lock() { unsafe pthread_mutex_lock(mutex) }

    /// Releases the mutex.
    package func unlock() { unsafe pthread_mutex_unlock(mutex) }

    private func wait(_ time: Duration) {
        let (seconds, attoseconds) = time.components
        #if canImport(Darwin)
        var left = timespec(tv_sec: Int(seconds), tv_nsec: Int(attoseconds / 1_000_000_000))
        unsafe pthread_cond_timedwait_relative_np(condition, mutex, &left)
        #else
        var end = timespec()
        unsafe clock_gettime(CLOCK_MONOTONIC, &end)
        let nanoseconds = end.tv_nsec + Int(attoseconds / 1_000_000_000)
        end.tv_sec += Int(seconds) + nanoseconds / 1_000_000_000
        end.tv_nsec = nanoseconds % 1_000_000_000
        unsafe pthread_cond_timedwait(condition, mutex, &end)
        #endif
    }
}
