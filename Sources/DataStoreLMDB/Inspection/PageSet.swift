/// A set of page numbers, stored as one bit for each possible page.
struct PageSet: Sendable {
    private var words: [UInt64]
    private let limit: PageNumber

    /// The number of pages in the set.
    private(set) var count = 0

    /// Creates an empty set for page numbers below a limit.
    init(below limit: PageNumber) {
        self.limit = limit
        words = Array(repeating: 0, count: Int(limit / 64) + 1)
    }

    /// Inserts a page if its number is below the limit and the set does not contain it yet.
    ///
    /// - Returns: Whether the page was inserted.
    @discardableResult
    mutating func insert(_ page: PageNumber) -> Bool {
        guard page < limit, !contains(page) else { return false }
        words[Int(page / 64)] |= 1 << (page % 64)
        count += 1
        return true
    }

    func contains(_ page: PageNumber) -> Bool {
        page < limit && words[Int(page / 64)] & (1 << (page % 64)) != 0
    }

    /// Returns the lowest page number of the set that is at least `start`, or `nil` if the set has no such number.
    func first(from start: PageNumber) -> PageNumber? {
        guard start < limit else { return nil }
        var index = Int(start / 64)
        var word = words[index] & (~0 << (start % 64))
        while word == 0 {
            index += 1
            guard index < words.count else { return nil }
            word = words[index]
        }
        return PageNumber(index * 64 + word.trailingZeroBitCount)
    }

    /// Returns the pages that are in both sets.
    func intersection(_ other: PageSet) -> PageSet { combined(with: other) { $0 & $1 } }

    /// Returns the pages that are not in the other set.
    func subtracting(_ other: PageSet) -> PageSet { combined(with: other) { $0 & ~$1 } }

    /// Combines two sets with the same limit, 64 pages at a time.
    private func combined(with other: PageSet, _ operation: (UInt64, UInt64) -> UInt64) -> PageSet {
        var result = self
        result.words = zip(words, other.words).map(operation)
        result.count = result.words.reduce(0) { $0 + $1.nonzeroBitCount }
        return result
    }
}
