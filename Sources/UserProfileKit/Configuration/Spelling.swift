/// Suggestions for misspelled words, such as configuration keys.
package enum Spelling {
    /// Returns the known word that is most similar to a word. Returns `nil` if none is similar enough to be a typing
    /// error.
    package static func nearest(to word: String, among known: some Sequence<String>) -> String? {
        known.map { ($0, distance($0.lowercased(), word.lowercased())) }
            .filter { $0.1 <= max(1, $0.0.count / 3) }
            .min { $0.1 < $1.1 }?.0
    }

    /// Returns the optimal string alignment distance of two words: the least number of letters to insert, delete,
    /// change or swap with a neighbor in order to turn one word into the other.
    private static func distance(_ left: String, _ right: String) -> Int {
        let (left, right) = (Array(left), Array(right))
        var rows = [Array(0...right.count)]
        for (row, letter) in left.enumerated() {
            var next = [row + 1]
            for (column, other) in right.enumerated() {
                var best = min(
                    rows[row][column + 1] + 1, next[column] + 1, rows[row][column] + (letter == other ? 0 : 1))
                if row > 0, column > 0, letter == right[column - 1], left[row - 1] == other {
                    best = min(best, rows[row - 1][column - 1] + 1)
                }
                next.append(best)
            }
            rows.append(next)
        }
        return rows[left.count][right.count]
    }
}
