/// A set of page numbers, stored as one bit for each possible page.
struct PageSet: Sendable {
    private var words: [UInt64]

    /// Creates an empty set for page numbers below a limit.
    init(below limit: PageNumber) { words = Array(repeating: 0, count: Int(limit / 64) + 1) }

    /// The number of pages in the set.
    var count: Int { words.reduce(0) { $0 + $1.nonzeroBitCount } }

    /// Inserts a page below the limit if the set does not contain it yet.
    ///
    /// - Returns: Whether the page was inserted.
    @discardableResult
    mutating func insert(_ page: PageNumber) -> Bool {
        guard !contains(page) else { return false }
        words[Int(page / 64)] |= 1 << (page % 64)
        return true
    }

    func contains(_ page: PageNumber) -> Bool {
        page / 64 < words.count && words[Int(page / 64)] & (1 << (page % 64)) != 0
    }

    /// Returns the lowest page number of the set that is at least `start`, or `nil` if the set has no such number.
    func first(from start: PageNumber) -> PageNumber? {
        (start..<max(start, PageNumber(words.count) * 64)).first(where: contains)
    }

    /// Returns the pages that are in both sets, which have the same limit.
    func intersection(_ other: PageSet) -> PageSet { combined(with: other) { $0 & $1 } }

    /// Returns the pages that are not in the other set, which has the same limit.
    func subtracting(_ other: PageSet) -> PageSet { combined(with: other) { $0 & ~$1 } }

    private func combined(with other: PageSet, _ operation: (UInt64, UInt64) -> UInt64) -> PageSet {
        var result = self
        result.words = zip(words, other.words).map(operation)
        return result
    }
}
