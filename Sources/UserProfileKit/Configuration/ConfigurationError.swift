/// An error in the configuration of a program.
package struct ConfigurationError: Error, CustomStringConvertible {
    /// Whether the configuration file cannot be read or is invalid. Otherwise, the value of a setting is.
    package let isOfFile: Bool

    /// One sentence that states the value, its origin and the remedy.
    package let description: String

    /// The error that caused this one, or `nil` if there is no other cause. It is a `DataStoreError` if the file cannot
    /// be read.
    package let underlying: (any Error)?

    init(_ description: String, isOfFile: Bool = false, underlying: (any Error)? = nil) {
        self.isOfFile = isOfFile
        self.description = description
        self.underlying = underlying
    }
}

extension [String] {
    /// Returns the known word that is most similar to a word, which may be misspelled. Returns `nil` if none is similar
    /// enough to be a typing error.
    package func nearest(to word: String) -> String? {
        map { ($0, $0.lowercased().distance(to: word.lowercased())) }
            .filter { $0.1 <= Swift.max(1, $0.0.count / 3) }
            .min { $0.1 < $1.1 }?.0
    }
}

extension String {
    /// Returns the optimal string alignment distance to another word: the least number of letters to insert, delete,
    /// change or swap with a neighbor in order to turn one word into the other.
    fileprivate func distance(to other: String) -> Int {
        let (left, right) = (Array(self), Array(other))
        var rows = [Array(0...right.count)]
        for (row, letter) in left.enumerated() {
            var next = [row + 1]
            for (column, other) in right.enumerated() {
                var best = Swift.min(
                    rows[row][column + 1] + 1, next[column] + 1, rows[row][column] + (letter == other ? 0 : 1))
                if row > 0, column > 0, letter == right[column - 1], left[row - 1] == other {
                    best = Swift.min(best, rows[row - 1][column - 1] + 1)
                }
                next.append(best)
            }
            rows.append(next)
        }
        return rows[left.count][right.count]
    }
}
