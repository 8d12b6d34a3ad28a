/// A range of ids in unsigned byte order of their UTF-8.
///
/// ```swift
/// IDRange.all
/// IDRange.prefix("2026-")
/// IDRange.from("b").before("d")      // b…, c…
/// IDRange.prefix("user-").after("user-0500")  // the next page of a listing
/// ```
public struct IDRange: Hashable, Sendable {
    /// The lowest bytes within, or nil: from the first id.
    package private(set) var lower: [UInt8]?
    /// The lowest bytes beyond, or nil: to the last id.
    package private(set) var upper: [UInt8]?

    /// Every id.
    public static let all = IDRange()

    private init() {}

    /// The ids from one byte string up to, but not including, another.
    package init(lower: [UInt8], upper: [UInt8]) {
        self.lower = lower
        self.upper = upper
    }

    /// The ids that begin with `prefix`; every id where it is empty.
    public static func prefix(_ prefix: String) -> IDRange {
        var range = IDRange.all
        guard !prefix.isEmpty else { return range }
        range.lower = Array(prefix.utf8)
        var beyond = Array(prefix.utf8)
        // A byte of UTF-8 is at most 0xF4, so the last one can always be raised.
        beyond[beyond.count - 1] += 1
        range.upper = beyond
        return range
    }

    /// The ids from `id` on, itself included.
    public static func from(_ id: String) -> IDRange { all.from(id) }

    /// The ids after `id`.
    public static func after(_ id: String) -> IDRange { all.after(id) }

    /// The ids before `id`.
    public static func before(_ id: String) -> IDRange { all.before(id) }

    /// The ids up to `id`, itself included.
    public static func through(_ id: String) -> IDRange { all.through(id) }

    /// The ids of this range from `id` on, itself included.
    package func from(_ id: String) -> IDRange { raisingLower(to: Array(id.utf8)) }

    /// The ids of this range after `id`.
    package func after(_ id: String) -> IDRange { raisingLower(to: Array(id.utf8) + [0]) }

    /// The ids of this range before `id`.
    public func before(_ id: String) -> IDRange { loweringUpper(to: Array(id.utf8)) }

    /// The ids of this range up to `id`, itself included.
    public func through(_ id: String) -> IDRange { loweringUpper(to: Array(id.utf8) + [0]) }

    /// Whether an id is within.
    public func contains(_ id: String) -> Bool { !isAbove(id) && !isBelow(id) }

    /// Whether the range begins after `id`.
    package func isAbove(_ id: String) -> Bool {
        guard let lower else { return false }
        return id.precedes(lower)
    }

    /// Whether the range ends before `id`.
    package func isBelow(_ id: String) -> Bool {
        guard let upper else { return false }
        return !id.precedes(upper)
    }

    // No id has a NUL, so "after x" is the same as "from x followed by a zero byte", and half-open bounds do for all.
    private func raisingLower(to bytes: [UInt8]) -> IDRange {
        var range = self
        if let lower, bytes.lexicographicallyPrecedes(lower) { return range }
        range.lower = bytes
        return range
    }

    private func loweringUpper(to bytes: [UInt8]) -> IDRange {
        var range = self
        if let upper, upper.lexicographicallyPrecedes(bytes) { return range }
        range.upper = bytes
        return range
    }
}
