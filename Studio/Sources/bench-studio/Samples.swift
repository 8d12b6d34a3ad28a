/// The durations of a repeated operation.
struct Samples {
    /// The shortest duration in seconds. Other programs on the machine can only lengthen a duration, so it is the one
    /// that is comparable.
    private(set) var least = Double.infinity

    mutating func add(_ sample: Double) { least = min(least, sample) }

    /// Returns the duration of a closure in seconds.
    static func seconds(_ body: () async throws -> Void) async rethrows -> Double {
        let clock = ContinuousClock()
        let start = clock.now
        try await body()
        return (clock.now - start) / .seconds(1)
    }

    /// Returns the duration of a synchronous closure in seconds.
    static func seconds(_ body: () throws -> Void) rethrows -> Double {
        try ContinuousClock().measure(body) / .seconds(1)
    }

    /// Returns a number with three decimals, padded to a column.
    static func text(_ number: Double) -> String {
        let thousandths = Int((number * 1000).rounded())
        let digits = String(thousandths % 1000)
        let text = "\(thousandths / 1000)." + String(repeating: "0", count: 3 - digits.count) + digits
        return text + String(repeating: " ", count: max(1, 10 - text.count))
    }
}
